import { Rational } from "../../exact/rational.js";
import {
  coefficientAt,
  freeName,
  type LinearForm,
  linearForm,
  makeProgram,
  type Program,
  type Row,
} from "../../program/program.js";
import type { NamedMultipliers, Step } from "../../proof/certificate.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { ExchangeOrder } from "../../proof/kernel/exchange.js";
import type { HalfProof, Split } from "../../proof/kernel/split.js";
import { type Box, substituteFixed, type View, viewOf } from "../../proof/kernel/view.js";

/** A cut form ≥ least over a view's columns, and what proves it. A lemma is there for later cuts alone. */
export type ProvedCut = { readonly form: LinearForm; readonly least: Rational; readonly isLemma?: boolean } & (
  | /** See `leastInHalves`. */ { readonly split: Split; readonly below: HalfProof; readonly above: HalfProof }
  | /** See `greatestBeyond`. */ { readonly knapsack: Multipliers }
);

/** A cut as a row over the program's columns, and its index behind those of the program's rows. */
export interface NamedCut {
  readonly index: number;
  readonly row: Row;
}

/**
 * A part of a program to be searched: a view and its box, the program's names, and the values of the columns that the
 * view has substituted.
 */
export class SearchSpace {
  readonly program: Program;
  readonly view: View;
  readonly box: Box;
  /** The cuts that hold here. */
  readonly cuts: readonly NamedCut[];
  /** Which groups of the program may exchange units; `null`: no use is made of it. */
  readonly order: ExchangeOrder | null;
  /** All cuts of the search, by position. */
  readonly #register: NamedCut[];
  /** By the program's column: its value, where it is substituted. */
  readonly #settled: readonly (Rational | undefined)[];

  private constructor(
    from: Pick<SearchSpace, "program" | "view" | "box" | "cuts" | "order">,
    register: NamedCut[],
    settled: readonly (Rational | undefined)[],
  ) {
    this.program = from.program;
    this.view = from.view;
    this.box = from.box;
    this.cuts = from.cuts;
    this.order = from.order;
    this.#register = register;
    this.#settled = settled;
  }

  static of(program: Program): SearchSpace {
    const { view, box } = viewOf(program);
    const settled = new Array(program.columns.length).fill(undefined);
    return new SearchSpace({ program, view, box, cuts: [], order: null }, [], settled);
  }

  /** The same view with another box. */
  within(box: Box): SearchSpace {
    return this.#with({ box });
  }

  /** The space that is left once the columns whose bounds meet are substituted. */
  reduced(): SearchSpace {
    const { view, box } = substituteFixed(this.view, this.box);
    const settled = this.#settled.slice();
    let open = 0;
    this.view.columns.forEach((column, j) => {
      if (view.columns[open] === column) open++;
      else settled[column] = this.box.lower[j] as Rational;
    });
    return this.#with({ view, box }, settled);
  }

  /** The index of the first cut that {@link withCuts} adds, and of the others behind it. */
  get nextCut(): number {
    return this.program.rows.length + this.#register.length;
  }

  /** The space with more cuts, which hold here and below, and the steps that state them. */
  withCuts(cuts: readonly ProvedCut[]): { readonly space: SearchSpace; readonly steps: readonly Step[] } {
    const steps: Step[] = [];
    const known = new Map(this.view.cuts);
    const named = cuts.flatMap((proved): NamedCut[] => {
      const { form, least } = proved;
      const index = this.nextCut;
      const name = freeName(`cut${this.#register.length + 1}`, new Set(this.program.rows.map((row) => row.name)));
      steps.push(this.#stating(name, proved));
      const over = linearForm(
        form.columns.map((j, k) => [this.view.columns[j] as number, coefficientAt(form, k)] as const),
      );
      const cut = { index, row: { name, form: over, lower: least, upper: null } };
      this.#register.push(cut);
      if (proved.isLemma === true) return [];
      known.set(index, { form, lower: least, upper: null });
      return [cut];
    });
    const space = this.#with({ view: { ...this.view, cuts: known }, cuts: [...this.cuts, ...named] });
    return { space, steps };
  }

  #stating(name: string, cut: ProvedCut): Step {
    const [form, least] = [this.#namedForm(cut.form), cut.least.toString()];
    if ("knapsack" in cut) return { knapsack: name, form, least, rows: this.named(cut.knapsack) };
    const { split, below, above } = cut;
    const half = ({ side, rows }: HalfProof) => ({ side: side.toString(), rows: this.named(rows) });
    return {
      cut: name,
      form,
      least,
      split: this.#namedForm(split.form),
      at: split.at.toString(),
      below: half(below),
      above: half(above),
    };
  }

  /** The space with fewer cuts. */
  keepingCuts(keeps: (index: number) => boolean): SearchSpace {
    const cuts = new Map([...this.view.cuts].filter(([index]) => keeps(index)));
    return this.#with({ view: { ...this.view, cuts }, cuts: this.cuts.filter(({ index }) => keeps(index)) });
  }

  #with(change: Partial<Pick<SearchSpace, "view" | "box" | "cuts" | "order">>, settled = this.#settled): SearchSpace {
    const { program, view, box, cuts, order } = this;
    return new SearchSpace({ program, view, box, cuts, order, ...change }, this.#register, settled);
  }

  /** What is open here as a program of its own, whose columns are the view's. Cuts are left out. */
  openProgram(): Program {
    const { view, box, program } = this;
    return makeProgram({
      name: program.name,
      columns: view.columns.map((_, j) => ({
        name: this.columnName(j),
        lower: box.lower[j] ?? null,
        upper: box.upper[j] ?? null,
        integer: program.columns[view.columns[j] as number]?.integer === true,
      })),
      rows: [...view.rows].map(([index, { form, lower, upper }]) => ({
        name: this.#rowName(index),
        ...{ form, lower, upper },
      })),
      objective: { name: program.objective.name, form: view.objective, constant: view.constant },
    });
  }

  /** The bounds of all the program's columns here, whether open or substituted. */
  programBounds(): { lower: (Rational | null)[]; upper: (Rational | null)[] } {
    const lower = this.#settled.map((value) => value ?? null);
    const upper = lower.slice();
    this.view.columns.forEach((column, j) => {
      lower[column] = this.box.lower[j] ?? null;
      upper[column] = this.box.upper[j] ?? null;
    });
    return { lower, upper };
  }

  /** The space with the program's exchanges. */
  ordered(order: ExchangeOrder | null): SearchSpace {
    return this.#with({ order });
  }

  /** The value of one of the program's columns that is substituted here. */
  readonly settledAt = (column: number): Rational => this.#settled[column] as Rational;

  /** The program's point that a point of the view stands for; integer columns are rounded, unless `exact` has it. */
  expand(point: Float64Array, exact?: readonly Rational[]): readonly Rational[] {
    const whole = this.#settled.map((value) => value ?? Rational.zero);
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
        .map(([row, value]) => [this.#rowName(row), value.toString()]),
    );
  }

  #rowName(index: number): string {
    const { rows } = this.program;
    return (rows[index] ?? this.#register[index - rows.length]?.row)?.name as string;
  }

  #namedForm(form: LinearForm): NamedMultipliers {
    return Object.fromEntries(form.columns.map((j, k) => [this.columnName(j), coefficientAt(form, k).toString()]));
  }
}
