import { atStage, type Held, type RowTiersModel } from "../../../../models/row-tiers/build.js";
import { allowedValue } from "../../../instance/allowance.js";
import type { Assignment } from "../../../instance/types/assignment.js";
import type { RowTiersGoal } from "../../../instance/types/row-tiers.js";
import type { StageParts } from "../plan-file/parts.js";
import { type RowTiersOptions, type RowTiersSolution, solveRowTiers } from "./solve.js";

/** What goals in order come to. */
export interface StagedSolution {
  readonly first: RowTiersSolution;
  /** The model of the first goal. */
  readonly model: RowTiersModel;
  /** Every goal's; none where no plan keeps to the limits. */
  readonly stages: readonly StageParts[];
  /** The plan of the last goal. */
  readonly assignment: Assignment | null;
  readonly proveSeconds: number;
}

/**
 * Goals one after the other: each is minimised and proved among the plans that keep the earlier ones within what they came
 * to and their allowance; the plan of a stage is one that the next begins with. `shares` gives each its time; a limit of work is
 * shared out evenly among the goals that are left.
 */
export async function solveStages(
  model: RowTiersModel,
  goals: readonly RowTiersGoal[],
  { starts = [], ...options }: Omit<RowTiersOptions, "timeLimitSeconds">,
  shares: { next(): number },
): Promise<StagedSolution> {
  const held: Held[] = [];
  const stages: StageParts[] = [];
  let known: readonly Assignment[] = starts;
  let proveSeconds = 0;
  let units = options.mostUnits ?? Number.POSITIVE_INFINITY;
  let left = goals.length;
  const next = async (goal: RowTiersGoal) => {
    const stage = atStage(model, { minimize: goal.minimize, held: held.slice() });
    const limits = { mostUnits: units / left, timeLimitSeconds: shares.next() };
    const solution = await solveRowTiers(stage, { ...options, ...limits, starts: known });
    proveSeconds += solution.proveSeconds;
    units = Math.max(0, units - solution.units);
    left -= 1;
    const { verdict, certificate, assignment, point } = solution;
    if (assignment !== null && verdict.value !== null) {
      stages.push({ goal, outcome: { verdict, certificate, ladder: stage.ladder, point }, assignment });
      held.push({ goal: goal.minimize, limit: allowedValue(verdict.value, goal.allow) });
      known = [assignment, ...starts];
    }
    return { model: stage, solution };
  };
  const { model: firstModel, solution: first } = await next(goals[0] as RowTiersGoal);
  if (first.assignment !== null) for (const goal of goals.slice(1)) await next(goal);
  return { first, model: firstModel, stages, assignment: stages.at(-1)?.assignment ?? null, proveSeconds };
}
