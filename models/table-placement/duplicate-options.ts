import { effectivePartition } from "./constraints.js";
import type { PlacementOption, PlacementProblem } from "./problem.js";

/** By table, options that are an earlier one under another name, with that one. */
export type DuplicateOptions = readonly ReadonlyMap<number, number>[];

/**
 * Options of a table that are the same in all but the name: as many shards in the same order, with the same needs and the same
 * places. The program has the first of them alone. With a limit on moves every option is for itself: where a table stays is
 * said by option.
 */
export function duplicateOptions(problem: PlacementProblem): DuplicateOptions {
  return problem.tables.map(({ options }) => {
    const twins = new Map<number, number>();
    if (problem.stay !== undefined) return twins;
    const first = new Map<string, number>();
    options.forEach((option, o) => {
      const key = keyOf(problem, option);
      const known = first.get(key);
      if (known === undefined) first.set(key, o);
      else twins.set(o, known);
    });
    return twins;
  });
}

function keyOf(problem: PlacementProblem, option: PlacementOption): string {
  const partition = effectivePartition(problem, option);
  // Inside a node the type decides whether each shard has its own device.
  return JSON.stringify([partition, partition === "host" ? option.shardingType : "", option.shards]);
}
