import type { Rational } from "../../src/exact/rational.js";
import type { PlacementProblem, Stage, StageGoal } from "./problem.js";

/** What an earlier stage holds: no placement of a later one has more than `most` of its goal. */
export interface Held {
  readonly goal: StageGoal;
  readonly most: Rational;
}

const NOTHING = { amount: 0 } as const;

/** The goals of a problem in order, at least one. */
export function stagesOf({
  stages,
  goal = "largest",
  thenMinimize,
}: Pick<PlacementProblem, "stages" | "goal" | "thenMinimize">): readonly [Stage, ...Stage[]] {
  if (stages !== undefined) return stages as readonly [Stage, ...Stage[]];
  const first: Stage = { minimize: goal === "largest" ? "largest-cost" : goal, allow: NOTHING };
  return thenMinimize === undefined ? [first] : [first, { minimize: thenMinimize, allow: NOTHING }];
}

/**
 * The problem with its first goal alone; `null` where that is neither the largest cost nor the sum of phases, which bounds and
 * searches beside a plan are about.
 */
export function firstGoalOnly(problem: PlacementProblem): PlacementProblem | null {
  const { stages, thenMinimize: _then, goal: _goal, stay, ...rest } = problem;
  const [{ minimize }] = stagesOf(problem);
  if (minimize !== "largest-cost" && minimize !== "phases") return null;
  const isLimited = stay !== undefined && (stages === undefined || stay.mostMoved < problem.tables.length);
  return { ...rest, ...(isLimited ? { stay } : {}), ...(minimize === "phases" ? { goal: minimize } : {}) };
}
