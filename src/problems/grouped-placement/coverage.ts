import { TABLE_PLACEMENT } from "../table-placement/coverage.js";
import { type CoverageTable, under } from "../verification/coverage/coverage.js";

/** What `verify` makes of every field of a plan of groups; a test holds it against the schema. */
export const GROUPED_PLACEMENT: CoverageTable = {
  ...TABLE_PLACEMENT,
  ...under("groups", "chosen devices layout syncEvery", "computed"),
  ...under("groups.sizes[]", "size copies hosts status value bound gap exact.value exact.bound", "computed"),
  ...under("groups.sizes[]", "syncMilliseconds largestBytes largestLookupBytes", "computed"),
  ...under("groups.sizes[]", "choices[][] choices[][][] certificate", "chosen"),
};
