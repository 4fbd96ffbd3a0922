import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import { isAllowed } from "../../../program/grouping/evaluate.js";
import { type Grouping, type GroupLoad, pairIndex, type SizeWindow } from "../../../program/grouping/grouping.js";
import type { GroupingNode } from "../../../proof/kernel/grouping/node.js";
import type { DescentProblem } from "../methods/descent/limits.js";

/** A group with its cost, items rising. */
export interface Group {
  readonly items: readonly number[];
  /** share(size) · Σ pairs. */
  readonly cost: number;
}

/** A grouping in doubles, for searches. */
export function numbersOf(grouping: Grouping): DescentProblem {
  const items = grouping.items.length;
  const pairs = new Float64Array(items * items);
  for (let j = 0; j < items; j++) {
    for (let i = 0; i < j; i++) {
      const value = (grouping.pairs[pairIndex(i, j)] as Rational).toNumber();
      pairs[i * items + j] = value;
      pairs[j * items + i] = value;
    }
  }
  return {
    items,
    groups: grouping.groups,
    pairs,
    share: Float64Array.from({ length: items + 1 }, (_, size) =>
      grouping.share === "whole" ? 1 : 1 / Math.max(1, size),
    ),
    windows: grouping.windows,
    load: grouping.load && loadOf(grouping.load),
    ...(isLimited(grouping) ? { admits: (group) => isAllowed(grouping, group) } : {}),
  };
}

/** Whether more than one load limits groups. */
export function isLimited({ furtherLoads = [], conflicts = [] }: Grouping): boolean {
  return furtherLoads.length + conflicts.length > 0;
}

/**
 * Weights as whole multiples of a unit, where they add up below 2⁵³: sums are then exact. Otherwise as doubles, with a load
 * that is a trifle smaller, so that rounding breaks none.
 */
function loadOf({ weights, most }: GroupLoad): NonNullable<DescentProblem["load"]> {
  const unit = weights.reduce((common, { denominator }) => leastCommonMultiple(common, denominator), 1n);
  const whole = weights.map(({ numerator, denominator }) => numerator * (unit / denominator));
  const room = most.multiply(Rational.of(unit)).floor();
  if (whole.reduce((sum, weight) => sum + weight, 0n) < 2n ** 53n && room < 2n ** 53n) {
    return { weights: Float64Array.from(whole, Number), most: Number(room) };
  }
  return {
    weights: Float64Array.from(weights, (weight) => weight.toNumber()),
    most: most.toNumber() * (1 - 1e-12),
  };
}

/** The same with pairs that are apart in a node so dear that searches keep them apart. */
export function numbersWithin(numbers: DescentProblem, { apart }: GroupingNode): DescentProblem {
  if (apart.length === 0) return numbers;
  const pairs = numbers.pairs.slice();
  const dear = 1 + pairs.reduce((sum, pair) => sum + pair, 0);
  for (const [i, j] of apart) {
    pairs[i * numbers.items + j] = dear;
    pairs[j * numbers.items + i] = dear;
  }
  return { ...numbers, pairs };
}

/** Σ pair(item, other) over the others. */
export function pairsWith({ items, pairs }: DescentProblem, item: number, others: readonly number[]): number {
  let sum = 0;
  for (const other of others) sum += pairs[item * items + other] as number;
  return sum;
}

/** A group of these items, in any order. */
export function groupOf(numbers: DescentProblem, members: Iterable<number>): Group {
  const items = [...members].sort((a, b) => a - b);
  const sum = items.reduce((total, item) => total + pairsWith(numbers, item, items), 0) / 2;
  return { items, cost: (numbers.share[items.length] as number) * sum };
}

/** The groups of a numbering, in the order of their numbers. */
export function groupsOf(numbers: DescentProblem, numbering: readonly number[]): readonly Group[] {
  const members: number[][] = Array.from({ length: numbers.groups }, () => []);
  numbering.forEach((group, item) => {
    members[group]?.push(item);
  });
  return members.map((items) => groupOf(numbers, items));
}

/**
 * Half of what each item's pairs cost in the group that it is in: prices at which every group of the numbering is worth
 * exactly what it costs.
 */
export function marginalPrices(numbers: DescentProblem, groups: readonly Group[]): Float64Array {
  const prices = new Float64Array(numbers.items);
  for (const { items } of groups) {
    const half = 0.5 * (numbers.share[items.length] as number);
    for (const item of items) prices[item] = half * pairsWith(numbers, item, items);
  }
  return prices;
}

/** The least total of one number for each group's size, over sizes in the window that add up to all items. */
export function leastOverSizes(
  { items, groups }: Pick<DescentProblem, "items" | "groups">,
  { least, most }: SizeWindow,
  values: Float64Array,
): number {
  let reached = new Float64Array(items + 1).fill(Number.POSITIVE_INFINITY);
  reached[0] = 0;
  for (let k = 0; k < groups; k++) {
    const next = new Float64Array(items + 1).fill(Number.POSITIVE_INFINITY);
    for (let count = 0; count <= items; count++) {
      const before = reached[count] as number;
      if (before === Number.POSITIVE_INFINITY) continue;
      for (let size = least; size <= most && count + size <= items; size++) {
        const total = before + (values[size] as number);
        if (total < (next[count + size] as number)) next[count + size] = total;
      }
    }
    reached = next;
  }
  return reached[items] as number;
}
