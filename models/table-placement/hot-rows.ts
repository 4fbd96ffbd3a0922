import type { PlacementOption, PlacementProblem, ShardNeed } from "./problem.js";

const COLD_PARTS = new WeakMap<PlacementOption, PlacementOption>();

/** An option without the copies of the hottest rows: what is placed as its sharding type says. */
export function coldPart(option: PlacementOption): PlacementOption {
  if (option.hot === undefined) return option;
  const known = COLD_PARTS.get(option);
  if (known !== undefined) return known;
  const { hot, ...plain } = option;
  const cold = { ...plain, shards: option.shards.slice(0, -hot.copies) };
  COLD_PARTS.set(option, cold);
  return cold;
}

/** The copies of an option's hottest rows, by device; empty where it has none. */
export function hotCopies({ shards, hot }: PlacementOption): readonly ShardNeed[] {
  return hot === undefined ? [] : shards.slice(-hot.copies);
}

/** All devices of an option whose shards, the copies of hot rows apart, are on these. */
export function withCopies({ hot }: PlacementOption, devices: readonly number[]): readonly number[] {
  return hot === undefined ? devices : [...devices, ...Array.from({ length: hot.copies }, (_, d) => d)];
}

/** The devices of an option's shards, the copies of hot rows left out. */
export function withoutCopies({ hot }: PlacementOption, devices: readonly number[]): readonly number[] {
  return hot === undefined ? devices : devices.slice(0, -hot.copies);
}

/** Whether hot rows or sizes of caches are chosen: a table's options are many, and differ little. */
export function isRich({ tables }: PlacementProblem): boolean {
  return tables.some(({ options }) => options.some(({ hot, cache }) => hot !== undefined || cache !== undefined));
}
