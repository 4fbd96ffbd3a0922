import { Rational } from "../exact/rational.js";
import type { BoundResult } from "../proof/kernel/bound.js";
import type { BlockLayout } from "../proof/kernel/decompose.js";
import type { View } from "../proof/kernel/view.js";
import { type Coefficients, Combination, type Fact, unit } from "./combination.js";
import type { Derivations } from "./derivations.js";
import type { Side } from "./problem.js";
import type { RowSums, Since } from "./row-sums.js";
import { type Bounds, reach, wholeFactor } from "./sums.js";
import { ViprUnsupportedError } from "./unsupported.js";

/** A form over integer columns between bounds, what it is at least, and the inequalities (≥) from which that follows. */
export interface BlockLemma {
  readonly form: Coefficients;
  readonly least: Rational;
  readonly rows: readonly Fact[];
  readonly bounds: Bounds;
}

/** A block of a node taken apart, and what it is at least. */
export interface ClaimedBlock {
  readonly columns: readonly number[];
  readonly rows: readonly Pick<BlockLayout["rows"][number], "index" | "sides">[];
  readonly least: Rational;
}

const SIDES = ["lower", "upper"] as const;

/**
 * What a block of rows claims: of reduced costs, from its rows. The other columns of these are at their bounds; where that
 * holds below the target only, a row is assumed (see `RowSums.within`).
 */
export function blockLemma(
  { columns, rows: kept, least }: ClaimedBlock,
  { scaledCosts, scale }: BoundResult,
  view: View,
  origin: Since,
  sums: RowSums,
  bounds: Bounds,
): BlockLemma {
  if (columns.some((j) => view.integer[j] !== true)) throw blockUnsupported();
  const costs = columns.map((j) => [view.columns[j] as number, Rational.of(scaledCosts[j] as bigint, scale)] as const);
  const own = new Set(costs.map(([column]) => column));
  const rows = kept.flatMap(({ index, sides }) =>
    SIDES.filter((side) => sides[side] !== null).flatMap((side) => sums.within(origin, view, index, side, own, bounds)),
  );
  return { form: new Map(costs.filter(([, cost]) => cost.sign() !== 0)), least, rows, bounds };
}

export function blockUnsupported(): ViprUnsupportedError {
  return new ViprUnsupportedError("a block of a step has columns that are no integers between bounds");
}

/** Rounds of ascents of all multipliers, at each node. */
const ROUNDS = 3;

/** A part of a form's size that rounding of doubles may hide. */
const ROUNDING = 2 ** -30;

/** How many bits multipliers have at first; all that doubles have where that shows too little. */
const SHORT_BITS = 12;

/**
 * States `form ≥ least` by branching on the form's columns: "form ≤ the integer below" is assumed, and shown to be absurd in each
 * leaf by multipliers of the rows; its opposite is what is left. Which multipliers is found in doubles, by ascents of the
 * Lagrangian bound in one of them at a time, and which column as well: any will do that show it exactly.
 *
 * Throws {@link ViprUnsupportedError} where a point of integers breaks it.
 */
export function blockFact(derivations: Derivations, lemma: BlockLemma): Fact {
  const factor = wholeFactor(lemma.form);
  const whole: Coefficients = new Map([...lemma.form].map(([column, value]) => [column, value.multiply(factor)]));
  const least = Rational.of(lemma.least.multiply(factor).ceil());
  const kept = derivations.assume(whole, least, "lower");
  const broken = derivations.assume(whole, least.subtract(Rational.one), "upper");
  const absurd = new BlockTree(derivations, lemma, whole, broken).absurd();
  const fact = derivations.unsplitFact(kept, kept.line, absurd, broken.line);
  return new Combination().add(fact, Rational.one.divide(factor)).asFact();
}

