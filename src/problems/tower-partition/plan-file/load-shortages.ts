import { Rational } from "../../../exact/rational.js";
import type { ClusterLoad, Grouping } from "../../../program/grouping/grouping.js";

/** A short reason why loads cannot be kept to. */
export interface LoadShortage {
  readonly kind: "feature" | "company" | "crowding";
  /** The features that are too much, heaviest first. */
  readonly features: readonly number[];
  readonly needed: Rational;
  readonly explanation: string;
}

/**
 * The short reasons that hold, fewest features first: one feature by itself; one with the lightest others that the
 * least size of a tower puts beside it; of k · T + 1 features some tower gets k + 1, and the lightest k + 1 are too
 * much.
 */
export function loadShortages({ elements, clusters, windows, load }: Grouping): readonly LoadShortage[] {
  if (load === null) return [];
  const { weights, most } = load;
  const falling = [...weights.keys()].sort((a, b) => (weights[b] as Rational).compare(weights[a] as Rational) || a - b);
  const least = Math.min(...windows.map((window) => window.least));
  const heaviest = falling[0] as number;
  const named = (item: number) => JSON.stringify(elements[item]);
  const found: LoadShortage[] = [];
  const add = (kind: LoadShortage["kind"], conflict: readonly number[], counted: readonly number[], why: string) => {
    const needed = loadOf(load, counted);
    if (needed.compare(most) <= 0) return;
    const explanation = `${why} ${needed.toNumber()}, and a tower may carry ${most.toNumber()}`;
    found.push({ kind, features: conflict, needed, explanation });
  };
  add("feature", [heaviest], [heaviest], `the feature ${named(heaviest)} carries`);
  if (least > 1) {
    const company = [heaviest, ...falling.slice(1 - least)];
    const others = least === 2 ? "the lightest other one" : `the ${least - 1} lightest others`;
    const why = `a tower has at least ${least} features, so that ${named(heaviest)} is with others; with ${others} it carries`;
    add("company", company, company, why);
  }
  for (let k = 1; k * clusters < elements.length; k++) {
    const crowd = falling.slice(0, k * clusters + 1);
    const why = `of the ${crowd.length} heaviest features some tower gets at least ${k + 1}, because there are ${clusters} towers; the lightest ${k + 1} of them carry`;
    add("crowding", crowd, crowd.slice(-(k + 1)), why);
  }
  return found.sort((a, b) => a.features.length - b.features.length);
}

export function loadOf({ weights }: ClusterLoad, items: readonly number[]): Rational {
  return items.reduce((sum, item) => sum.add(weights[item] as Rational), Rational.zero);
}
