import { deviceCount, type Placement, type PlacementProblem } from "../problem.js";

/** How far devices may change names without changing what a placement comes to. */
export interface DeviceSymmetry {
  /** Devices are the same in all respects: those without tables may as well come last. */
  readonly isSymmetric: boolean;
  /**
   * By table its rank, where tables are placed whole on symmetric devices: the table of rank r may as well be on one of the
   * devices 0 … r, as devices can be named in the order of the first table that each has. `null` elsewhere.
   */
  readonly ranks: readonly number[] | null;
}

export function deviceSymmetry(problem: PlacementProblem): DeviceSymmetry {
  const { tables, hbmBytes, hostBytes, ssdBytes = null, stay } = problem;
  const isEven = (list: readonly number[] | null) => list === null || list.every((bytes) => bytes === list[0]);
  const isSymmetric =
    stay === undefined &&
    isEven(hbmBytes) &&
    isEven(hostBytes) &&
    isEven(ssdBytes) &&
    tables.every(
      ({ devices, options }) => devices === null && options.every(({ partitionBy }) => partitionBy === "device"),
    );
  const areWhole = tables.every(({ options }) => options.length === 1 && options[0]?.shards.length === 1);
  return { isSymmetric, ranks: isSymmetric && areWhole ? ranksOf(problem) : null };
}

/** Tables by the cost of a device with them alone, falling: the first decisions are those that matter most. */
function ranksOf({ tables }: PlacementProblem): readonly number[] {
  const costs = tables.map(({ options }) => options[0]?.shards[0]?.cost as number);
  const order = [...costs.keys()].sort((a, b) => (costs[b] as number) - (costs[a] as number) || a - b);
  const ranks = new Array<number>(costs.length);
  for (const [rank, table] of order.entries()) ranks[table] = rank;
  return ranks;
}

/** The same placement with its devices named as {@link DeviceSymmetry} has them. */
export function inDeviceOrder(
  problem: PlacementProblem,
  { isSymmetric, ranks }: DeviceSymmetry,
  { choices }: Placement,
): Placement {
  if (!isSymmetric) return { choices };
  const first = new Array<number>(deviceCount(problem)).fill(Number.POSITIVE_INFINITY);
  for (const [t, { devices }] of choices.entries()) {
    for (const d of devices) first[d] = Math.min(first[d] as number, ranks?.[t] ?? t);
  }
  const byFirst = [...first.keys()].sort((a, b) =>
    first[a] === first[b] ? a - b : (first[a] as number) - (first[b] as number),
  );
  const names = new Array<number>(byFirst.length);
  for (const [name, d] of byFirst.entries()) names[d] = name;
  return {
    choices: choices.map(({ option, devices }) => ({ option, devices: devices.map((d) => names[d] as number) })),
  };
}
