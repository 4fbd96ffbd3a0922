import { hasFixedSlots } from "../../../../../models/table-placement/constraints.js";
import { receivedBytes } from "../../../../../models/table-placement/moved-bytes.js";
import {
  deviceCount,
  type Placement,
  type PlacementChoice,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
} from "../../../../../models/table-placement/problem.js";

/**
 * Where the tables are now, as far as options can say it: each with the choice for which devices receive the fewest bytes, memory
 * and costs aside. `null` where the instance does not say where tables are, or one has no such choice.
 */
export function placementNow(problem: PlacementProblem): Placement | null {
  if (!problem.tables.some(({ options }) => options.some(({ incoming }) => incoming !== undefined))) return null;
  const choices = problem.tables.map((table, t) => {
    const bytesOf = ({ option, devices }: PlacementChoice) =>
      devices.reduce((sum, device, k) => sum + receivedBytes(table.options[option] as PlacementOption, k, device), 0);
    return leastOf(nearestChoices(problem, t), bytesOf);
  });
  return choices.every((choice) => choice !== null) ? { choices } : null;
}

/** For each option of a table that has such places, the devices that receive the fewest bytes for it. */
function nearestChoices(problem: PlacementProblem, t: number): readonly PlacementChoice[] {
  const table = problem.tables[t] as PlacementTable;
  return table.options.flatMap((option, o) => {
    const devices = nearestDevices(problem, table, option);
    return devices === null ? [] : [{ option: o, devices }];
  });
}

function nearestDevices(
  problem: PlacementProblem,
  { devices: allowed }: PlacementTable,
  option: PlacementOption,
): readonly number[] | null {
  const { nodes, gpusPerNode } = problem;
  const { shards, partitionBy } = option;
  const all = Array.from({ length: deviceCount(problem) }, (_, device) => device);
  const isAllowed = (device: number) => allowed?.includes(device) ?? true;
  const within = (devices: readonly number[]) =>
    shards.map((_, k) => leastOf(devices.filter(isAllowed), (device) => receivedBytes(option, k, device)));
  const whole = (devices: readonly (number | null)[]) =>
    devices.every((device) => device !== null && isAllowed(device)) ? (devices as readonly number[]) : null;
  // Groups of shards on whole nodes, copies of hot rows, and shards that have a device each are left to the other moves.
  if (partitionBy === "multi_host" || option.hot !== undefined || option.distinctDevices) return null;
  if (partitionBy === "device") return whole(within(all));
  if (partitionBy === "uniform") return whole(shards.map((_, k) => k));
  const perNode = Array.from({ length: nodes }, (_, node) => {
    const here = all.slice(node * gpusPerNode, (node + 1) * gpusPerNode);
    return whole(hasFixedSlots(problem, option) ? shards.map((_, k) => here[k] as number) : within(here));
  });
  return leastOf(
    perNode.filter((devices) => devices !== null),
    (devices) => devices.reduce((sum, device, k) => sum + receivedBytes(option, k, device), 0),
  );
}

/** The first of the least. */
function leastOf<Item>(items: readonly Item[], sizeOf: (item: Item) => number): Item | null {
  let least: { item: Item; value: number } | null = null;
  for (const item of items) {
    const value = sizeOf(item);
    if (least === null || value < least.value) least = { item, value };
  }
  return least?.item ?? null;
}
