import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { addAnywhere, addOnEach, addUniform } from "./free-columns.js";
import { coldPart, hotCopies, withCopies, withoutCopies } from "./hot-rows.js";
import { addInsideNode, addNodeGroups } from "./node-columns.js";
import { homesOf, type OptionColumns, optionOf, type Site } from "./option-site.js";
import type { PlacementOption, PlacementProblem } from "./problem.js";

/** Whether there is any way to place an option, memory aside. */
export function isPlaceable(problem: PlacementProblem, whole: PlacementOption, allowed: readonly boolean[]): boolean {
  const { nodes, gpusPerNode } = problem;
  if (whole.hot !== undefined && allowed.includes(false)) return false;
  const option = coldPart(whole);
  const { shards, distinctDevices } = option;
  const partitionBy = effectivePartition(problem, option);
  const isRoomy = (devices: readonly boolean[]) => !distinctDevices || shards.length <= devices.filter(Boolean).length;
  if (partitionBy === "device") return allowed.includes(true) && isRoomy(allowed);
  if (partitionBy === "uniform") return shards.every((_, shard) => allowed[shard] === true);
  const isFixed = partitionBy === "multi_host" || hasFixedSlots(problem, option);
  const homes = homesOf(problem, allowed, isFixed);
  if (partitionBy === "host") {
    return homes.some((node) => isRoomy(allowed.slice(node * gpusPerNode, (node + 1) * gpusPerNode)));
  }
  const groups = shards.length / gpusPerNode;
  return Number.isInteger(groups) && (distinctDevices ? groups : Math.min(groups, nodes)) <= homes.length;
}

/**
 * Adds the columns and rows of one option; `chosen` is the column that chooses it. Copies of hot rows have a column on every
 * device, as the shards of a `uniform` option have.
 */
export function addOption(site: Site): OptionColumns {
  const own = site.problem.tables[site.table]?.options[site.option] as PlacementOption;
  const cold = addColdPart(site);
  if (own.hot === undefined) return cold;
  const copies = addOnEach(site, hotCopies(own), "hot");
  return {
    ...cold,
    shards: [...cold.shards, ...copies.shards],
    write: (devices, point) => {
      cold.write(withoutCopies(own, devices), point);
      copies.write(devices.slice(-copies.shards.length), point);
    },
    read: (point) => [...withCopies(own, cold.read(point))],
  };
}

function addColdPart(site: Site): OptionColumns {
  const { problem, table, option } = site;
  const partitionBy = effectivePartition(problem, optionOf(site));
  const { shards, shardingType } = optionOf(site);
  if (partitionBy === "device") return addAnywhere(site);
  if (partitionBy === "uniform") return addUniform(site);
  const fixed = partitionBy === "multi_host" || hasFixedSlots(problem, { shards, shardingType });
  return fixed ? addNodeGroups(site, `${table}_${option}`) : addInsideNode(site, `${table}_${option}`);
}
