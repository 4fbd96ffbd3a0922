import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { dealtPlacement } from "./dealt-placement.js";
import { packedPlacement } from "./packed-placement.js";

/** A placement of a tower's tables that needs next to no time: dealt out, else packed; `null` where none is found so. */
export function readyPlacement(problem: PlacementProblem): Placement | null {
  return dealtPlacement(problem) ?? packedPlacement(problem);
}
