import type { NetworkTable } from "../../../../cost/neural/features.js";
import { REPRESENTATION } from "../../../../cost/neural/network.js";
import { representationsOf, type TrainedNetwork } from "../../../../cost/neural/trained-network.js";

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

/** The mean cost of the tables of some tasks, each alone. Predictions may be below 0; what others are divided by may not. */
export function meanCost(tasks: readonly Pick<PolicyTask, "costs">[]): number {
  const costs = tasks.flatMap((task) => task.costs);
  return costs.reduce((sum, cost) => sum + Math.abs(cost), 0) / costs.length || 1;
}
