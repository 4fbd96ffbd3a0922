import type { PlacementModel } from "../../../../models/table-placement/from-instance.js";
import type { TablePlacementInstance } from "../../../instance/types/table-placement.js";

/** A placement instance with its problem. */
export interface PreparedPlacement {
  readonly instance: TablePlacementInstance;
  readonly model: PlacementModel;
  readonly readSeconds: number;
}
