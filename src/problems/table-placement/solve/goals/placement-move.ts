import type { PlacementChoice } from "../../../../../models/table-placement/problem.js";

/** New choices for some tables, made at once. */
export type Move = readonly (readonly [table: number, choice: PlacementChoice])[];
