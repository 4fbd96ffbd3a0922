import type { Rational } from "../../exact/rational.js";
import { evaluate, objectiveValue } from "../../program/evaluate.js";
import type { Program } from "../../program/program.js";
import { ExactIncumbent } from "../exact-incumbent.js";

/** The best feasible point known of a program, one rational per column; values are negated where the program maximises. */
export class Incumbent extends ExactIncumbent<readonly Rational[]> {
  /**
   * `complete` may set columns that follow from the others (a continuous maximum, a binary that says "used"), or refuse a
   * point (`null`). `below`, as a minimisation, is the value of a point that is known elsewhere: only better ones are
   * taken.
   */
  constructor(
    program: Program,
    complete: (point: readonly Rational[]) => readonly Rational[] | null = (point) => point,
    below: Rational | null = null,
  ) {
    super((offered, isBetter) => {
      const point = complete(offered);
      if (point === null) return null;
      const value = objectiveValue(program, point);
      const objective = program.objective.sense === "maximize" ? value.negate() : value;
      // Rows take most of the time, and most points are no better.
      return isBetter(objective) ? { ...evaluate(program, point), point, objective } : null;
    }, below);
  }
}
