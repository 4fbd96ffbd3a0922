import { ProgramError } from "../program.js";
import type { Grouping, SizeWindow } from "./grouping.js";

/**
 * Whether a grouping is what {@link Grouping} says as far as proofs rest on it (the order of windows is no part of
 * that): nobody else may have looked. Throws {@link ProgramError} with what is wrong.
 */
export function requireGrouping(grouping: Grouping): void {
  const { name, elements, clusters, pairs, windows, load, furtherLoads = [], conflicts = [] } = grouping;
  const require = (holds: boolean, what: string): void => {
    if (!holds) throw new ProgramError(`the grouping "${name}": ${what}`);
  };
  require(Number.isInteger(clusters) && clusters >= 1, `${clusters} groups are no number of groups`);
  const expected = (elements.length * (elements.length - 1)) / 2;
  require(pairs.length === expected, `${expected} pairs were expected, ${pairs.length} are there`);
  require(pairs.every((pair) => pair.sign() >= 0), "a pair is negative");
  require(windows.every(isWindow), "a window's sizes are not integers with 1 ≤ least ≤ most");
  for (const { weights } of load === null ? furtherLoads : [load, ...furtherLoads]) {
    require(weights.length === elements.length, "not every item has a weight");
    require(weights.every((weight) => weight.sign() >= 0), "a weight is negative");
  }
  require(conflicts.every((parts) => parts.length > 0), "a conflict has no parts");
  for (const part of conflicts.flat()) {
    require(Number.isInteger(part.count) && part.count >= 1, "a conflict needs none of its items");
    require(new Set(part.elements).size === part.elements.length, "a conflict has an item twice");
    require(part.elements.every((element) =>
      Object.hasOwn(elements, element),
    ), "a conflict has an item that there is not");
  }
}

function isWindow({ least, most }: SizeWindow): boolean {
  return Number.isInteger(least) && Number.isInteger(most) && 1 <= least && least <= most;
}
