import { plainOptions } from "../../../../models/joint-towers/table-options.js";
import type {
  Placement,
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  ShardNeed,
} from "../../../../models/table-placement/problem.js";
import type { Without } from "../../../search/strategies.js";

/** A placement of a tower's tables that needs next to no time. */
export interface ReadyPlacement {
  readonly placement: Placement;
  /** Dealt out; else packed, where dealing out found none. */
  readonly isDealt: boolean;
}

/** What a ready placement can do without, by name. */
export const READY_STRATEGIES: readonly string[] = ["dealt placement", "packed placement"];

/** `null` where none is found so. Hot rows and caches are left to the search: options without them come first, and have the same numbers. */
export function readyPlacement(whole: PlacementProblem, without: Without): ReadyPlacement | null {
  const tables = whole.tables.map((table) => ({ ...table, options: plainOptions(table.options) }));
  const problem = { ...whole, tables };
  const dealt = without.has("dealt placement") ? null : dealtPlacement(problem);
  if (dealt !== null) return { placement: dealt, isDealt: true };
  const packed = without.has("packed placement") ? null : packedPlacement(problem);
  return packed === null ? null : { placement: packed, isDealt: false };
}

/** From one limit on a GPU's elements to the next that is tried. */
const GROWTH = 1.1;

/**
 * A placement of a tower's tables that needs next to no time, or `null` where none is found so: for rising limits on the elements
 * of a GPU, every table in the fewest parts that keep to the limit and the memory, the largest first to the GPU with the least
 * (Graham's rule); the best of them. `problem` is one of `towerPlacementProblem`.
 */
export function dealtPlacement(problem: PlacementProblem): Placement | null {
  const devices = problem.hbmBytes.length;
  const widths = problem.tables.map(({ options }) => elementsOf(options[0] as PlacementOption));
  const most = widths.reduce((sum, width) => sum + width, 0);
  let best: Dealt | null = null;
  for (
    let limit = Math.ceil(most / devices);
    best === null || limit < best.largest;
    limit = Math.ceil(limit * GROWTH)
  ) {
    const dealt = dealtWithin(problem, limit);
    if (dealt !== null && (best === null || dealt.largest < best.largest)) best = dealt;
    if (limit >= most) break;
  }
  return best === null ? null : { choices: best.choices };
}

interface Dealt {
  readonly largest: number;
  readonly choices: readonly PlacementChoice[];
}

function dealtWithin({ tables, hbmBytes }: PlacementProblem, limit: number): Dealt | null {
  const elements = new Array<number>(hbmBytes.length).fill(0);
  const free = [...hbmBytes];
  const chosen = tables.map(({ options }) => options.findIndex((option) => isWithin(option, limit, free)));
  const ranks: number[][] = tables.map(() => []);
  const put = (table: number, shard: number, { cost, hbmBytes: bytes }: ShardNeed, device: number): boolean => {
    (ranks[table] as number[])[shard] = device;
    elements[device] = (elements[device] as number) + cost;
    free[device] = (free[device] as number) - bytes;
    return (free[device] as number) >= 0;
  };
  const parts: { readonly table: number; readonly shard: number; readonly need: ShardNeed }[] = [];
  for (const [table, { options }] of tables.entries()) {
    const option = options[chosen[table] as number];
    if (option === undefined) return null;
    for (const [shard, need] of option.shards.entries()) {
      if (option.partitionBy !== "uniform") parts.push({ table, shard, need });
      else if (!put(table, shard, need, shard)) return null;
    }
  }
  parts.sort((a, b) => b.need.cost - a.need.cost || b.need.hbmBytes - a.need.hbmBytes);
  for (const { table, shard, need } of parts) {
    let least = -1;
    for (let device = 0; device < elements.length; device++) {
      if ((free[device] as number) < need.hbmBytes) continue;
      if (least === -1 || (elements[device] as number) < (elements[least] as number)) least = device;
    }
    if (least === -1 || !put(table, shard, need, least)) return null;
  }
  const choices = ranks.map((devices, table) => ({ option: chosen[table] as number, devices }));
  return { largest: Math.max(...elements), choices };
}

