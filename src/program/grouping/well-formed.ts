import { ProgramError } from "../program.js";
import type { Grouping, SizeWindow } from "./grouping.js";

/**
 * Whether a grouping is what {@link Grouping} says as far as proofs rest on it (the order of windows is no part of that): nobody
 * else may have looked. Throws {@link ProgramError} with what is wrong.
 */
export function requireGrouping(grouping: Grouping): void {
  if (wellFormed.has(grouping)) return;
  const { name, items, groups, pairs, windows, load } = grouping;
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new ProgramError(`the grouping "${name}": ${what}`);
  };
  require(Number.isInteger(groups) && groups >= 1, `${groups} groups are no number of groups`);
  const expected = (items.length * (items.length - 1)) / 2;
  require(pairs.length === expected, `${expected} pairs were expected, ${pairs.length} are there`);
  require(pairs.every((pair) => pair.sign() >= 0), "a pair is negative");
  require(windows.every(isWindow), "a window's sizes are not integers with 1 ≤ least ≤ most");
  if (load !== null) {
    require(load.weights.length === items.length, "not every item has a weight");
    require(load.weights.every((weight) => weight.sign() >= 0), "a weight is negative");
  }
  wellFormed.add(grouping);
}

/** Groupings do not change: one look is enough. */
const wellFormed = new WeakSet<Grouping>();

function isWindow({ least, most }: SizeWindow): boolean {
  return Number.isInteger(least) && Number.isInteger(most) && 1 <= least && least <= most;
}
