import { Rational } from "../../src/exact/rational.js";
import { type Column, integerForm, makeProgram, type Program, type Row } from "../../src/program/program.js";

/** Terms of a row over integer columns; a column occurs once. */
export type IntegerTerms = readonly (readonly [column: number, coefficient: bigint])[];

/** Σ of columns. */
export function sumOf(columns: readonly number[]): IntegerTerms {
  return columns.map((column) => [column, 1n] as const);
}

/** Columns and rows of a program under construction, all coefficients integers. */
export class ProgramDraft {
  readonly columns: Column[] = [];
  readonly rows: Row[] = [];
  readonly #checkTime: () => void;

  /** `checkTime` is called with every row, and may throw. */
  constructor(checkTime: () => void = () => {}) {
    this.#checkTime = checkTime;
  }

  /**
   * An integer column from 0 to `upper`; returns its index. An integer of any length: as a double, an upper bound of more than
   * 53 bits could come out below what it bounds, and the program would leave placements out.
   */
  addCount(name: string, upper = 1n): number {
    const most = upper === 1n ? Rational.one : Rational.of(upper);
    this.columns.push({ name, lower: Rational.zero, upper: most, integer: true });
    return this.columns.length - 1;
  }

  /** A column of any value from 0, or another least one, to `upper`; returns its index. */
  addAmount(name: string, upper: Rational, lower = Rational.zero): number {
    return this.columns.push({ name, lower, upper, integer: false }) - 1;
  }

  /** A row lower ≤ terms ≤ upper, all numbers in units of 1 / `denominator`; returns its index. */
  addRow(name: string, terms: IntegerTerms, lower: bigint | null, upper: bigint | null, denominator = 1n): number {
    this.#checkTime();
    const rising = terms.toSorted(([a], [b]) => a - b);
    const form = integerForm(
      rising.map(([column]) => column),
      rising.map(([, coefficient]) => coefficient),
      denominator,
    );
    const side = (value: bigint | null) => (value === null ? null : Rational.of(value, denominator));
    this.rows.push({ name, form, lower: side(lower), upper: side(upper) });
    return this.rows.length - 1;
  }

  /** The row "terms ≤ most". */
  addLimit(name: string, terms: IntegerTerms, most = 0n): number {
    return this.addRow(name, terms, null, most);
  }

  /** The row "terms = value". */
  addEquation(name: string, terms: IntegerTerms, value: bigint): number {
    return this.addRow(name, terms, value, value);
  }

  /** The program that minimises a column which counts units of cost: the largest device cost. */
  minimising(largest: number, unit: Rational, name: string): Program {
    const form = integerForm([largest], [unit.numerator], unit.denominator);
    return makeProgram({ name, columns: this.columns, rows: this.rows, objective: { name: "largest", form } });
  }
}
