import type { PlacementProblem } from "../../../../models/table-placement/problem.js";

/** What a search was among, where that is not every option that an instance may be read as having. */
export type PlacementSpace = Pick<PlacementProblem, "leftOut" | "runnable">;

/** The keys of a problem that say so, as files have them. */
export function spaceOf({ leftOut, runnable }: PlacementSpace): PlacementSpace {
  return { ...(leftOut === undefined ? {} : { leftOut }), ...(runnable === undefined ? {} : { runnable }) };
}
