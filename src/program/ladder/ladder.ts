import type { Rational } from "../../exact/rational.js";
import type { Column, Program } from "../program.js";

/**
 * A ladder: a mixed-integer program of one shape, kept as what it is made of instead of column by column.
 *
 * Units stand on rungs, rungs on rails. Every unit takes one tier; x[i, t] counts the units of rung i in tier t. Units of
 * a rung are alike, and along a rail the coefficients of every row are affine in a single number, the unit's heat:
 *
 *   coefficient of x[i, t] = fixed + perHeat · heat(i), with a pair (fixed, perHeat) for each rail and tier.
 *
 * Beside the x there are a few auxiliary columns. The program is
 *
 *   min objective   subject to   Σ_t x[i, t] = units(i) for every rung,   every row ≤ its upper side,   x ≥ 0 integer.
 *
 * Sums over a whole stretch of a rail come from two running sums, and where a comparison of two tiers is decided by heat
 * alone, a stretch is found by bisection. So bounds, values and fixings cost no more than a few steps for each rail,
 * however many rungs there are. `explicitProgram` writes the same program column by column.
 */
export interface Ladder {
  readonly name: string;
  readonly tiers: readonly string[];
  readonly rails: readonly Rail[];
  /** Heats are integers over this denominator. */
  readonly heatDenominator: bigint;
  /** Columns beside the x: they come after them. */
  readonly auxiliaries: readonly Column[];
  readonly rows: readonly LadderRow[];
  readonly objective: { readonly name: string; readonly form: LadderForm };
}

export interface Rail {
  /** Units of each rung: positive integers whose sum is below 2^53. */
  readonly units: Float64Array;
  /** Strictly falling, not negative. */
  readonly heats: readonly bigint[];
  /** Units of the rungs before each rung; one entry more than rungs. */
  readonly unitsBefore: Float64Array;
  /** Σ units · heat of the rungs before each rung; one entry more than rungs. */
  readonly heatBefore: readonly bigint[];
}

/** A form over a ladder's columns. */
export interface LadderForm {
  /** `terms[rail][tier]`. */
  readonly terms: readonly (readonly LadderTerm[])[];
  /** One coefficient for each auxiliary column. */
  readonly auxiliaries: readonly Rational[];
}

export interface LadderTerm {
  readonly fixed: Rational;
  readonly perHeat: Rational;
}

/** form ≤ upper. */
export interface LadderRow {
  readonly name: string;
  readonly form: LadderForm;
  readonly upper: Rational;
}

/** Tells a ladder from a program written column by column. */
export function isLadder(program: Ladder | Program): program is Ladder {
  return "rails" in program;
}

/** A rail with its running sums. Throws `RangeError` when it has 2^53 units or more, or heats that do not fall. */
export function makeRail(units: Float64Array, heats: readonly bigint[]): Rail {
  const unitsBefore = new Float64Array(units.length + 1);
  const heatBefore: bigint[] = new Array(units.length + 1);
  let sum = 0;
  let heat = 0n;
  heatBefore[0] = 0n;
  for (let i = 0; i < units.length; i++) {
    const count = units[i] as number;
    const each = heats[i] as bigint;
    if (i > 0 && each >= (heats[i - 1] as bigint)) throw new RangeError("the heats of a rail must fall");
    sum += count;
    heat += BigInt(count) * each;
    unitsBefore[i + 1] = sum;
    heatBefore[i + 1] = heat;
  }
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${sum} units are more than 2^53 − 1`);
  return { units, heats, unitsBefore, heatBefore };
}

/** Rungs of all rails together. */
export function rungCount({ rails }: Ladder): number {
  return rails.reduce((sum, { units }) => sum + units.length, 0);
}

/** The number of the first rung of each rail, counted through all rails; one entry more than rails. */
export function firstRungs({ rails }: Ladder): readonly number[] {
  const first = [0];
  for (const { units } of rails) first.push((first.at(-1) as number) + units.length);
  return first;
}

/** Columns of the program: units per rung and tier, and the auxiliaries. */
export function columnCount(ladder: Ladder): number {
  return rungCount(ladder) * ladder.tiers.length + ladder.auxiliaries.length;
}

/** The name of the column of a rung (counted through all rails) and tier. */
export function columnName({ tiers }: Ladder, rung: number, tier: number): string {
  return `x_${rung}_${tiers[tier]}`;
}

/** The rung (counted through all rails) and tier of a column's name; `null` for any other name. */
export function columnOf(ladder: Ladder, name: string): { rung: number; tier: number } | null {
  const match = /^x_(0|[1-9]\d*)_(.+)$/.exec(name);
  if (match === null) return null;
  const rung = Number(match[1]);
  const tier = ladder.tiers.indexOf(match[2] as string);
  return tier === -1 || rung >= rungCount(ladder) ? null : { rung, tier };
}
