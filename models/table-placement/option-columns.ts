import { effectivePartition, hasFixedSlots } from "./constraints.js";
import { coldPart, hotCopies, withCopies, withoutCopies } from "./hot-rows.js";
import { addInsideNode, addNodeGroups } from "./node-columns.js";
import {
  addRuns,
  countShards,
  homesOf,
  ifChosen,
  MisplacedError,
  type OptionColumns,
  optionOf,
  runsOf,
  type ShardColumn,
  type Site,
  spreadShards,
} from "./option-site.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "./problem.js";

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
  if (partitionBy === "uniform") return addOnEach(site, shards);
  const fixed = partitionBy === "multi_host" || hasFixedSlots(problem, { shards, shardingType });
  return fixed ? addNodeGroups(site, `${table}_${option}`) : addInsideNode(site, `${table}_${option}`);
}

/** `device`: Σ_d n[t, o, k, d] = shards of kind k, if chosen. */
function addAnywhere(site: Site): OptionColumns {
  const { table, option, allowed } = site;
  const runs = runsOf(optionOf(site).shards);
  const isPlain = site.chosen === null && runs.length === 1;
  const homes = [...allowed.keys()].filter((device) => allowed[device]);
  const nameOf = (k: number) => (isPlain ? `${table}` : `${table}_${option}_${k}`);
  const counted = addRuns(
    site,
    runs,
    homes,
    (k) => ({ column: nameOf(k), row: nameOf(k) }),
    (counts, shards) => ifChosen(site, counts, shards),
  );
  return {
    option,
    shards: counted.flatMap(({ columns }) => columns),
    nodeChoices: [],
    nodeRows: [],
    write: (devices, point) => countShards(counted, devices, point),
    read: (point) => spreadShards(counted, point),
  };
}

/**
 * One of `needs` on each device, by device, if the option is chosen: of a `uniform` one n[t, o, i] = 1 on device i. One column per
 * device keeps every device a block of its own.
 */
function addOnEach(site: Site, needs: readonly ShardNeed[], label?: string): OptionColumns {
  const { draft, table, option } = site;
  const shards = needs.map((need, device): ShardColumn => {
    const name = [label, table, option, device].filter((part) => part !== undefined).join("_");
    const column = draft.addCount(`n_${name}`);
    const { terms, side } = ifChosen(site, [[column, 1n]], 1n);
    return {
      column,
      table,
      option,
      device,
      need,
      most: 1,
      placeRow: draft.addEquation(`place_${name}`, terms, side),
    };
  });
  return {
    option,
    shards,
    nodeChoices: [],
    nodeRows: [],
    write: (devices, point) => {
      for (const { column, device } of shards) {
        if (devices[device] !== device) throw new MisplacedError(`shard ${device} of a uniform option is elsewhere`);
        point[column] = 1n;
      }
    },
    read: () => needs.map((_, device) => device),
  };
}
