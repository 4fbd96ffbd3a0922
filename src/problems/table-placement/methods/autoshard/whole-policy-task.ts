import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { NetworkTable } from "../../../../cost/neural/features.js";
import type { SetCost, SetPolicy } from "../../../../cost/neural/set-cost.js";
import { partOfWhole } from "../learned.js";
import type { WholeTable } from "../whole-tables.js";
import { type PolicyTask, policyTask } from "./policy-task.js";

/** A problem's whole tables as a policy sees them, and the way back. */
export interface WholePolicyTask {
  readonly task: PolicyTask;
  /** The device of each table, from the device of each step. */
  devicesOf(homes: readonly number[]): readonly number[];
}

/** The task of placing whole tables, for the policy that the problem's cost of sets names. */
export function wholePolicyTask(
  problem: PlacementProblem,
  setCost: SetCost,
  { network, tables: shapes }: SetPolicy,
  tables: readonly WholeTable[],
): WholePolicyTask {
  const seen = tables.map((table, t) => shapes[partOfWhole(setCost, table, t)] as NetworkTable);
  const task = policyTask(network, seen, deviceCount(problem));
  return {
    task,
    devicesOf: (homes) => {
      const devices = new Array<number>(tables.length);
      for (const [step, t] of task.order.entries()) devices[t] = homes[step] as number;
      return devices;
    },
  };
}
