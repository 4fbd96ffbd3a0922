import { type ByStatus, statusTable } from "../../../plan-file/by-status.js";
import type { GIVEN_PLACEMENT, PLACEMENT_PUBLISHED } from "../../../plan-file/method-names.js";
import type { TablePlacementPlan as PlacementFile } from "./plan-file.js";

const DECISION = ["devices", "choices", "deviceCosts", "deviceBytes"] as const;

/** `given`: a placement that was not searched for but scored. */
type Published = (typeof PLACEMENT_PUBLISHED)[number] | typeof GIVEN_PLACEMENT;

/** A table-placement plan; the unit of the instance's costs, and bytes. */
export type TablePlacementPlan = ByStatus<PlacementFile, (typeof DECISION)[number], Published>;

/** The same as a table. */
export const PLACEMENT_STATUSES = statusTable(DECISION);
