import type { Rational } from "../../exact/rational.js";
import { evaluate } from "../../program/evaluate.js";
import type { Program } from "../../program/program.js";

/**
 * The best feasible point known of a program, as a minimisation: every value in it was evaluated in exact arithmetic
 * with zero tolerance.
 */
export class Incumbent {
  readonly #program: Program;
  readonly #complete: (point: readonly Rational[]) => readonly Rational[];
  #point: readonly Rational[] | null = null;
  #value: Rational | null = null;

  /**
   * `complete` may set columns that follow from the others (a continuous maximum, a binary that says "used"). `below`, as
   * a minimisation, is the value of a point that is known elsewhere: only better ones are taken.
   */
  constructor(
    program: Program,
    complete: (point: readonly Rational[]) => readonly Rational[] = (point) => point,
    below: Rational | null = null,
  ) {
    this.#program = program;
    this.#complete = complete;
    this.#value = below;
  }

  /** One rational per column of the program; `null` also while nothing better than `below` is known. */
  get point(): readonly Rational[] | null {
    return this.#point;
  }

  /** The objective as a minimisation (negated where the program maximises). */
  get value(): Rational | null {
    return this.#value;
  }

  /** What a bound must reach for the relative gap to be closed; `null` while no point is known. */
  cutoff(gap: Rational): Rational | null {
    return this.#value === null ? null : this.#value.subtract(this.#value.absolute().multiply(gap));
  }

  /** Takes a point if it is feasible and better than what is known; says whether it did. */
  offer(point: readonly Rational[]): boolean {
    const completed = this.#complete(point);
    const { objective, violations } = evaluate(this.#program, completed);
    if (violations.length > 0) return false;
    const value = this.#program.objective.sense === "maximize" ? objective.negate() : objective;
    if (this.#value !== null && value.compare(this.#value) >= 0) return false;
    this.#point = completed;
    this.#value = value;
    return true;
  }
}
