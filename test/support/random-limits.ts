import type { Random } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";

/** What limits the groups of a grouping beside its load. */
export type Limits = Required<Pick<Grouping, "furtherLoads" | "conflicts">>;

/**
 * Up to two loads and two conflicts of one to three parts, which now and then leave nothing and often do not matter.
 */
export function randomLimits(random: Random, { elements, clusters }: Grouping): Limits {
  const some = (count: number): readonly number[] => {
    const left = [...elements.keys()];
    while (left.length > count) left.splice(random.integer(left.length), 1);
    return left;
  };
  const load = () => {
    const weights = elements.map(() => random.integer(10));
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / clusters;
    const most = Math.ceil(mean * (1.1 + random.next()));
    return { weights: weights.map(Rational.fromNumber), most: Rational.fromNumber(most) };
  };
  const conflict = () => {
    const parts = 1 + random.integer(3);
    return Array.from({ length: parts }, () => {
      const own = some(2 + random.integer(elements.length - 1));
      // An item that is in no group leaves nothing: now and then.
      const least = parts === 1 && random.integer(20) > 0 ? 2 : 1;
      return { elements: own, count: Math.min(own.length, least + random.integer(3)) };
    });
  };
  return {
    furtherLoads: Array.from({ length: Math.max(0, random.integer(4) - 1) }, load),
    conflicts: Array.from({ length: random.integer(3) }, conflict),
  };
}

/** Whether every group of a partition is within the limits, from their words alone. */
export function keepsLimits({ furtherLoads, conflicts }: Limits, labels: readonly number[]): boolean {
  return [...new Set(labels)].every((cluster) => {
    const has = (element: number) => labels[element] === cluster;
    const isLight = furtherLoads.every(({ weights, most }) => {
      const carried = weights.reduce((sum, weight, element) => sum + (has(element) ? weight.toNumber() : 0), 0);
      return carried <= most.toNumber();
    });
    return (
      isLight && conflicts.every((parts) => parts.some(({ elements, count }) => elements.filter(has).length < count))
    );
  });
}
