import type { PlacementProblem } from "./problem.js";
import { type Restriction, withFewerOptions } from "./restriction.js";

const KNOWN = new WeakMap<PlacementProblem, Restriction | null>();

/**
 * The problem as published methods see it: they replicate no hot rows beside a table's shards and choose no cache sizes.
 * `null` where they see all of it. Throws `RangeError` where a table has no other options.
 */
export function publishedOptions(problem: PlacementProblem): Restriction | null {
  const known = KNOWN.get(problem);
  if (known !== undefined) return known;
  const alive = problem.tables.map(({ options }) =>
    options.map(({ hot, cache }) => hot === undefined && (cache?.isPublished ?? true)),
  );
  const isWhole = alive.every((own) => !own.includes(false));
  const found = isWhole ? null : withFewerOptions(problem, alive);
  KNOWN.set(problem, found);
  return found;
}
