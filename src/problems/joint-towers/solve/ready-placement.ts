import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { dealtPlacement } from "./dealt-placement.js";
import { packedPlacement } from "./packed-placement.js";

/** A placement of a tower's tables that needs next to no time. */
export interface ReadyPlacement {
  readonly placement: Placement;
  /** Dealt out; else packed, where dealing out found none. */
  readonly isDealt: boolean;
}

/** `null` where none is found so. */
export function readyPlacement(problem: PlacementProblem): ReadyPlacement | null {
  const dealt = dealtPlacement(problem);
  if (dealt !== null) return { placement: dealt, isDealt: true };
  const packed = packedPlacement(problem);
  return packed === null ? null : { placement: packed, isDealt: false };
}
