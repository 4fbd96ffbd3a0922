import { leastCommonMultiple, Rational } from "../../exact/rational.js";
import type { Violation } from "../evaluate.js";
import { isConflicting } from "./conflict.js";
import { type Grouping, type GroupLoad, pairIndex } from "./grouping.js";

/** What a numbering is worth: its value, and by group its items, its load, and what it breaks. */
export interface GroupingEvaluation {
  readonly objective: Rational;
  /** The items of each group, rising. */
  readonly members: readonly (readonly number[])[];
  /** The weight of each group; zeros where the grouping has no load. */
  readonly loads: readonly Rational[];
  /**
   * Names are `size_t`, `load_t`, `load_k_t` of further load k and `conflict_c_t` of group t (the index). Sizes are
   * held against the window that they miss by the fewest items in all; where there is no window at all, each group is
   * beyond by its own size.
   */
  readonly violations: readonly Violation[];
}

/** share(|S|) · Σ_{i<j in S} pair(i, j) of one group S, exact. Items in any order. */
export function groupCost({ pairs, share }: Grouping, group: readonly number[]): Rational {
  const cost = new ExactSum();
  for (let b = 1; b < group.length; b++) {
    const j = group[b] as number;
    for (let a = 0; a < b; a++) {
      const i = group[a] as number;
      cost.add(pairs[i < j ? pairIndex(i, j) : pairIndex(j, i)] as Rational);
    }
  }
  const sum = cost.total();
  return share === "bySize" && group.length > 1 ? sum.divide(Rational.of(BigInt(group.length))) : sum;
}

/** The weight of one group; zero where the grouping has no load. */
export function groupLoad({ load }: Grouping, group: readonly number[]): Rational {
  return load === null ? Rational.zero : weightOf(load, group);
}

/** What the items of one group weigh. */
export function weightOf({ weights }: GroupLoad, group: readonly number[]): Rational {
  const sum = new ExactSum();
  for (const item of group) sum.add(weights[item] as Rational);
  return sum.total();
}

/** Whether a group keeps to all loads and has no conflict, exactly. */
export function isAllowed(grouping: Grouping, group: readonly number[]): boolean {
  const { load, furtherLoads = [], conflicts = [] } = grouping;
  if (load !== null && groupLoad(grouping, group).compare(load.most) > 0) return false;
  if (furtherLoads.some((further) => weightOf(further, group).compare(further.most) > 0)) return false;
  return !conflicts.some((conflict) => isConflicting(conflict, group));
}

/**
 * Evaluates a numbering (the group 0 … groups−1 of each item) in exact arithmetic with zero tolerance. Throws
 * `RangeError` unless it has one group for each item.
 */
export function evaluateGrouping(grouping: Grouping, numbering: readonly number[]): GroupingEvaluation {
  const { items, groups, windows, load, furtherLoads = [], conflicts = [] } = grouping;
  if (numbering.length !== items.length) {
    throw new RangeError(`the groups of ${items.length} items were expected, ${numbering.length} were given`);
  }
  const members: number[][] = Array.from({ length: groups }, () => []);
  numbering.forEach((group, item) => {
    const home = members[group];
    if (home === undefined) throw new RangeError(`item "${items[item]}" is in group ${group} of ${groups}`);
    home.push(item);
  });
  const violations: Violation[] = [];
  const sizes = members.map(({ length }) => length);
  const beyond = sizesBeyond(sizes, windows);
  beyond.forEach((by, t) => {
    if (by === 0) return;
    const kind = by > 0 ? "row-upper" : "row-lower";
    violations.push({ kind, index: t, name: `size_${t}`, amount: Rational.of(BigInt(Math.abs(by))) });
  });
  const loads = members.map((group) => groupLoad(grouping, group));
  const hold = (carried: Rational, most: Rational, index: number, name: string) => {
    if (carried.compare(most) > 0) violations.push({ kind: "row-upper", index, name, amount: carried.subtract(most) });
  };
  if (load !== null) for (const [t, carried] of loads.entries()) hold(carried, load.most, t, `load_${t}`);
  furtherLoads.forEach((further, k) => {
    for (const [t, group] of members.entries()) hold(weightOf(further, group), further.most, t, `load_${k}_${t}`);
  });
  conflicts.forEach((conflict, c) => {
    for (const [t, group] of members.entries()) {
      if (!isConflicting(conflict, group)) continue;
      violations.push({ kind: "row-upper", index: t, name: `conflict_${c}_${t}`, amount: Rational.one });
    }
  });
  const objective = members.reduce((sum, group) => sum.add(groupCost(grouping, group)), Rational.zero);
  return { objective, members, loads, violations };
}

/** By how much each size is above (positive) or below the window that all of them miss least. */
function sizesBeyond(sizes: readonly number[], windows: Grouping["windows"]): readonly number[] {
  let nearest = sizes;
  let missed = Number.POSITIVE_INFINITY;
  for (const { least, most } of windows) {
    const beyond = sizes.map((size) => (size > most ? size - most : Math.min(0, size - least)));
    const total = beyond.reduce((sum, by) => sum + Math.abs(by), 0);
    if (total < missed) [nearest, missed] = [beyond, total];
  }
  return nearest;
}

/** A sum of rationals that are mostly over powers of two: one fraction is reduced, not one for each term. */
class ExactSum {
  #numerator = 0n;
  #denominator = 1n;

  add({ numerator, denominator }: Rational): void {
    if (this.#denominator % denominator !== 0n) {
      const common = leastCommonMultiple(this.#denominator, denominator);
      this.#numerator *= common / this.#denominator;
      this.#denominator = common;
    }
    this.#numerator += numerator * (this.#denominator / denominator);
  }

  total(): Rational {
    return Rational.of(this.#numerator, this.#denominator);
  }
}
