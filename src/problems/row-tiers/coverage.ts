import { COLLECTIVES } from "../../instance/cluster.js";
import { PLAN } from "../verification/coverage/common.js";
import { type CoverageTable, under } from "../verification/coverage/coverage.js";

const collectives = COLLECTIVES.join(" ");

/** What `verify` makes of every field of a row-tiers plan; a test holds it against the schema. */
export const ROW_TIERS: CoverageTable = {
  ...PLAN,
  ...under("time", "kind seconds", "computed"),
  ...under("moves", "plan rows bytesPerGpu knownBy[].table knownBy[].by", "computed"),
  ...under("moves.moves[]", "table from to rows bytesPerGpu", "computed"),
  ...under("stages[]", "minimize allow unit status value best bound gap most", "computed"),
  ...under("stages[].exact", "value best bound most", "computed"),
  ...under("stages[].floor", "binding[].limit binding[].at words", "computed"),
  ...under("stages[].floor.largest", "table tier share", "computed"),
  ...under("stages[]", "runs[][][] certificate", "chosen"),
  ...under("stages[].proof", "classes columns steps branchings", "computed"),
  ...under("exact", "bytesPerGpu budgetBytesPerGpu hostBytesPerNode", "computed"),
  ...under("memory", "bytesPerGpu budgetBytesPerGpu hbmBytesPerGpu", "computed"),
  ...under("memory.host", "bytesPerNode budgetBytesPerNode", "computed"),
  ...under("collectives", collectives, "computed"),
  ...under("prices", "secondsPerGiBPerGpu pricePerByte", "computed"),
  ...under("prices.host", "secondsPerGiBPerNode pricePerByte", "computed"),
  ...under("baseline[]", "method reason runs[][][]", "told"),
  ...under("baseline[]", "status value bytesPerGpu aboveBound", "computed"),
  ...under("infeasibility", "leastBytesPerGpu tables[].name tables[].leastBytesPerGpu", "computed"),
  ...under("infeasibility", "conflict[] explanation", "computed"),
  ...under("tables[]", "name rows", "computed"),
  "tables[].runs[][]": "chosen",
  ...under("tables[].tiers[]", "tier rows accessShare parameterBytes readBytesPerSample", "computed"),
  ...under("tables[].tiers[]", "memoryBytesPerGpu hostBytesPerNode", "computed"),
  ...under("tables[].tiers[].collectives", collectives, "computed"),
  ...under("proof", "classes columns steps branchings", "computed"),
};
