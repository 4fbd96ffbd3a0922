import { PLAN } from "../verification/coverage/common.js";
import { type CoverageTable, under } from "../verification/coverage/coverage.js";

const RATE = { reason: "a first estimate from a relaxation, in floating point" };

const price = (path: string): CoverageTable => ({
  [`${path}.change`]: "computed",
  [`${path}.rate`]: RATE,
  ...under(path, "value difference bound reason", "told"),
  ...under(`${path}.proof`, "choices[][] choices[][][] certificate", "chosen"),
});

/** What `verify` makes of every field of a table-placement plan; a test holds it against the schema. */
export const TABLE_PLACEMENT: CoverageTable = {
  ...PLAN,
  "objective.unit": "computed",
  ...under("second", "goal status value bound gap exact.value exact.bound", "computed"),
  ...under("second.proof", "columns rows ceiling steps branchings", "computed"),
  ...under("second", "exact.cap certificate", "chosen"),
  ...under("stages[]", "minimize allow unit status value best bound gap most", "computed"),
  ...under("stages[].floor", "kind table devices[] value words", "computed"),
  ...under("stages[].exact", "value best bound most", "computed"),
  ...under("stages[].proof", "columns rows ceiling steps branchings", "computed"),
  ...under("stages[]", "choices[][] choices[][][] certificate", "chosen"),
  ...under("phases[]", "phase cost device", "computed"),
  ...under("moves", "mostMoved moved[]", "computed"),
  ...under("migration.bytes", "received host inside between", "computed"),
  "migration.seconds": "computed",
  ...under("migration.worth", "unit now after iterations reason", "computed"),
  ...under("", "exact.deviceCosts[] devices[][] choices deviceCosts[] deviceBytes[]", "computed"),
  ...under("memory", "hbmBytesPerGpu[] hostBytesPerGpu[] hostIsPooled deviceHostBytes[]", "computed"),
  ...under("memory", "ssdBytesPerGpu[] deviceSsdBytes[]", "computed"),
  ...under("leftOut[]", "options tables[] reason rule", "computed"),
  runnable: "computed",
  "notes[]": "computed",
  ...under("tables[]", "name shardingType kernel cost hbmBytes hostBytes ssdBytes", "computed"),
  ...under("tables[]", "hotRows hotShare cacheLoadFactor missRate", "computed"),
  ...under("tables[]", "option ranks[]", "chosen"),
  ...under("baseline[]", "method reason choices[][] choices[][][]", "told"),
  ...under("baseline[]", "status value aboveBound", "computed"),
  ...under("infeasibility", "kind memory conflict[] bytesNeeded bytesAvailable", "computed"),
  ...under("infeasibility", "leastExtraBytesPerDevice relaxed.extraBytesPerDevice explanation", "computed"),
  ...under("infeasibility.relaxed", "choices[][] choices[][][]", "chosen"),
  ...price("prices.gibPerGpu"),
  ...price("prices.device"),
  ...under("proof", "columns rows steps branchings", "computed"),
  "proof.ceiling": "chosen",
  stopped: "told",
};
