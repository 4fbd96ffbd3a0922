import type {
  Placement,
  PlacementOption,
  PlacementProblem,
  ShardNeed,
} from "../../../../models/table-placement/problem.js";

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