/** Options begin with the fewest parts; rows over all GPUs, which make the most elements, are the last. */
function isWithin({ shards, partitionBy }: PlacementOption, limit: number, hbmBytes: readonly number[]): boolean {
  const memory = hbmBytes[0] as number;
  return shards.every((need) => (partitionBy === "uniform" || need.cost <= limit) && need.hbmBytes <= memory);
}

function elementsOf({ shards }: PlacementOption): number {
  return shards.reduce((sum, { cost }) => sum + cost, 0);
}

/** GPUs looked at, about, after which the search ends. */
const MAX_LOOKS = 400_000;

/**
 * A placement within the memory, however many elements a GPU then looks up. The search is depth first: the largest
 * tables first, every option on every GPU. It is for tables so large that dealing them out fails. `null`: none was
 * found; after an early end there may be one all the same. `problem` is one of `towerPlacementProblem`.
 */
export function packedPlacement(problem: PlacementProblem): Placement | null {
  return new Packing(problem).run();
}

class Packing {
  readonly #options: readonly (readonly PlacementOption[])[];
  readonly #order: readonly number[];
  readonly #free: number[];
  readonly #chosen: { option: number; devices: number[] }[];
  /** GPUs with as much room are alike. */
  readonly #areAlike: boolean;
  /** By table in the order: the rooms that it and those after it do not fit into. */
  readonly #refused: readonly Set<string>[];
  /** Shards that may yet be put on a GPU, those that are taken back too. */
  #left: number;

  constructor({ tables, hbmBytes }: PlacementProblem) {
    this.#options = tables.map(({ options }) => options);
    const bytes = tables.map(({ options }) => bytesOf(options[0] as PlacementOption));
    this.#order = [...tables.keys()].sort((a, b) => (bytes[b] as number) - (bytes[a] as number) || a - b);
    this.#free = [...hbmBytes];
    this.#left = MAX_LOOKS / hbmBytes.length;
    this.#chosen = tables.map(() => ({ option: -1, devices: [] }));
    this.#areAlike = this.#options.flat().every(({ partitionBy, shards: [first, ...others] }) => {
      return partitionBy !== "uniform" || others.every(({ hbmBytes: each }) => each === first?.hbmBytes);
    });
    this.#refused = tables.map(() => new Set<string>());
  }

  run(): Placement | null {
    if (!this.#place(0)) return null;
    return { choices: this.#chosen.map(({ option, devices }) => ({ option, devices: [...devices] })) };
  }

  /** Places the tables from one on, in the order. */
  #place(at: number): boolean {
    const table = this.#order[at];
    if (table === undefined) return true;
    const room = (this.#areAlike ? this.#free.toSorted((a, b) => a - b) : this.#free).join();
    const refused = this.#refused[at] as Set<string>;
    if (refused.has(room)) return false;
    const choice = this.#chosen[table] as { option: number; devices: number[] };
    for (const [option, { partitionBy, shards }] of (this.#options[table] as readonly PlacementOption[]).entries()) {
      choice.option = option;
      choice.devices.length = 0;
      if (this.#putShards(shards, partitionBy === "uniform", choice.devices, at)) return true;
    }
    // Of a search that ended early nothing is known.
    if (this.#left > 0) refused.add(room);
    return false;
  }

  /** Puts the shards of a table that are left, and all tables after it. */
  #putShards(shards: readonly ShardNeed[], isUniform: boolean, devices: number[], at: number): boolean {
    const shard = devices.length;
    if (shard === shards.length) return this.#place(at + 1);
    const { hbmBytes } = shards[shard] as ShardNeed;
    const isAsLarge = shard > 0 && shards[shard - 1]?.hbmBytes === hbmBytes;
    const from = isUniform ? shard : isAsLarge ? (devices[shard - 1] as number) : 0;
    const tried = new Set<number>();
    for (let device = from; device < (isUniform ? shard + 1 : this.#free.length); device++) {
      const free = this.#free[device] as number;
      if (free < hbmBytes || (this.#areAlike && shard === 0 && tried.has(free))) continue;
      if (--this.#left < 0) return false;
      tried.add(free);
      this.#free[device] = free - hbmBytes;
      devices.push(device);
      if (this.#putShards(shards, isUniform, devices, at)) return true;
      devices.length = shard;
      this.#free[device] = free;
    }
    return false;
  }
}

function bytesOf({ shards }: PlacementOption): number {
  return shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0);
}
