import { floorDivide, greatestCommonDivisor, leastCommonMultiple, Rational } from "../../exact/rational.js";
import { integerForm, type LinearForm, linearForm } from "../../program/program.js";
import { type HalfProof, leastInHalves, type Split } from "../../proof/kernel/split.js";
import type { Box, View, ViewRow } from "../../proof/kernel/view.js";
import type { DoubleProgram } from "./linear-program.js";
import type { Proposal, ProposedHalf } from "./mixed-integer-rounding.js";

/** A cut form ≥ least of a view, and what proves it. */
export interface DerivedCut {
  readonly form: LinearForm;
  readonly least: Rational;
  readonly split: Split;
  readonly below: HalfProof;
  readonly above: HalfProof;
  /** By how much the point breaks it, in its distance from the cut. */
  readonly efficacy: number;
  /** Coefficients in doubles, by column, of length one. */
  readonly direction: ReadonlyMap<number, number>;
}

/** Binary digits of a cut's largest number, tried in turn until little of its depth is lost. */
const DIGITS = [9, 18, 30];
const ENOUGH = 0.9;

/**
 * The cut that a proposal's multipliers prove once they are rounded: the least coefficients of columns counted from their
 * lower bound that both halves allow, the greatest of those counted from above, integers all. What is lost by rounding
 * is lost in depth alone. `null` where all of it is.
 */
export function derive(view: View, box: Box, program: DoubleProgram, proposal: Proposal): DerivedCut | null {
  const form = formOf(proposal.split);
  if (form === null) return null;
  const split = { form, at: Rational.of(BigInt(proposal.at)) };
  let best: DerivedCut | null = null;
  for (const digits of DIGITS) {
    const cut = deriveWith(view, box, program, proposal, split, digits);
    if (cut !== null && cut.efficacy > (best?.efficacy ?? 0)) best = cut;
    if (best !== null && best.efficacy >= ENOUGH * proposal.efficacy) return best;
  }
  return best;
}

function formOf(split: Proposal["split"]): LinearForm | null {
  const terms: [number, Rational][] = [];
  for (const [j, amount] of split) {
    if (!Number.isSafeInteger(amount)) return null;
    terms.push([j, Rational.of(BigInt(amount))]);
  }
  return linearForm(terms);
}

function deriveWith(
  view: View,
  box: Box,
  program: DoubleProgram,
  proposal: Proposal,
  split: Split,
  digits: number,
): DerivedCut | null {
  const { atUpper } = proposal;
  const factor = 2 ** digits / Math.max(proposal.below.side, proposal.above.side);
  const below = roundHalf(view, program, proposal.below, factor);
  const above = roundHalf(view, program, proposal.above, factor);
  const scale = denominatorOf(view, [below, above]);
  const sums = [sumOf(view, below, split, -1n, scale), sumOf(view, above, split, 1n, scale)] as const;
  const columns = [...new Set([...sums[0].keys(), ...sums[1].keys()])].sort((a, b) => a - b);
  const kept: number[] = [];
  const coefficients: bigint[] = [];
  for (const j of columns) {
    const one = sums[0].get(j) ?? 0n;
    const other = sums[1].get(j) ?? 0n;
    const [low, high] = [program.lower[j] as number, program.upper[j] as number];
    // A column without bounds must come out the same in both halves, and whole.
    if (low === -Infinity && high === Infinity && (one !== other || one % scale !== 0n)) return null;
    const at = program.point[j] as number;
    const fromUpper = high !== Infinity && (low === -Infinity || atUpper.has(j) || high - at < at - low);
    const wanted = one > other === fromUpper ? other : one;
    const whole = fromUpper ? floorDivide(wanted, scale) : -floorDivide(-wanted, scale);
    if (whole === 0n) continue;
    kept.push(j);
    coefficients.push(whole);
  }
  if (kept.length === 0) return null;
  const form = integerForm(kept, coefficients, 1n);
  let side: Rational | null = null;
  for (const bound of leastInHalves(view, box, form, split, { below, above })) {
    if (bound === null) return null;
    if (bound !== "empty" && (side === null || bound.compare(side) < 0)) side = bound;
  }
  if (side === null) return null;
  return shortened(form, side, split, below, above, program.point);
}

