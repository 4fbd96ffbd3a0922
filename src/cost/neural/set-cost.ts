import type { NetworkTable } from "./features.js";
import type { TrainedNetwork } from "./trained-network.js";

/**
 * A cost of sets: what a device takes for all its shards together, where that is not the sum of what each takes alone.
 * Shards that are alike (of one table and one width) are the same *part*; parts are numbered from 0.
 */
export interface SetCost {
  readonly parts: readonly SetPart[];
  /** The part that a shard is. Indices are the placement problem's. */
  partOf(table: number, option: number, shard: number): number;
  /**
   * Milliseconds of a device with these parts, in whatever order; a part that is there twice is there twice. A device without
   * parts takes 0.
   */
  costOfSet(parts: readonly number[]): number;
  /** Absent where the instance names no policy. */
  readonly policy?: SetPolicy;
}

/** A policy that places tables, as far as the instance goes, and what it looks at. */
export interface SetPolicy {
  readonly file: string;
  /** The file's text, read when it is asked for. Throws `InputError` where that is not possible. */
  text(): string;
  /** The network that the costs are from. */
  readonly network: TrainedNetwork;
  /** By part. */
  readonly tables: readonly NetworkTable[];
}

export interface SetPart {
  /** Index of the table. */
  readonly table: number;
  /** Elements per row of the part. */
  readonly dim: number;
  /** Milliseconds of a device with this part alone. */
  readonly cost: number;
}

/** Sets that are remembered at once. */
const MAX_SETS = 2 ** 16;

/**
 * The same cost with a memory for sets that were asked about before, in whatever order. It pays where most are asked about
 * again, as in NeuroShard's search (19 of 20); looking a set up takes about a third of the time that the network takes.
 */
export function cachedSetCost(setCost: SetCost): SetCost {
  const known = new Map<string, number>();
  return {
    ...setCost,
    costOfSet: (parts) => {
      const key = parts.toSorted((a, b) => a - b).join();
      const found = known.get(key);
      if (found !== undefined) return found;
      const cost = setCost.costOfSet(parts);
      if (known.size === MAX_SETS) known.clear();
      known.set(key, cost);
      return cost;
    },
  };
}
