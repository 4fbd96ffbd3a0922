import { evaluatePlacement, goalValue, type PlacementEvaluation } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem, StageGoal } from "../../../../models/table-placement/problem.js";
import { type Held, stagesOf } from "../../../../models/table-placement/stages.js";
import type { Rational } from "../../../exact/rational.js";
import { allowanceText, allowedValue } from "../../../instance/allowance.js";
import { ObjectiveMismatchError } from "../../../plan-file/objective-mismatch.js";
import { boundBelow, gapAbove, nearest } from "../../../plan-file/rounding.js";
import { floorOf } from "./floor.js";
import type { PlacementStage } from "./plan-file.js";
import { certified, type PlacementOutcome, proofOf } from "./proof-on.js";
import { writtenChoices } from "./written-choices.js";

/** What was found and proved of a stage: the verdict is of its own placement. */
export interface StageOutcome extends PlacementOutcome {
  readonly placement: Placement;
  /** The most of its goal that later stages may have. */
  readonly most: Rational;
}

const UNITS: Readonly<Partial<Record<StageGoal, string>>> = {
  "largest-hbm": "B",
  "largest-host": "B",
  "moved-bytes": "B",
  "moved-tables": "tables",
};

/** The unit of a goal: bytes, tables, or that of the costs. */
export function goalUnit(goal: StageGoal, costUnit: string | null): string | null {
  return UNITS[goal] ?? costUnit;
}

/**
 * The stages as the plan file has them; `evaluation` is the plan's own. The certificate of the first is the plan's, and the
 * choices of the last.
 *
 * Throws {@link ObjectiveMismatchError} where evaluation and verdict disagree, `RangeError` where a placement is not within the
 * limits or what is held.
 */
export function describeStages(
  problem: PlacementProblem,
  costUnit: string | null,
  outcomes: readonly StageOutcome[],
  evaluation: PlacementEvaluation,
): PlacementStage[] {
  const held: Held[] = [];
  return stagesOf(problem).map((stage, k) => {
    const outcome = outcomes[k];
    const value = goalValue(problem, stage.minimize, evaluation);
    const shared = {
      minimize: stage.minimize,
      allow: allowanceText(stage.allow),
      unit: goalUnit(stage.minimize, costUnit),
      value: nearest(value),
    };
    const unproved = { status: null, best: null, bound: null, gap: null, most: null, floor: null, proof: null };
    if (outcome === undefined) {
      const exact = { value: value.toString(), best: null, bound: null, most: null };
      return { ...shared, ...unproved, exact, choices: null, certificate: null };
    }
    const { verdict, placement, most, certificate } = outcome;
    const own = evaluatePlacement(problem, placement);
    const best = goalValue(problem, stage.minimize, own);
    if (verdict.value?.equals(best) !== true || verdict.bound === null || verdict.gap === null) {
      const message = `stage ${k + 1} comes to ${best}, its program to ${verdict.value}`;
      throw new ObjectiveMismatchError(message, placement, certificate);
    }
    requireWithin(problem, k, held, own);
    if (!most.equals(allowedValue(best, stage.allow)))
      throw new RangeError(`stage ${k + 1} allows ${most}, which is not its allowance`);
    const floor = floorOf(problem, stage.minimize, {
      placement,
      evaluation: own,
      value: best.toNumber(),
      held: [...held],
    });
    held.push({ goal: stage.minimize, most });
    if (value.compare(most) > 0)
      throw new RangeError(`the plan has ${value} of stage ${k + 1}, of which ${most} is allowed`);
    const isLast = k === outcomes.length - 1;
    return {
      ...shared,
      status: verdict.status,
      best: nearest(best),
      bound: boundBelow(verdict.bound, best),
      gap: gapAbove(verdict.gap),
      most: nearest(most),
      floor,
      exact: { value: value.toString(), best: best.toString(), bound: verdict.bound.toString(), most: most.toString() },
      choices: isLast ? null : writtenChoices(placement),
      proof: proofOf(outcome),
      ...certified(k === 0 ? null : outcome),
    };
  });
}

function requireWithin(
  problem: PlacementProblem,
  stage: number,
  held: readonly Held[],
  found: PlacementEvaluation,
): void {
  const [violation] = found.violations;
  if (violation !== undefined) throw new RangeError(`the placement of stage ${stage + 1} breaks a limit: ${violation}`);
  for (const { goal, most } of held) {
    const value = goalValue(problem, goal, found);
    if (value.compare(most) > 0)
      throw new RangeError(`stage ${stage + 1} has ${value} of ${goal}, of which ${most} is allowed`);
  }
}
