import { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import type { Multipliers } from "../../proof/bound.js";
import type { NamedMultipliers } from "../../proof/certificate.js";
import { type Box, substituteFixed, type View, viewOf } from "../../proof/view.js";

/**
 * A part of a program to be searched: a view and its box, the program's names, and the values of the columns that the
 * view has substituted.
 */
export class SearchSpace {
  readonly program: Program;
  readonly view: View;
  readonly box: Box;
  readonly #substituted: readonly Rational[];

  private constructor(program: Program, view: View, box: Box, substituted: readonly Rational[]) {
    this.program = program;
    this.view = view;
    this.box = box;
    this.#substituted = substituted;
  }

  static of(program: Program): SearchSpace {
    const { view, box } = viewOf(program);
    return new SearchSpace(program, view, box, new Array(program.columns.length).fill(Rational.zero));
  }

  /** The same view with another box. */
  within(box: Box): SearchSpace {
    return new SearchSpace(this.program, this.view, box, this.#substituted);
  }

  /** The space that is left once the columns whose bounds meet are substituted. */
  reduced(): SearchSpace {
    const values = this.#substituted.slice();
    this.view.columns.forEach((column, j) => {
      const lower = this.box.lower[j];
      if (lower !== null && lower !== undefined) values[column] = lower;
    });
    const { view, box } = substituteFixed(this.view, this.box);
    return new SearchSpace(this.program, view, box, values);
  }

  /** The program's point that a point of the view stands for; integer columns are rounded to the nearest integer. */
  expand(point: Float64Array): readonly Rational[] {
    const whole = this.#substituted.slice();
    this.view.columns.forEach((column, j) => {
      const value = point[j] as number;
      whole[column] = Rational.fromNumber(this.view.integer[j] === true ? Math.round(value) : value);
    });
    return whole;
  }

  columnName(j: number): string {
    return this.program.columns[this.view.columns[j] as number]?.name as string;
  }

  /** Multipliers by row name, zeros left out: as a certificate writes them. */
  named(multipliers: Multipliers): NamedMultipliers {
    const named: Record<string, string> = {};
    for (const [row, value] of multipliers) {
      if (value.sign() !== 0) named[this.program.rows[row]?.name as string] = value.toString();
    }
    return named;
  }
}
