import { ExactSum } from "../../exact/exact-sum.js";
import { leastCommonMultiple, type Rational } from "../../exact/rational.js";
import type { Group } from "./lattice.js";
import type { Box, View } from "./view.js";

/** One rational per row named; rows not named have multiplier zero. Keyed by row index. */
export type Multipliers = ReadonlyMap<number, Rational>;

/**
 * What multipliers prove about a box.
 *
 * `bound` is a number that no point of the box satisfying the rows can be below, `null` when the multipliers prove
 * nothing (a free column is left with a cost). `infeasible` says that the box itself breaks a group or has crossed
 * bounds. Reduced costs are `scaledCosts[j] / scale`, by local column.
 */
export interface BoundResult {
  readonly bound: Rational | null;
  readonly infeasible: boolean;
  readonly scaledCosts: readonly bigint[];
  readonly scale: bigint;
}

const infeasibleBox: BoundResult = { bound: null, infeasible: true, scaledCosts: [], scale: 1n };

/**
 * The Lagrangian bound, in exact arithmetic: with multipliers y for the rows (positive ones price the row's lower side,
 * negative ones its upper side),
 *
 *   min c·x ≥ constant + Σ_r y_r·side_r + min { (c − Aᵀy)·x : x in the box, every group sums to its total }.
 *
 * The inner minimum is separable: a column alone sits at the bound its reduced cost prefers (Neumaier and Shcherbina
 * 2004); a group fills its members in rising order of reduced cost. Any multipliers give a valid bound. With
 * `purpose: "infeasibility"` the objective counts as zero, so that a positive bound is a Farkas proof.
 *
 * Throws `RangeError` when a multiplier prices a side that the row does not have.
 */
export function lagrangianBound(
  view: View,
  box: Box,
  multipliers: Multipliers,
  purpose: "bound" | "infeasibility" = "bound",
): BoundResult {
  if (view.crossed) return infeasibleBox;
  const withObjective = purpose === "bound";
  let scale = withObjective ? view.objective.denominator : 1n;
  for (const [r, y] of multipliers) {
    const row = view.rows.get(r) ?? view.cuts.get(r);
    if (row !== undefined && y.sign() !== 0) scale = leastCommonMultiple(scale, row.form.denominator * y.denominator);
  }
  const costs: bigint[] = new Array(view.columns.length).fill(0n);
  const accumulate = (columns: readonly number[], coefficients: readonly bigint[], factor: bigint) => {
    for (let k = 0; k < columns.length; k++) {
      const j = columns[k] as number;
      costs[j] = (costs[j] as bigint) + (coefficients[k] as bigint) * factor;
    }
  };
  const sides = new ExactSum();
  if (withObjective) {
    sides.add(view.constant.numerator, view.constant.denominator);
    const { columns, coefficients, denominator } = view.objective;
    accumulate(columns, coefficients, scale / denominator);
  }
  for (const [r, y] of multipliers) {
    const sign = y.sign();
    const row = view.rows.get(r) ?? view.cuts.get(r);
    // A row that the view has left out is satisfied whatever the open columns do: it needs no price.
    if (sign === 0 || row === undefined) continue;
    const side = sign > 0 ? row.lower : row.upper;
    if (side === null) throw new RangeError(`multiplier ${y} prices a side that row ${r} does not have`);
    sides.add(y.numerator * side.numerator, y.denominator * side.denominator);
    accumulate(
      row.form.columns,
      row.form.coefficients,
      (-y.numerator * scale) / (row.form.denominator * y.denominator),
    );
  }
  let integers = 0n;
  const fractions = new ExactSum();
  let unbounded = false;
  for (const j of view.single) {
    const lower = box.lower[j] as Rational | null;
    const upper = box.upper[j] as Rational | null;
    if (lower !== null && upper !== null && lower.compare(upper) > 0) return infeasibleBox;
    const cost = costs[j] as bigint;
    if (cost === 0n) continue;
    const at = cost > 0n ? lower : upper;
    if (at === null) unbounded = true;
    else if (at.denominator === 1n) integers += cost * at.numerator;
    else fractions.add(cost * at.numerator, at.denominator);
  }
  for (const group of view.groups) {
    const used = cheapestFilling(group, costs, box);
    if (used === null) return infeasibleBox;
    for (const j of group.members) {
      const lower = (box.lower[j] as Rational).numerator;
      if (lower !== 0n) integers += (costs[j] as bigint) * lower;
    }
    for (const { units, cost } of used) integers += cost * units;
  }
  fractions.add(integers, 1n);
  const bound = unbounded ? null : sides.total().add(fractions.total(scale));
  return { bound, infeasible: false, scaledCosts: costs, scale };
}

/** Units above the lower bound that a group's cheapest filling gives a member. */
export interface Used {
  readonly member: number;
  readonly units: bigint;
  readonly cost: bigint;
}

/** What makes Σ cost·x least over lower ≤ x ≤ upper with Σ x = total, cheapest member first; `null` where the bounds do not allow the total. */
export function cheapestFilling({ members, total }: Group, costs: readonly bigint[], box: Box): readonly Used[] | null {
  let left = total;
  for (const j of members) {
    const lower = (box.lower[j] as Rational).numerator;
    if (lower > (box.upper[j] as Rational).numerator) return null;
    left -= lower;
  }
  if (left < 0n) return null;
  const used: Used[] = [];
  for (const member of inRisingCost(members, costs)) {
    if (left === 0n) break;
    const room = (box.upper[member] as Rational).numerator - (box.lower[member] as Rational).numerator;
    const units = room < left ? room : left;
    if (units > 0n) used.push({ member, units, cost: costs[member] as bigint });
    left -= units;
  }
  return left === 0n ? used : null;
}

/** The members of a group, cheapest first. */
function inRisingCost(members: readonly number[], costs: readonly bigint[]): readonly number[] {
  if (members.length < 2) return members;
  return members.slice().sort((a, b) => {
    const difference = (costs[a] as bigint) - (costs[b] as bigint);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  });
}
