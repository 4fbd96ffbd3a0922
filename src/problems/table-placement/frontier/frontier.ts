import { placementModel } from "../../../../models/table-placement/from-instance.js";
import { spaceOf } from "../../../../models/table-placement/space.js";
import { mostMemory } from "../../../../models/table-placement/with-memory.js";
import { InputError } from "../../../errors/input-error.js";
import type { Rational } from "../../../exact/rational.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { boundBelow, gapAbove, nearest } from "../../../plan-file/rounding.js";
import { statusAt } from "../../../proof/verdict.js";
import { secondsLeft } from "../../../search/time/time-limit.js";
import { type FrontierOptions, requirePoints } from "../../frontier-options.js";
import type { PlacementFrontierFile, PlacementFrontierPoint } from "../plan-file/frontier.js";
import { writtenChoices } from "../plan-file/written-choices.js";
import { type FrontierBudget, solveBudgets } from "./solved-budgets.js";

/**
 * Device memory against the goal of a table-placement instance: at budgets from what no plan has less of to where more is of
 * no use, the best plan found and a proved bound, both monotone by construction.
 *
 * Throws `InputError` when the instance's cost model cannot be read, costs do not add up on a device, or no points are asked
 * for; `RangeError` for a number of points below 0 or equal to 1.
 */
export async function placementFrontier(
  instance: TablePlacementInstance,
  options: FrontierOptions = {},
): Promise<PlacementFrontierFile> {
  const started = performance.now();
  const { points = 20, gap = 1e-9, timeLimitSeconds = 60, workSeconds = timeLimitSeconds, seed = 0 } = options;
  const { shouldStop = () => false } = options;
  requirePoints(points);
  if (points === 0) {
    throw new InputError("expected 2 points or more, received 0: only row tiers have break-points", instance.file);
  }
  const model = placementModel(instance);
  const { problem } = model;
  if (problem.setCost !== undefined) {
    throw new InputError(
      "expected costs that add up on a device, received learned ones; they have no frontier",
      instance.file,
    );
  }
  const asked = askedGap(gap);
  const found = await solveBudgets(model, {
    ...{ points, gap: asked, seed, workSeconds, shouldStop },
    timeLimitSeconds: secondsLeft(options, (performance.now() - started) / 1000),
    onProgress: (progress, point, all) => options.onProgress?.({ ...progress, point, points: all }),
  });
  const optimal = found.budgets.map((budget) => describePoint(budget, asked));
  return {
    shardproof: 1,
    problem: "table-placement",
    instance: { name: instance.name, sha256: instance.sha256, file: instance.file },
    objective: {
      kind: problem.goal === "phases" ? "sum-of-phase-maxima" : "largest-device-cost",
      unit: instance.costUnit,
    },
    ...spaceOf(problem),
    request: { points, gap, timeLimitSeconds, seed },
    budget: { bytesPerGpu: mostMemory(problem) },
    leastBytesPerGpu: found.leastBytes,
    enoughBytesPerGpu: found.enoughBytes,
    isComplete: found.missing === 0 && optimal.every(({ status }) => status === "proved" || status === "infeasible"),
    optimal,
    timing: { totalSeconds: Math.round(performance.now() - started) / 1000 },
    proofs: found.solved.map(({ bytes, plan, certificate }) => ({
      bytesPerGpu: bytes,
      choices: plan && writtenChoices(plan.placement),
      certificate,
    })),
  };
}

function describePoint({ bytes, isOwn, plan, proved, gap }: FrontierBudget, asked: Rational): PlacementFrontierPoint {
  const value = plan?.value ?? null;
  const bound = proved?.bound ?? null;
  return {
    bytesPerGpu: bytes,
    value: value === null ? null : nearest(value),
    bound: bound === null ? null : boundBelow(bound, value ?? bound.add(bound)),
    gap: gap === null ? null : gapAbove(gap),
    status: proved?.isInfeasible ? "infeasible" : gap === null ? "unknown" : statusAt(gap, asked),
    usedBytesPerGpu: plan?.usedBytes ?? null,
    isOwnBudget: isOwn,
    provedAtBytesPerGpu: proved?.bytes ?? null,
    exact: { value: value?.toString() ?? null, bound: bound?.toString() ?? null },
  };
}
