import { doubleNear, floorDivide, greatestCommonDivisor, leastCommonMultiple, Rational } from "../../exact/rational.js";
import { integerForm, type LinearForm, linearForm } from "../../program/program.js";
import { type HalfProof, leastInHalves, type Split } from "../../proof/kernel/split.js";
import type { Box, View, ViewRow } from "../../proof/kernel/view.js";
import type { ProvedCut } from "../branch-and-bound/space.js";
import type { DoubleProgram } from "./linear-program.js";
import type { Proposal, ProposedHalf } from "./mixed-integer-rounding.js";

/** A cut of a view that a split proves, and by how much the point breaks it, in its distance from the cut. */
export type DerivedCut = Extract<ProvedCut, { readonly split: Split }> & { readonly efficacy: number };

/**
 * Binary digits of a cut's largest number, tried in turn until little of its depth is lost; first what its multipliers are as
 * fractions, if they are short: a rounded x ≤ 35·y lets y be 0.999 where x is 35, and that is branched on.
 */
const DIGITS = ["fractions", 9, 18, 30] as const;
const ENOUGH = 0.9;

/** Columns of a cut up to which it is worth having exactly: in longer ones fractions only make numbers longer. */
const MAX_FRACTIONS = 8;

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
    if (digits === "fractions" && proposal.direction.size > MAX_FRACTIONS) continue;
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
  digits: (typeof DIGITS)[number],
): DerivedCut | null {
  const { atUpper } = proposal;
  const halves = digits === "fractions" ? asFractions(view, proposal) : rounded(view, program, proposal, digits);
  if (halves === null) return null;
  const [below, above] = halves;
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

/** Multipliers as fractions, times what makes all coefficients integers; `null` where one is not short. */
function asFractions(view: View, proposal: Proposal): readonly [HalfProof, HalfProof] | null {
  const halves: HalfProof[] = [];
  for (const { side, rows } of [proposal.below, proposal.above]) {
    const own = shortFraction(side);
    if (own === null) return null;
    const fractions = new Map<number, Rational>();
    for (const [r, weight] of rows) {
      const row = view.rows.get(r) ?? view.cuts.get(r);
      const fraction = shortFraction(weight);
      if (fraction === null) return null;
      if (row === undefined || fraction.sign() === 0) continue;
      if ((weight > 0 ? row.lower : row.upper) === null) return null;
      fractions.set(r, fraction);
    }
    halves.push({ side: own, rows: fractions });
  }
  let common = denominatorOf(view, halves);
  for (const { side } of halves) common = leastCommonMultiple(common, side.denominator);
  if (common > MAX_COMMON) return null;
  const factor = Rational.of(common);
  return halves.map((half) => multiplied(half, factor)) as [HalfProof, HalfProof];
}

function multiplied({ side, rows }: HalfProof, factor: Rational): HalfProof {
  return { side: side.multiply(factor), rows: new Map([...rows].map(([r, y]) => [r, y.multiply(factor)])) };
}

const MAX_DENOMINATOR = 2 ** 17;
const MAX_SIDE_DENOMINATOR = 1n << 16n;
const MAX_COMMON = 1n << 40n;

/** The fraction that a double is but for rounding, by continued fractions; `null` where its denominator is long. */
function shortFraction(value: number): Rational | null {
  let [p, q, before, beforeQ] = [Math.floor(value), 1, 1, 0];
  let rest = value - p;
  while (Math.abs(value - p / q) > 4e-12 * Math.max(1e-3, Math.abs(value))) {
    const inverse = 1 / rest;
    const whole = Math.floor(inverse);
    [p, before] = [whole * p + before, p];
    [q, beforeQ] = [whole * q + beforeQ, q];
    rest = inverse - whole;
    if (!(q <= MAX_DENOMINATOR)) return null;
  }
  return Number.isSafeInteger(p) ? Rational.of(BigInt(p), BigInt(q)) : null;
}

/** Multipliers of so many digits. */
function rounded(
  view: View,
  program: DoubleProgram,
  proposal: Proposal,
  digits: number,
): readonly [HalfProof, HalfProof] {
  const factor = 2 ** digits / Math.max(proposal.below.side, proposal.above.side);
  return [roundHalf(view, program, proposal.below, factor), roundHalf(view, program, proposal.above, factor)];
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
  const divided =
    common > 1n && form.denominator === 1n
      ? integerForm(
          form.columns,
          form.coefficients.map((coefficient) => coefficient / common),
          1n,
        )
      : form;
  const exact = least.multiply(factor);
  const side =
    exact.denominator <= MAX_SIDE_DENOMINATOR ? exact : Rational.of(exact.multiply(Rational.of(64n)).floor(), 64n);
  let norm = 0;
  let activity = 0;
  divided.columns.forEach((j, k) => {
    const value = doubleNear(divided.coefficients[k] as bigint, divided.denominator);
    norm += value * value;
    activity += value * (point[j] as number);
  });
  return {
    form: divided,
    least: side,
    split,
    below: multiplied(below, factor),
    above: multiplied(above, factor),
    efficacy: (side.toNumber() - activity) / Math.sqrt(norm),
  };
}
