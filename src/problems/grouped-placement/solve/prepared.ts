import type { GroupedInstance } from "../../../../models/grouped-placement/group-instance.js";
import type { PreparedPlacement } from "../../table-placement/solve/prepared.js";

/** An instance of groups with the problem of one group of every size. */
export interface PreparedGroups {
  readonly instance: GroupedInstance;
  /** Rising. */
  readonly sizes: readonly Omit<PreparedPlacement, "readSeconds">[];
  readonly readSeconds: number;
}