/** Multipliers as integers over a power of two that the row's coefficients ask for. */
function roundHalf(view: View, program: DoubleProgram, { side, rows }: ProposedHalf, scale: number): HalfProof {
  const rounded = new Map<number, Rational>();
  for (const [r, weight] of rows) {
    const row = view.rows.get(r) ?? view.cuts.get(r);
    if (row === undefined) continue;
    const exponent = Math.max(0, Math.ceil(Math.log2(program.rows.get(r)?.size ?? 1)));
    const units = Math.round(weight * scale * 2 ** exponent);
    if (units === 0 || !Number.isSafeInteger(units) || (units > 0 ? row.lower : row.upper) === null) continue;
    rounded.set(r, Rational.of(BigInt(units), 1n << BigInt(exponent)));
  }
  return { side: Rational.of(BigInt(Math.round(side * scale))), rows: rounded };
}

/** A common denominator of the multiplied rows. */
function denominatorOf(view: View, halves: readonly HalfProof[]): bigint {
  let common = 1n;
  for (const { rows } of halves) {
    for (const [r, y] of rows) common = leastCommonMultiple(common, y.denominator * rowOf(view, r).form.denominator);
  }
  return common;
}

function rowOf(view: View, r: number): ViewRow {
  return view.rows.get(r) ?? (view.cuts.get(r) as ViewRow);
}

/** Σ multiplier·row ± side·split times a common denominator, by column. */
function sumOf(
  view: View,
  { side, rows }: HalfProof,
  split: Split,
  sign: 1n | -1n,
  scale: bigint,
): ReadonlyMap<number, bigint> {
  const sum = new Map<number, bigint>();
  const add = ({ columns, coefficients, denominator }: LinearForm, factor: Rational) => {
    const share = (scale / (denominator * factor.denominator)) * factor.numerator;
    columns.forEach((j, k) => {
      sum.set(j, (sum.get(j) ?? 0n) + (coefficients[k] as bigint) * share);
    });
  };
  for (const [r, y] of rows) add(rowOf(view, r).form, y);
  add(split.form, side.multiply(Rational.of(sign)));
  return sum;
}

/** Divides the cut and its proof by what the coefficients have in common; its side is rounded to as few digits as they have. */
function shortened(
  form: LinearForm,
  least: Rational,
  split: Split,
  below: HalfProof,
  above: HalfProof,
  point: Float64Array,
): DerivedCut {
  let common = 0n;
  for (const coefficient of form.coefficients) common = greatestCommonDivisor(common, coefficient);
  const factor = form.denominator === 1n && common > 1n ? Rational.of(1n, common) : Rational.one;
  const by = ({ side, rows }: HalfProof): HalfProof => ({
    side: side.multiply(factor),
    rows: new Map([...rows].map(([r, y]) => [r, y.multiply(factor)])),
  });
  const divided =
    common > 1n && form.denominator === 1n
      ? integerForm(
          form.columns,
          form.coefficients.map((coefficient) => coefficient / common),
          1n,
        )
      : form;
  const exact = least.multiply(factor);
  const side = exact.denominator <= 64n ? exact : Rational.of(exact.multiply(Rational.of(64n)).floor(), 64n);
  const direction = new Map<number, number>();
  let norm = 0;
  let activity = 0;
  divided.columns.forEach((j, k) => {
    const value = Number(divided.coefficients[k]) / Number(divided.denominator);
    direction.set(j, value);
    norm += value * value;
    activity += value * (point[j] as number);
  });
  const length = Math.sqrt(norm);
  for (const [j, value] of direction) direction.set(j, value / length);
  return {
    form: divided,
    least: side,
    split,
    below: by(below),
    above: by(above),
    efficacy: (side.toNumber() - activity) / length,
    direction,
  };
}
