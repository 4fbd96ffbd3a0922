import { setImmediate } from "node:timers/promises";
import { count } from "../../text/units.js";
import { rootError } from "../show/learned-cost.js";
import type { CurvePoint } from "../show/learned-policy.js";
import { withStatusLine } from "../terminal/status-line.js";
import { note } from "../terminal/streams.js";

/** Points of the learning curve. */
const POINTS = 20;

/** Until the steps are over, or somebody asks to stop: between two updates there is time to hear that. */
export async function learnOn(
  training: { readonly steps: number; readonly isOver: boolean },
  update: () => { readonly meanReward: number; readonly costError?: number },
  { steps, quiet, signal }: { readonly steps: number; readonly quiet: boolean; readonly signal: AbortSignal },
): Promise<readonly CurvePoint[]> {
  const curve: CurvePoint[] = [];
  const start = training.steps;
  let updates: ReturnType<typeof update>[] = [];
  const mean = (of: (one: ReturnType<typeof update>) => number) =>
    updates.reduce((sum, one) => sum + of(one), 0) / updates.length;
  await withStatusLine(quiet, async (line) => {
    while (!training.isOver && !signal.aborted) {
      updates.push(update());
      const meanReward = mean((one) => one.meanReward);
      const isJoint = updates[0]?.costError !== undefined;
      const costError = isJoint ? mean((one) => one.costError as number) : null;
      const placed = `${count(training.steps)} of ${count(steps)} tables placed`;
      const said = [
        `mean reward ${meanReward.toFixed(4)}`,
        ...(costError === null ? [] : [`cost error ${rootError(costError)}`]),
      ];
      line.show(() => [placed, ...said]);
      if (training.steps >= start + ((steps - start) * (curve.length + 1)) / POINTS) {
        curve.push({ steps: training.steps, meanReward, ...(costError === null ? {} : { costError }) });
        line.hide();
        note(`${placed}: ${said.join(", ")}`, quiet);
        updates = [];
      }
      await setImmediate();
    }
  });
  return curve;
}
