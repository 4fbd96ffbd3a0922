import { greatestCommonDivisor, leastCommonMultiple, Rational } from "../exact/rational.js";
import { accumulate, type Coefficients, type Combination, type Fact } from "./combination.js";
import type { Side } from "./problem.js";

/** The bounds that a proof may use: the value at once, the fact (and the lines behind it) only when asked for. */
export interface Bounds {
  value(column: number, side: Side): Rational | null;
  fact(column: number, side: Side): Fact;
}

/** Bounds of which each column has its own. */
export function boundsBy(of: (column: number) => Bounds): Bounds {
  return {
    value: (column, side) => of(column).value(column, side),
    fact: (column, side) => of(column).fact(column, side),
  };
}

/** Adds bounds of columns until the combination's coefficients are the wanted ones. */
export function reach(sum: Combination, wanted: Coefficients, bounds: Bounds): Combination {
  for (const [column, missing] of difference(wanted, sum.coefficients)) {
    const fact = bounds.fact(column, missing.sign() > 0 ? "lower" : "upper");
    const isBound = fact.coefficients.size === 1 && fact.coefficients.get(column)?.absolute().equals(Rational.one);
    if (isBound === true) sum.addBound(fact, missing.absolute(), column, wanted.get(column));
    else sum.add(fact, missing.absolute());
  }
  return sum;
}

/** wanted − present. */
export function difference(wanted: Coefficients, present: Coefficients): Map<number, Rational> {
  const left = new Map(wanted);
  for (const [column, coefficient] of present) {
    if (left.get(column) === coefficient) left.delete(column);
    else accumulate(left, column, coefficient.negate());
  }
  return left;
}

/** A group of the program: its equation as two inequalities. */
export interface GroupFact {
  readonly members: readonly number[];
  readonly total: Rational;
  readonly atLeast: Fact;
  readonly atMost: Fact;
}

/** Adds a group's equation with a multiplier of any sign. */
export function addGroup(sum: Combination, group: GroupFact, multiplier: Rational): Combination {
  return sum.add(multiplier.sign() > 0 ? group.atLeast : group.atMost, multiplier.absolute());
}

/** Which side the bounds keep a group from its total: their sum is above it (`lower`) or below it (`upper`). */
export function brokenSide({ members, total }: GroupFact, bounds: Bounds): Side | null {
  const sum = (side: Side) =>
    members.reduce((all, j) => all.add(bounds.value(j, side) as Rational), Rational.zero).compare(total);
  return sum("lower") > 0 ? "lower" : sum("upper") < 0 ? "upper" : null;
}

/** Adds what contradicts a group: its equation, and the bounds on the side that breaks it. */
export function addBrokenGroup(sum: Combination, group: GroupFact, side: Side, bounds: Bounds): Combination {
  sum.add(side === "lower" ? group.atMost : group.atLeast, Rational.one);
  for (const j of group.members) sum.add(bounds.fact(j, side), Rational.one);
  return sum;
}

/**
 * The multiplier of a group's equation that leaves the best bound: the cost of the last member that the cheapest filling
 * of the total uses (the dual of `cheapestFilling` in bound.ts). The bounds must allow the total.
 */
export function groupPrice({ members, total }: GroupFact, costs: Coefficients, bounds: Bounds): Rational {
  const cost = (j: number) => costs.get(j) ?? Rational.zero;
  const room = (j: number) => (bounds.value(j, "upper") as Rational).subtract(bounds.value(j, "lower") as Rational);
  const movable = members.filter((j) => room(j).sign() > 0).sort((a, b) => cost(a).compare(cost(b)));
  let left = members.reduce((rest, j) => rest.subtract(bounds.value(j, "lower") as Rational), total);
  let price = movable[0] === undefined ? Rational.zero : cost(movable[0]);
  for (const j of movable) {
    if (left.sign() <= 0) break;
    price = cost(j);
    left = left.subtract(room(j));
  }
  return price;
}

/** What makes a form one of integers without a common factor. */
export function wholeFactor(form: Coefficients): Rational {
  let [common, shared] = [1n, 0n];
  for (const { numerator, denominator } of form.values()) {
    common = leastCommonMultiple(common, denominator);
    shared = greatestCommonDivisor(shared, numerator);
  }
  return Rational.of(common, shared === 0n ? 1n : shared);
}
