import type { SearchSpace, SpaceShard } from "./search-space.js";

/** The ranks of a topology while shards are placed: what memory is left, and how much time has come together. */
export interface RankLoads {
  readonly hbmLeft: Float64Array;
  readonly hostLeft: Float64Array;
  readonly ssdLeft: Float64Array;
  /** The accumulated cost of each rank: each phase summed over the shards, the phases then added in order. */
  readonly totals: Float64Array;
  fits(rank: number, shard: SpaceShard): boolean;
  place(rank: number, shard: SpaceShard): void;
  /** What undoes all placing since. */
  save(): () => void;
}

/**
 * Empty ranks. TorchRec counts host memory by the rank: of a pool each has its part. `hbmCap` limits the HBM of every rank.
 */
export function rankLoads({ problem, devices, tables }: SearchSpace, hbmCap = Number.POSITIVE_INFINITY): RankLoads {
  const phases = tables[0]?.[0]?.shards[0]?.phases.length ?? 1;
  const hbmLeft = Float64Array.from(problem.hbmBytes, (bytes) => Math.min(bytes, hbmCap));
  const hostLeft = new Float64Array(devices).fill(Number.POSITIVE_INFINITY);
  if (problem.hostBytes !== null) hostLeft.set(problem.hostBytes);
  const ssdLeft = new Float64Array(devices).fill(Number.POSITIVE_INFINITY);
  if (problem.ssdBytes !== undefined) ssdLeft.set(problem.ssdBytes);
  const totals = new Float64Array(devices);
  /** The phases of a rank one after the other. */
  const sums = new Float64Array(devices * phases);
  return {
    hbmLeft,
    hostLeft,
    ssdLeft,
    totals,
    fits: (rank, { hbmBytes, hostBytes, ssdBytes = 0 }) =>
      hbmBytes <= (hbmLeft[rank] as number) &&
      hostBytes <= (hostLeft[rank] as number) &&
      ssdBytes <= (ssdLeft[rank] as number),
    place: (rank, shard) => {
      hbmLeft[rank] = (hbmLeft[rank] as number) - shard.hbmBytes;
      hostLeft[rank] = (hostLeft[rank] as number) - shard.hostBytes;
      ssdLeft[rank] = (ssdLeft[rank] as number) - (shard.ssdBytes ?? 0);
      let total = 0;
      for (let phase = 0, at = rank * phases; phase < phases; phase++, at++) {
        const sum = (sums[at] as number) + (shard.phases[phase] as number);
        sums[at] = sum;
        total += sum;
      }
      totals[rank] = total;
    },
    save: () => {
      const lists = [hbmLeft, hostLeft, ssdLeft, totals, sums].map((list) => ({ list, values: list.slice() }));
      return () => {
        for (const { list, values } of lists) list.set(values);
      };
    },
  };
}
