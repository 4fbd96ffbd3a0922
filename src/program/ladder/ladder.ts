import type { Rational } from "../../exact/rational.js";
import type { Column, Program } from "../program.js";

/**
 * A ladder: a mixed-integer program of one shape, kept as what it is made of instead of column by column.
 *
 * Units stand on classes, classes on chains. Every unit takes one tier; x[i, t] counts the units of class i in tier t.
 * Units of a class are alike, and along a chain the coefficients of every row are affine in a single number, the unit's
 * rate:
 *
 *   coefficient of x[i, t] = fixed + perRate · rate(i), with a pair (fixed, perRate) for each chain and tier.
 *
 * Beside the x there are a few auxiliary columns. The program is
 *
 *   min objective   subject to   Σ_t x[i, t] = units(i) for every class,   every row ≤ its upper side,   x ≥ 0 integer.
 *
 * Sums over a whole interval of a chain come from two running sums, and where a comparison of two tiers is decided by
 * rate alone, an interval is found by bisection. So bounds, values and fixings cost no more than a few steps for each
 * chain, however many classes there are. `explicitProgram` writes the same program column by column.
 */
export interface Ladder {
  readonly name: string;
  readonly tiers: readonly string[];
  readonly chains: readonly Chain[];
  /** Rates are integers over this denominator. */
  readonly rateDenominator: bigint;
  /** Columns beside the x: they come after them. */
  readonly auxiliaries: readonly Column[];
  readonly rows: readonly LadderRow[];
  readonly objective: { readonly name: string; readonly form: LadderForm };
}

export interface Chain {
  /** Units of each class: positive integers whose sum is below 2^53. */
  readonly units: Float64Array;
  /** Strictly falling, not negative. */
  readonly rates: readonly bigint[];
  /** Units of the classes before each class; one entry more than classes. */
  readonly unitsBefore: Float64Array;
  /** Σ units · rate of the classes before each class; one entry more than classes. */
  readonly rateBefore: readonly bigint[];
}

/** A form over a ladder's columns. */
export interface LadderForm {
  /** `terms[chain][tier]`. */
  readonly terms: readonly (readonly LadderTerm[])[];
  /** One coefficient for each auxiliary column. */
  readonly auxiliaries: readonly Rational[];
}

export interface LadderTerm {
  readonly fixed: Rational;
  readonly perRate: Rational;
}

/** form ≤ upper. */
export interface LadderRow {
  readonly name: string;
  readonly form: LadderForm;
  readonly upper: Rational;
}

/** Tells a ladder from a program written column by column. */
export function isLadder(program: Ladder | Program): program is Ladder {
  return "chains" in program;
}

/** A chain with its running sums. Throws `RangeError` when it has 2^53 units or more, or rates that do not fall. */
export function makeChain(units: Float64Array, rates: readonly bigint[]): Chain {
  const unitsBefore = new Float64Array(units.length + 1);
  const rateBefore: bigint[] = new Array(units.length + 1);
  let sum = 0;
  let rate = 0n;
  rateBefore[0] = 0n;
  for (let i = 0; i < units.length; i++) {
    const count = units[i] as number;
    const each = rates[i] as bigint;
    if (i > 0 && each >= (rates[i - 1] as bigint)) throw new RangeError("the heats of a rail must fall");
    sum += count;
    rate += BigInt(count) * each;
    unitsBefore[i + 1] = sum;
    rateBefore[i + 1] = rate;
  }
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${sum} units are more than 2^53 − 1`);
  return { units, rates, unitsBefore, rateBefore };
}

/** Classes of all chains together. */
export function unitClassCount({ chains }: Ladder): number {
  return chains.reduce((sum, { units }) => sum + units.length, 0);
}

/** The number of the first class of each chain, counted through all chains; one entry more than chains. */
export function firstClasses({ chains }: Ladder): readonly number[] {
  const first = [0];
  for (const { units } of chains) first.push((first.at(-1) as number) + units.length);
  return first;
}

/** Columns of the program: units per class and tier, and the auxiliaries. */
export function columnCount(ladder: Ladder): number {
  return unitClassCount(ladder) * ladder.tiers.length + ladder.auxiliaries.length;
}

/** The name of the column of a class (counted through all chains) and tier. */
export function columnName({ tiers }: Ladder, unitClass: number, tier: number): string {
  return `x_${unitClass}_${tiers[tier]}`;
}

/** The class (counted through all chains) and tier of a column's name; `null` for any other name. */
export function columnOf(ladder: Ladder, name: string): { unitClass: number; tier: number } | null {
  const match = /^x_(0|[1-9]\d*)_(.+)$/.exec(name);
  if (match === null) return null;
  const unitClass = Number(match[1]);
  const tier = ladder.tiers.indexOf(match[2] as string);
  return tier === -1 || unitClass >= unitClassCount(ladder) ? null : { unitClass, tier };
}
