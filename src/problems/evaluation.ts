import type { Rational } from "../exact/rational.js";

/** What a decision comes to by the instance's objective. */
export interface Evaluation {
  /** The nearest double of the objective, in the plan file's unit: comparable with a plan's value and bound. */
  readonly value: number;
  /** The same as an integer or a fraction. */
  readonly exact: string;
  /** What the decision breaks, in words, with zero tolerance; empty where it is a plan. */
  readonly violations: readonly string[];
}

export function describedEvaluation(value: Rational, violations: readonly string[]): Evaluation {
  return { value: value.toNumber(), exact: value.toString(), violations };
}
