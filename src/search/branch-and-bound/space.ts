import { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import type { NamedMultipliers } from "../../proof/certificate.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import { type ExchangeOrder, reduceOrder } from "../../proof/kernel/exchange.js";
import { type Box, localIndex, substituteFixed, type View, viewOf } from "../../proof/kernel/view.js";

/**
 * A part of a program to be searched: a view and its box, the program's names, and the values of the columns that the
 * view has substituted.
 */
export class SearchSpace {
  readonly program: Program;
  readonly view: View;
  readonly box: Box;
  /** The space that this one was reduced from: it knows the columns that are substituted here. */
  readonly #outer: SearchSpace | null;

  private constructor(program: Program, view: View, box: Box, outer: SearchSpace | null) {
    this.program = program;
    this.view = view;
    this.box = box;
    this.#outer = outer;
  }

  static of(program: Program): SearchSpace {
    const { view, box } = viewOf(program);
    return new SearchSpace(program, view, box, null);
  }

  /** The same view with another box. */
  within(box: Box): SearchSpace {
    return new SearchSpace(this.program, this.view, box, this.#outer);
  }

  /** The space that is left once the columns whose bounds meet are substituted. */
  reduced(): SearchSpace {
    const { view, box } = substituteFixed(this.view, this.box);
    return new SearchSpace(this.program, view, box, this);
  }

  /** The bounds of all the program's columns here, whether open or substituted. */
  programBounds(): { lower: (Rational | null)[]; upper: (Rational | null)[] } {
    const chain: SearchSpace[] = [];
    for (let space: SearchSpace | null = this; space !== null; space = space.#outer) chain.push(space);
    const lower: (Rational | null)[] = new Array(this.program.columns.length).fill(null);
    const upper: (Rational | null)[] = lower.slice();
    for (const { view, box } of chain.reverse()) {
      view.columns.forEach((column, j) => {
        lower[column] = box.lower[j] ?? null;
        upper[column] = box.upper[j] ?? null;
      });
    }
    return { lower, upper };
  }

  /** The space with its groups' exchanges known to its view: those of the program, for the columns open here. */
  ordered(order: ExchangeOrder): SearchSpace {
    const { lower } = this.programBounds();
    const local = localIndex(this.view, this.program.columns.length);
    const reduced = reduceOrder(order, local, (column) => (lower[column] as Rational).sign() > 0);
    return new SearchSpace(this.program, { ...this.view, order: reduced }, this.box, this.#outer);
  }

  /** The program's point that a point of the view stands for; integer columns are rounded, unless `exact` has it. */
  expand(point: Float64Array, exact?: readonly Rational[]): readonly Rational[] {
    const whole: Rational[] = new Array(this.program.columns.length).fill(Rational.zero);
    for (let space = this.#outer; space !== null; space = space.#outer) {
      // What an inner space still has open is overwritten below; what it has not, is fixed here.
      space.view.columns.forEach((column, j) => {
        const lower = space?.box.lower[j] ?? null;
        const upper = space?.box.upper[j] ?? null;
        if (lower !== null && upper !== null && lower.equals(upper)) whole[column] = lower;
      });
    }
    this.view.columns.forEach((column, j) => {
      const value = point[j] as number;
      whole[column] = exact?.[j] ?? Rational.fromNumber(this.view.integer[j] === true ? Math.round(value) : value);
    });
    return whole;
  }

  columnName(j: number): string {
    return this.program.columns[this.view.columns[j] as number]?.name as string;
  }

  /** Multipliers by row name, zeros left out: as a certificate writes them. */
  named(multipliers: Multipliers): NamedMultipliers {
    // Not by assignment: a row may be called `__proto__`.
    return Object.fromEntries(
      [...multipliers]
        .filter(([, value]) => value.sign() !== 0)
        .map(([row, value]) => [this.program.rows[row]?.name as string, value.toString()]),
    );
  }
}
