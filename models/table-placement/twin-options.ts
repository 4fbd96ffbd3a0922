import { effectivePartition } from "./constraints.js";
import type { PlacementProblem } from "./problem.js";

/**
 * Options of a table that are another one under a different name: as many shards in the same order, with the same needs and
 * the same places. By table, the later of two with the earlier one.
 */
export function twinOptions(problem: PlacementProblem): Map<number, Map<number, number>> {
  const twins = new Map<number, Map<number, number>>();
  problem.tables.forEach(({ options }, t) => {
    const known = new Map<string, number>();
    options.forEach((option, o) => {
      const needs = option.shards.map(({ cost, hbmBytes, hostBytes }) => `${cost} ${hbmBytes} ${hostBytes}`);
      // Inside a node the type decides whether each shard has its own device.
      const partition = effectivePartition(problem, option);
      const key = [partition, partition === "host" ? option.shardingType : "", ...needs].join("|");
      const twin = known.get(key);
      if (twin === undefined) known.set(key, o);
      else twins.set(t, (twins.get(t) ?? new Map<number, number>()).set(o, twin));
    });
  });
  return twins;
}
