import { Rational } from "../exact/rational.js";

/** Coefficients by program column; columns left out have coefficient zero. */
export type Coefficients = ReadonlyMap<number, Rational>;

/**
 * An inequality that a line of the file states or implies, the objective as a minimisation:
 *
 *   Σ_j coefficients[j]·x_j + weight·objective ≥ rhs + weight·target,   weight ≥ 0.
 *
 * With a positive weight it says something of x only for points with an objective below the target: "x is at least
 * this, or the objective reaches the target".
 */
export interface Fact {
  readonly coefficients: Coefficients;
  readonly weight: Rational;
  readonly rhs: Rational;
  /** The line that states it, or that `source` assumes; −1 for none. */
  readonly line: number;
  /** The line states it with both sides negated, as ≤: multipliers of the line have the opposite sign. */
  readonly negated: boolean;
  /** What states it where no line does. */
  readonly source?: Source;
}

/** Lines with their multipliers, signed as the file wants them for an inequality ≥; and what becomes lines in a whole sum. */
export interface Source {
  readonly multipliers: ReadonlyMap<number, Rational>;
  readonly sources: readonly (readonly [Disjunction, Rational])[];
}

/** A line of the problem with an implied integer in it, over the walked columns and as the file states it. */
export interface Row {
  readonly line: number;
  readonly coefficients: Coefficients;
  readonly rhs: Rational;
}

/** An integer form without implied integers: what a {@link Disjunction} says where each of them meets one of its rows. */
export interface Case {
  readonly coefficients: Coefficients;
  readonly rhs: Rational;
  /** The rows that were added, with their multipliers. */
  readonly rows: readonly (readonly [Row, Rational])[];
  readonly assumption: Fact;
}

/**
 * "form ≥ rhs" or "form ≤ rhs − 1" for an integer form with implied integers z in it (see ../proof/kernel/implied-integers.ts). VIPR
 * knows z as continuous, so that neither can be assumed. But z ≥ f(x) for each row that holds it from below, with f an
 * integer form of integers. A sum that uses z ≤ k has such rows in it, because z is gone from the sum; with f(x) ≤ k in
 * their place it says the same. So the one half is assumed of the forms of those rows, as the sums that use it need
 * them; if it fails for any of them, f(x) ≥ k + 1 and its row give z ≥ k + 1, which is the other half.
 */
export class Disjunction {
  readonly fact: Fact;
  readonly cases = new Map<string, Case>();

  constructor(coefficients: Coefficients, rhs: Rational) {
    const source = { multipliers: new Map(), sources: [[this, Rational.one] as const] };
    this.fact = { coefficients, weight: Rational.zero, rhs, line: -1, negated: false, source };
  }
}

/** A sum of facts, each times a multiplier that is not negative: again an inequality of the same shape. */
export class Combination implements Source {
  readonly multipliers = new Map<number, Rational>();
  readonly sources: (readonly [Disjunction, Rational])[] = [];
  readonly coefficients = new Map<number, Rational>();
  weight = Rational.zero;
  rhs = Rational.zero;

  /** Adds a fact `factor` times. Throws `RangeError` for a negative factor: it would turn the inequality round. */
  add(fact: Fact, factor: Rational): this {
    if (factor.sign() < 0) throw new RangeError("an inequality cannot be added a negative number of times");
    if (factor.sign() === 0) return this;
    for (const [column, coefficient] of fact.coefficients) {
      accumulate(this.coefficients, column, factor === Rational.one ? coefficient : coefficient.multiply(factor));
    }
    return this.#addBeside(fact, factor);
  }

  /** Adds a bound of a column, as often as the column's coefficient becomes `wanted` by it. */
  addBound(fact: Fact, factor: Rational, column: number, wanted: Rational | undefined): this {
    if (wanted === undefined) this.coefficients.delete(column);
    else this.coefficients.set(column, wanted);
    return this.#addBeside(fact, factor);
  }

  #addBeside(fact: Fact, factor: Rational): this {
    const { source } = fact;
    if (source === undefined) accumulate(this.multipliers, fact.line, fact.negated ? factor.negate() : factor);
    for (const [line, y] of source?.multipliers ?? []) accumulate(this.multipliers, line, y.multiply(factor));
    for (const [disjunction, y] of source?.sources ?? []) this.sources.push([disjunction, y.multiply(factor)]);
    this.weight = this.weight.add(fact.weight.multiply(factor));
    this.rhs = this.rhs.add(fact.rhs.multiply(factor));
    return this;
  }

  copy(): Combination {
    return this.scaled(Rational.one);
  }

  /** What the sum says, without a line of its own; the sum must not be added to any more. */
  asFact(): Fact {
    const { coefficients, weight, rhs } = this;
    return { coefficients, weight, rhs, line: -1, negated: false, source: this };
  }

  /** The combination times a positive number. */
  scaled(factor: Rational): Combination {
    const times = (value: Rational) => (factor === Rational.one ? value : value.multiply(factor));
    const result = new Combination();
    for (const [line, y] of this.multipliers) result.multipliers.set(line, times(y));
    for (const [source, y] of this.sources) result.sources.push([source, times(y)]);
    for (const [column, coefficient] of this.coefficients) result.coefficients.set(column, times(coefficient));
    result.weight = times(this.weight);
    result.rhs = times(this.rhs);
    return result;
  }
}

/** Adds to one entry of a sparse vector; entries that become zero are left out. */
export function accumulate(vector: Map<number, Rational>, index: number, amount: Rational): void {
  const sum = vector.get(index)?.add(amount) ?? amount;
  if (sum.sign() === 0) vector.delete(index);
  else vector.set(index, sum);
}

/** A single column's coefficient vector. */
export function unit(column: number, coefficient: Rational): Coefficients {
  return new Map([[column, coefficient]]);
}
