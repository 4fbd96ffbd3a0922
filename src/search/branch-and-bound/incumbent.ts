import type { Rational } from "../../exact/rational.js";
import { evaluate, objectiveValue } from "../../program/evaluate.js";
import type { Program } from "../../program/program.js";
import { ExactIncumbent } from "../exact-incumbent.js";

/** The best feasible point known of a program, one rational per column; values are negated where the program maximises. */
export class Incumbent extends ExactIncumbent<readonly Rational[]> {
  readonly #program: Program;
  readonly #complete: (point: readonly Rational[]) => readonly Rational[] | null;

  /**
   * `complete` may set columns that follow from the others (a continuous maximum, a binary that says "used"), or refuse a point
   * (`null`). `below`, as
   * a minimisation, is the value of a point that is known elsewhere: only better ones are taken.
   */
  constructor(
    program: Program,
    complete: (point: readonly Rational[]) => readonly Rational[] | null = (point) => point,
    below: Rational | null = null,
  ) {
    super(below);
    this.#program = program;
    this.#complete = complete;
  }

  /** Takes a point if it is feasible and better than what is known; says whether it did. */
  offer(point: readonly Rational[]): boolean {
    const completed = this.#complete(point);
    if (completed === null) return false;
    const value = objectiveValue(this.#program, completed);
    const objective = this.#program.objective.sense === "maximize" ? value.negate() : value;
    // Rows take most of the time, and most points are no better.
    return this.isBetter(objective) && this.take(completed, { ...evaluate(this.#program, completed), objective });
  }
}