class BlockTree {
  readonly #derivations: Derivations;
  readonly #broken: Fact;
  readonly #columns: readonly number[];
  readonly #costs: Float64Array;
  /** The form is below this, in doubles; what it can be at most without its sign; and by column, which to branch on. */
  readonly #limit: number;
  readonly #size: number;
  readonly #weights: Float64Array;
  readonly #rows: readonly { readonly fact: Fact; readonly rhs: number; readonly uses: Float64Array }[];
  /** By column of the form, and now. */
  readonly #values: Readonly<Record<Side, Float64Array>>;
  readonly #facts: Readonly<Record<Side, Fact[]>>;
  readonly #bounds: Bounds;

  constructor(derivations: Derivations, { rows, bounds, form }: BlockLemma, whole: Coefficients, broken: Fact) {
    this.#derivations = derivations;
    this.#broken = broken;
    const inRows = rows.flatMap(({ coefficients }) => [...coefficients.keys()]);
    this.#columns = [...new Set([...form.keys(), ...inRows])];
    const dense = (of: Coefficients) => Float64Array.from(this.#columns, (column) => of.get(column)?.toNumber() ?? 0);
    this.#costs = dense(whole);
    this.#limit = -broken.rhs.toNumber();
    this.#rows = rows.map((fact) => ({ fact, rhs: fact.rhs.toNumber(), uses: dense(fact.coefficients) }));
    const now = (side: Side) =>
      Float64Array.from(this.#columns, (column) => {
        const value = bounds.value(column, side);
        if (value === null) throw blockUnsupported();
        return value.toNumber();
      });
    const [lower, upper] = [now("lower"), now("upper")];
    this.#values = { lower, upper };
    const most = lower.map((value, k) => Math.max(Math.abs(value), Math.abs(upper[k] as number)));
    this.#size = this.#costs.reduce(
      (sum, cost, k) => sum + Math.abs(cost) * (most[k] as number),
      1 + Math.abs(this.#limit),
    );
    const shares = this.#rows.map(({ uses, rhs }) => uses.map((use) => Math.abs(use / (rhs || 1))));
    this.#weights = this.#costs.map((cost, k) =>
      shares.reduce((sum, own) => sum + (own[k] as number), Math.abs(cost) / (Math.abs(this.#limit) + 1)),
    );
    this.#facts = { lower: [], upper: [] };
    const at = new Map(this.#columns.map((column, k) => [column, k]));
    this.#bounds = {
      value: () => null,
      fact: (column, side) => {
        const k = at.get(column) as number;
        this.#facts[side][k] ??= bounds.fact(column, side);
        return this.#facts[side][k];
      },
    };
  }

  /** `0 ≥ 1`, from the form's being below its least. */
  absurd(): Fact {
    return this.#node(new Float64Array(this.#rows.length));
  }

  #node(start: Float64Array): Fact {
    const multipliers = start.slice();
    const { value, critical } = this.#ascend(multipliers);
    const isShown = value > this.#limit - ROUNDING * (Math.abs(this.#limit) + Math.abs(value));
    const leaf = isShown ? (this.#leaf(multipliers, SHORT_BITS) ?? this.#leaf(multipliers, 53)) : null;
    if (leaf !== null) return leaf;
    const { lower, upper } = this.#values;
    const open = critical.length > 0 ? critical : [...this.#columns.keys()].filter((k) => this.#width(k) > 0);
    const [first] = open;
    if (first === undefined) return this.#brokenRow();
    const weight = (k: number) => this.#width(k) * (this.#weights[k] as number);
    const k = open.reduce((best, other) => (weight(other) > weight(best) ? other : best), first);
    const at = Math.floor(((lower[k] as number) + (upper[k] as number)) / 2);
    const one = unit(this.#columns[k] as number, Rational.one);
    const most = this.#derivations.assume(one, Rational.fromNumber(at), "upper");
    const few = this.#half(k, "upper", at, most, multipliers);
    if (!this.#derivations.restsOn(few.line, most.line)) return few;
    const leastOther = this.#derivations.assume(one, Rational.fromNumber(at + 1), "lower");
    const many = this.#half(k, "lower", at + 1, leastOther, multipliers);
    return this.#derivations.unsplitFact(few, most.line, many, leastOther.line);
  }

  /** `0 ≥ 1` where all columns are decided: from a row that is broken by less than doubles tell. */
  #brokenRow(): Fact {
    for (let r = 0; r < this.#rows.length; r++) {
      const leaf = this.#leaf(new Float64Array(this.#rows.length).fill(2 * this.#size, r, r + 1), SHORT_BITS);
      if (leaf !== null) return leaf;
    }
    throw new ViprUnsupportedError("a block's minimum rests on more than its rows");
  }

  #width(k: number): number {
    return (this.#values.upper[k] as number) - (this.#values.lower[k] as number);
  }

  #half(k: number, side: Side, value: number, assumed: Fact, multipliers: Float64Array): Fact {
    const [values, facts] = [this.#values[side], this.#facts[side]];
    const before = [values[k] as number, this.#bounds.fact(this.#columns[k] as number, side)] as const;
    [values[k], facts[k]] = [value, assumed];
    const absurd = this.#node(multipliers);
    [values[k], facts[k]] = before;
    return absurd;
  }

  /** `0 ≥ 1` from the rows' multipliers, where they show it. */
  #leaf(multipliers: Float64Array, bits: number): Fact | null {
    const sum = new Combination().add(this.#broken, Rational.one);
    this.#rows.forEach(({ fact }, r) => {
      sum.add(fact, rounded(multipliers[r] as number, bits));
    });
    reach(sum, new Map(), this.#bounds);
    return sum.rhs.sign() > 0 ? this.#derivations.derive("lin", sum, Rational.one, "lower") : null;
  }

  /** Raises the Lagrangian bound, one multiplier at a time; says what it is, and at which columns it breaks off. */
  #ascend(multipliers: Float64Array): { readonly value: number; readonly critical: readonly number[] } {
    const { lower, upper } = this.#values;
    const reduced = this.#costs.map((cost, k) =>
      this.#rows.reduce((rest, { uses }, r) => rest - (multipliers[r] as number) * (uses[k] as number), cost),
    );
    const critical = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      critical.clear();
      this.#rows.forEach(({ uses, rhs }, r) => {
        const old = multipliers[r] as number;
        let slope = rhs;
        const breaks: (readonly [at: number, k: number])[] = [];
        for (let k = 0; k < reduced.length; k++) {
          const use = uses[k] as number;
          if (use === 0) continue;
          const cost = (reduced[k] as number) + old * use;
          slope -= use * ((cost > 0 || (cost === 0 && use > 0) ? lower[k] : upper[k]) as number);
          if (cost / use > 0 && this.#width(k) > 0) breaks.push([cost / use, k]);
        }
        breaks.sort(([a], [b]) => a - b);
        let next = 0;
        for (const [at, k] of slope > 0 ? breaks : []) {
          next = at;
          slope -= Math.abs(uses[k] as number) * this.#width(k);
          if (slope <= 0) {
            critical.add(k);
            break;
          }
        }
        // Without an end: the row cannot be kept.
        if (slope > 0) next += (2 * this.#size) / slope;
        multipliers[r] = next;
        for (let k = 0; k < reduced.length; k++)
          reduced[k] = (reduced[k] as number) + (old - next) * (uses[k] as number);
      });
    }
    let value = this.#rows.reduce((sum, { rhs }, r) => sum + rhs * (multipliers[r] as number), 0);
    for (let k = 0; k < reduced.length; k++) {
      const cost = reduced[k] as number;
      value += cost * ((cost > 0 ? lower[k] : upper[k]) as number);
    }
    return { value, critical: [...critical] };
  }
}

/** A number of so many bits near a double; none where doubles do not reach. */
function rounded(value: number, bits: number): Rational {
  if (value === 0 || !Number.isFinite(value)) return Rational.zero;
  const unit = 2 ** (Math.floor(Math.log2(value)) + 1 - bits);
  return Rational.fromNumber(Math.round(value / unit) * unit);
}
