import { plainOptions } from "../../../../models/joint-towers/table-options.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Without } from "../../../search/strategies.js";
import { dealtPlacement } from "./dealt-placement.js";
import { packedPlacement } from "./packed-placement.js";

/** A placement of a tower's tables that needs next to no time. */
export interface ReadyPlacement {
  readonly placement: Placement;
  /** Dealt out; else packed, where dealing out found none. */
  readonly isDealt: boolean;
}

/** What a ready placement can do without, by name. */
export const READY_STRATEGIES: readonly string[] = ["dealt placement", "packed placement"];

/** `null` where none is found so. Hot rows and caches are left to the search: options without them come first, and have the same numbers. */
export function readyPlacement(whole: PlacementProblem, without: Without): ReadyPlacement | null {
  const tables = whole.tables.map((table) => ({ ...table, options: plainOptions(table.options) }));
  const problem = { ...whole, tables };
  const dealt = without.has("dealt placement") ? null : dealtPlacement(problem);
  if (dealt !== null) return { placement: dealt, isDealt: true };
  const packed = without.has("packed placement") ? null : packedPlacement(problem);
  return packed === null ? null : { placement: packed, isDealt: false };
}
