import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import type { PlacementModel } from "./from-instance.js";
import { withMoreDevices } from "./more-devices.js";
import type { PlacementProblem } from "./problem.js";
import { withoutFreeMoves } from "./stage-problem.js";

const GIB = 2 ** 30;

/** Changes of the cluster that a plan has prices of. */
export const CHANGES = ["gibPerGpu", "device"] as const;
export type Change = (typeof CHANGES)[number];

/** The problem after a change, for its first goal alone; or why the instance does not say what it is. */
export interface ChangedProblem {
  readonly problem: PlacementProblem | null;
  readonly reason: string | null;
  /** How many devices are added. */
  readonly devices: number;
  /** Every placement of the problem itself is one of this too, and costs the same. */
  readonly isWider: boolean;
}

/** `gibPerGpu`: one GiB more on every device; `device`: one more device, or with several nodes one more node. */
export function changedProblem(
  change: Change,
  instance: TablePlacementInstance,
  model: PlacementModel,
): ChangedProblem {
  if (change === "gibPerGpu") {
    const hbmBytes = model.problem.hbmBytes.map((bytes) => Math.min(bytes + GIB, Number.MAX_SAFE_INTEGER));
    return { problem: firstGoal({ ...model.problem, hbmBytes }), reason: null, devices: 0, isWider: true };
  }
  const { problem, reason, devices } = withMoreDevices(instance, model);
  // TorchRec's options are made anew for so many ranks.
  const isWider = instance.torchrec === null;
  return { problem: problem === null ? null : firstGoal(problem), reason, devices, isWider };
}

function firstGoal({ thenMinimize: _second, stages: _stages, ...problem }: PlacementProblem): PlacementProblem {
  return withoutFreeMoves(problem);
}
