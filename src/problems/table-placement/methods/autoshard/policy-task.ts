import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { NetworkTable } from "../../../../cost/neural/features.js";
import { REPRESENTATION } from "../../../../cost/neural/network.js";
import type { SetCost, SetPolicy } from "../../../../cost/neural/set-cost.js";
import { representationsOf, type TrainedNetwork } from "../../../../cost/neural/trained-network.js";
import { partsOf, type WholeTable } from "../whole-tables.js";

export const BYTES_PER_GIB = 2 ** 30;

/** Tables to place, in the order in which the policy places them, as it sees them. */
export interface PolicyTask {
  readonly devices: number;
  readonly network: TrainedNetwork["network"];
  /** Index of the table that each step places: by predicted cost of the table alone, falling. */
  readonly order: readonly number[];
  /** steps × 32, in that order. */
  readonly representations: Float64Array;
  /** Of the parameters, in GiB, in that order. */
  readonly sizes: readonly number[];
  /** Milliseconds that are predicted for each table alone, in that order. */
  readonly costs: readonly number[];
}

/** Equal tables are placed in the order in which they come. */
export function policyTask(trained: TrainedNetwork, tables: readonly NetworkTable[], devices: number): PolicyTask {
  const { network } = trained;
  const all = representationsOf(trained, tables);
  const rowOf = (t: number) => all.subarray(t * REPRESENTATION, (t + 1) * REPRESENTATION);
  const alone = tables.map((_, t) => network.evaluate(rowOf(t)));
  const order = [...tables.keys()].sort((a, b) => (alone[b] as number) - (alone[a] as number) || a - b);
  const representations = new Float64Array(tables.length * REPRESENTATION);
  for (const [step, t] of order.entries()) representations.set(rowOf(t), step * REPRESENTATION);
  const sizes = tables.map(({ rows, dim, elementBytes }) => (rows * dim * elementBytes) / BYTES_PER_GIB);
  return {
    devices,
    network,
    order,
    representations,
    sizes: order.map((t) => sizes[t] as number),
    costs: order.map((t) => alone[t] as number),
  };
}

/**
 * The task of placing a problem's whole tables, for the policy that its cost of sets names, and the way back: the device of each
 * table, from the device of each step.
 */
export function wholePolicyTask(
  problem: PlacementProblem,
  setCost: SetCost,
  { network, tables: shapes }: SetPolicy,
  tables: readonly WholeTable[],
): { readonly task: PolicyTask; devicesOf(homes: readonly number[]): readonly number[] } {
  const seen = partsOf(setCost, tables).map((part) => shapes[part] as NetworkTable);
  const task = policyTask(network, seen, deviceCount(problem));
  const devicesOf = (homes: readonly number[]) => {
    const devices = new Array<number>(tables.length);
    for (const [step, t] of task.order.entries()) devices[t] = homes[step] as number;
    return devices;
  };
  return { task, devicesOf };
}

/** The mean cost of the tables of some tasks, each alone. Predictions may be below 0; what others are divided by may not. */
export function meanCost(tasks: readonly Pick<PolicyTask, "costs">[]): number {
  const costs = tasks.flatMap((task) => task.costs);
  return costs.reduce((sum, cost) => sum + Math.abs(cost), 0) / costs.length || 1;
}
