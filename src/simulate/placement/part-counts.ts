import { runOfRank } from "../../access/run-of-rank.js";
import type { PlacedPart, PlacedTable } from "../../access/traffic/placed-table.js";

/** Most rows of a cache whose evictions are followed. */
const MAX_FOLLOWED = 2 ** 20;

/**
 * The distinct rows that an iteration reads, and how many of them miss a cache: one that holds the hottest rows and keeps them, as the
 * cost model has it; and beside it one of as many rows that takes in every row that is read, and lets go of the one that was read
 * longest ago. That one starts with the hottest rows.
 */
export class CacheCounts {
  readonly #cached: number;
  readonly #seen: Uint32Array;
  #read: number[] = [];
  readonly #recent: Map<number, true> | null;
  /** Of all iterations. */
  misses = 0;
  distinct = 0;
  #recentMisses = 0;

  constructor(rows: number, cached: number) {
    this.#cached = cached;
    this.#seen = new Uint32Array(Math.ceil(rows / 32));
    this.#recent = cached > MAX_FOLLOWED ? null : new Map();
    for (let row = Math.min(cached, rows) - 1; row >= 0 && this.#recent !== null; row--) this.#recent.set(row, true);
  }

  /** Misses of the cache that evicts; `null` where it is too large to follow. */
  get recentMisses(): number | null {
    return this.#recent === null ? null : this.#recentMisses;
  }

  /** `row`: its rank among the rows that the cache is of. */
  read(row: number): void {
    const word = Math.floor(row / 32);
    const bit = 1 << (row % 32);
    const before = this.#seen[word] as number;
    if ((before & bit) !== 0) return;
    this.#seen[word] = before | bit;
    this.#read.push(row);
  }

  endIteration(): void {
    for (const row of this.#read) {
      this.#seen[Math.floor(row / 32)] = 0;
      if (row >= this.#cached) this.misses++;
      if (this.#recent !== null) this.#touch(row, this.#recent);
    }
    this.distinct += this.#read.length;
    this.#read = [];
  }

  #touch(row: number, recent: Map<number, true>): void {
    if (!recent.delete(row)) {
      this.#recentMisses++;
      if (recent.size >= this.#cached) recent.delete(recent.keys().next().value as number);
    }
    if (this.#cached > 0) recent.set(row, true);
  }
}

/** In which of its blocks a row is, by its rank among the rows that are cut. */
export type BlockOfRow = (rank: number) => number;

/**
 * - `spread`: rows are dealt to the blocks in turn, from the hottest on, each block until it is full;
 * - `falling`: the first block has the hottest rows.
 */
export type IndexOrder = "spread" | "falling";

export function blockOfRow(blocks: readonly number[], order: IndexOrder): BlockOfRow {
  if (blocks.length === 1) return () => 0;
  return order === "falling" ? inFallingOrder(blocks) : dealtInTurn(blocks);
}

function inFallingOrder(blocks: readonly number[]): BlockOfRow {
  const ends: number[] = [];
  for (const rows of blocks) ends.push((ends.at(-1) ?? 0) + rows);
  return (rank) => runOfRank(ends, rank);
}

function dealtInTurn(blocks: readonly number[]): BlockOfRow {
  // Between two sizes of blocks the same blocks take a row in each round.
  const sizes = [...new Set(blocks)].filter((rows) => rows > 0).sort((a, b) => a - b);
  const ends: number[] = [];
  const rounds = sizes.map((size, k) => {
    const open = blocks.flatMap((rows, block) => (rows >= size ? [block] : []));
    const start = ends.at(-1) ?? 0;
    ends.push(start + open.length * (size - (sizes[k - 1] ?? 0)));
    return { open, start };
  });
  return (rank) => {
    const { open, start } = rounds[runOfRank(ends, rank)] as (typeof rounds)[number];
    return open[(rank - start) % open.length] as number;
  };
}

/** What was seen of a part, in all iterations together. */
export class PartCounts {
  readonly part: PlacedPart;
  /** Ids by the device of the sample and, inside, the block of the row. */
  readonly lookups: Float64Array;
  /** By the device of the sample: bags that give a vector, as the part's cost model counts them. */
  readonly vectors: Float64Array;
  readonly cache: CacheCounts | null;
  readonly #blockOf: BlockOfRow;
  #isOpen = false;

  constructor(part: PlacedPart, devices: number, order: IndexOrder) {
    this.part = part;
    this.lookups = new Float64Array(devices * part.blocks.length);
    this.vectors = new Float64Array(devices);
    this.cache = part.cachedRows === null ? null : new CacheCounts(part.rows, part.cachedRows);
    this.#blockOf = blockOfRow(part.blocks, order);
  }

  /** Ids of rows whatever they are: the part is not cut by rows, and has no cache. */
  takeAny(ids: number, device: number): void {
    this.lookups[device] = (this.lookups[device] as number) + ids;
    this.#isOpen ||= ids > 0;
  }

  /** `row`: its rank in the part. */
  take(row: number, device: number): void {
    const entry = device * this.part.blocks.length + this.#blockOf(row);
    this.lookups[entry] = (this.lookups[entry] as number) + 1;
    this.cache?.read(row);
    this.#isOpen = true;
  }

  endBag(device: number, feature: number): void {
    if (this.#isOpen || this.part.everyBag[feature] === true)
      this.vectors[device] = (this.vectors[device] as number) + 1;
    this.#isOpen = false;
  }
}

/** What was seen of a table. */
export interface TableCounts {
  readonly table: PlacedTable;
  readonly parts: readonly PartCounts[];
  /** By the device of the sample. */
  readonly bags: Float64Array;
}

export function tableCounts(table: PlacedTable, devices: number, order: IndexOrder): TableCounts {
  return {
    table,
    parts: table.parts.map((part) => new PartCounts(part, devices, order)),
    bags: new Float64Array(devices),
  };
}

/** Whether it matters which rows a table's ids are. */
export function needsRows({ parts }: PlacedTable): boolean {
  return parts.length > 1 || parts.some(({ blocks, cachedRows }) => blocks.length > 1 || cachedRows !== null);
}
