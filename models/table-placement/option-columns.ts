import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { addAnywhere, addUniform } from "./free-columns.js";
import { addInsideNode, addNodeGroups } from "./node-columns.js";
import { homesOf, type OptionColumns, optionOf, type Site } from "./option-site.js";
import type { PlacementOption, PlacementProblem } from "./problem.js";

/** Whether there is any way to place an option, memory aside. */
export function isPlaceable(problem: PlacementProblem, option: PlacementOption, allowed: readonly boolean[]): boolean {
  const { nodes, gpusPerNode } = problem;
  const { shards } = option;
  const partitionBy = effectivePartition(problem, option);
  if (partitionBy === "device") return allowed.includes(true);
  if (partitionBy === "uniform") return shards.every((_, shard) => allowed[shard] === true);
  const isFixed = partitionBy === "multi_host" || hasFixedSlots(problem, option);
  const homes = homesOf(problem, allowed, isFixed);
  if (partitionBy === "host") return homes.length > 0;
  const groups = shards.length / gpusPerNode;
  return Number.isInteger(groups) && Math.min(groups, nodes) <= homes.length;
}

/** Adds the columns and rows of one option; `chosen` is the column that chooses it. */
export function addOption(site: Site): OptionColumns {
  const { problem, table, option } = site;
  const partitionBy = effectivePartition(problem, optionOf(site));
  const { shards, shardingType } = optionOf(site);
  if (partitionBy === "device") return addAnywhere(site);
  if (partitionBy === "uniform") return addUniform(site);
  const fixed = partitionBy === "multi_host" || hasFixedSlots(problem, { shards, shardingType });
  return fixed ? addNodeGroups(site, `${table}_${option}`) : addInsideNode(site, `${table}_${option}`);
}
