import type { PlacedPart, PlacedTable } from "../../traffic/placed-table.js";
import { CacheCounts } from "./cache.js";
import { type BlockOfRow, blockOfRow, type IndexOrder } from "./row-blocks.js";

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
