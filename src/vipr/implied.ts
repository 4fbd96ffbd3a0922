import { Rational } from "../exact/rational.js";
import {
  accumulate,
  type Case,
  type Coefficients,
  type Combination,
  Disjunction,
  type Fact,
  type Row,
  unit,
} from "./combination.js";
import type { Derivations } from "./derivations.js";
import { negated, type Problem, type Side } from "./problem.js";
import { ViprUnsupportedError } from "./unsupported.js";

/** Continuous columns that a certificate takes for integers, in proofs that must not. */
export class ImpliedIntegers {
  readonly #columns: ReadonlySet<number>;
  readonly #objective: Coefficients;
  readonly #derivations: Derivations;
  readonly #names: (column: number) => string;
  readonly #rows = new Map<number, Row[]>();

  constructor(
    columns: ReadonlySet<number>,
    objective: Coefficients,
    facts: Pick<Problem, "bounds" | "rows">,
    derivations: Derivations,
    names: (column: number) => string,
  ) {
    this.#columns = columns;
    this.#objective = objective;
    this.#derivations = derivations;
    this.#names = names;
    const seen = new Set<number>();
    for (const fact of [facts.rows.lower, facts.rows.upper, facts.bounds.lower, facts.bounds.upper].flat()) {
      if (fact === null || seen.has(fact.line)) continue;
      const column = [...fact.coefficients.keys()].find((j) => columns.has(j));
      if (column === undefined) continue;
      seen.add(fact.line);
      const row = fact.negated
        ? { line: fact.line, coefficients: negated(fact.coefficients), rhs: fact.rhs.negate() }
        : { line: fact.line, coefficients: fact.coefficients, rhs: fact.rhs };
      this.#rows.set(column, [...(this.#rows.get(column) ?? []), row]);
    }
  }

  get isEmpty(): boolean {
    return this.#columns.size === 0;
  }

  has(column: number): boolean {
    return this.#columns.has(column);
  }

  isIn(form: Coefficients): boolean {
    return this.#columns.size > 0 && [...form.keys()].some((column) => this.#columns.has(column));
  }

  /** On which side of a column sums need a bound only beside rows that hold it on the other: where no cost pulls it. */
  canAssume(column: number, side: Side): boolean {
    const cost = this.#objective.get(column)?.sign() ?? 0;
    return side === "upper" ? cost >= 0 : cost <= 0;
  }

  /** `column ≥ value` (side `lower`) or `≤ value` (side `upper`), against its opposite. */
  bound(column: number, value: Rational, side: Side): Disjunction {
    return side === "lower"
      ? new Disjunction(unit(column, Rational.one), value)
      : new Disjunction(unit(column, Rational.one.negate()), value.negate());
  }

  /** The sum with the assumptions of cases in the place of disjunctions. */
  settled(sum: Combination): Combination {
    if (sum.sources.length === 0) return sum;
    const result = sum.copy();
    result.sources.length = 0;
    for (const [disjunction, factor] of sum.sources) this.#settle(result, disjunction, factor);
    return result;
  }

  /** From a goal that rests on a disjunction's half, one that does not: `close` has it from the other half. */
  discharge(disjunction: Disjunction, goal: number, close: (opposite: Fact) => number): number {
    let line = goal;
    for (const found of this.casesOf(disjunction, goal)) {
      const opposite = this.opposite(disjunction, found);
      line = this.#derivations.unsplit(line, found.assumption.line, close(opposite), opposite.line);
    }
    return line;
  }

  /** The cases that a line rests on. */
  casesOf(disjunction: Disjunction, line: number): readonly Case[] {
    return [...disjunction.cases.values()].filter(({ assumption }) => this.#derivations.restsOn(line, assumption.line));
  }

  /** The other half of a disjunction, from the assumption that a case fails: that assumption is its line. */
  opposite({ fact }: Disjunction, { coefficients, rhs, rows }: Case): Fact {
    const { line } = this.#derivations.assume(coefficients, rhs.subtract(Rational.one), "upper");
    return {
      coefficients: negated(fact.coefficients),
      weight: Rational.zero,
      rhs: Rational.one.subtract(fact.rhs),
      line,
      negated: false,
      source: {
        multipliers: new Map([[line, Rational.one.negate()], ...rows.map(([row, y]) => [row.line, y] as const)]),
        sources: [],
      },
    };
  }

  /** A column's bound (`±column ≥ rhs`) as a row and a fact of what else is in the row: both are added where it is used. */
  beside(column: number, rhs: Rational, side: Side, rest: Fact, row: Combination): Fact {
    const sum = row.copy().add(rest, Rational.one);
    return {
      ...sum.asFact(),
      coefficients: unit(column, side === "lower" ? Rational.one : Rational.one.negate()),
      rhs,
    };
  }

  #settle(sum: Combination, disjunction: Disjunction, factor: Rational): void {
    interface Piece {
      readonly coefficients: Coefficients;
      readonly rhs: Rational;
      readonly rows: readonly (readonly [Row, Rational])[];
      readonly factor: Rational;
    }
    const { coefficients, rhs } = disjunction.fact;
    let pieces: Piece[] = [{ coefficients, rhs, rows: [], factor }];
    for (const column of coefficients.keys()) {
      if (!this.has(column)) continue;
      pieces = pieces.flatMap((piece) => {
        const coefficient = piece.coefficients.get(column) as Rational;
        const parts: Piece[] = [];
        let left = piece.factor;
        const take = (row: Row, least: Rational | null): void => {
          const own = row.coefficients.get(column) as Rational;
          const present = sum.multipliers.get(row.line);
          const multiplier = coefficient.divide(own).negate();
          if (left.sign() === 0 || present === undefined || present.sign() !== multiplier.sign()) return;
          const most = present.divide(multiplier);
          if (least !== null && most.compare(least) < 0) return;
          const taken = most.compare(left) < 0 ? most : left;
          left = left.subtract(taken);
          accumulate(sum.multipliers, row.line, multiplier.multiply(taken).negate());
          const rest = new Map(piece.coefficients);
          for (const [j, value] of row.coefficients) accumulate(rest, j, value.multiply(multiplier));
          const total = piece.rhs.add(row.rhs.multiply(multiplier));
          parts.push({ coefficients: rest, rhs: total, rows: [...piece.rows, [row, multiplier]], factor: taken });
        };
        const rows = this.#rows.get(column) ?? [];
        // One row that is enough by itself makes one case of it.
        for (const row of rows) take(row, piece.factor);
        for (const row of rows) take(row, null);
        if (left.sign() > 0) throw this.unsupported(column);
        return parts;
      });
    }
    for (const piece of pieces) {
      const key = piece.rows.map(([{ line }, y]) => `${line} ${y}`).join(" ");
      let found = disjunction.cases.get(key);
      if (found === undefined) {
        found = { ...piece, assumption: this.#derivations.assume(piece.coefficients, piece.rhs, "lower") };
        disjunction.cases.set(key, found);
      }
      sum.add({ ...found.assumption, coefficients: new Map(), rhs: Rational.zero }, piece.factor);
    }
  }

  unsupported(column: number): ViprUnsupportedError {
    return new ViprUnsupportedError(
      `the proof takes "${this.#names(column)}" for an integer, which it is at some optimum but need not be; declared an integer in the model, it would be one of the file`,
    );
  }
}
