import { PLAN } from "../verification/coverage/common.js";
import { type CoverageTable, under } from "../verification/coverage/coverage.js";

/** What `verify` makes of every field of a tower-partition plan; a test holds it against the schema. */
export const TOWER_PARTITION: CoverageTable = {
  ...PLAN,
  "objective.strategy": "computed",
  ...under("random", "value capturedShare", "computed"),
  "towers[][]": "chosen",
  ...under("", "sizes[] towerCosts[] loads[]", "computed"),
  ...under("limits", "sizes[][] load.ratio load.mean load.most", "computed"),
  ...under("baseline[]", "method reason numbering[]", "told"),
  ...under("baseline[]", "status value aboveBound capturedShare", "computed"),
  ...under("infeasibility", "kind conflict[] loadNeeded loadAllowed relaxed.loadRatio explanation", "computed"),
  "infeasibility.relaxed.numbering[]": "chosen",
  ...under("proof", "steps branchings", "computed"),
  stopped: "told",
};
