import { COLLECTIVES } from "../../../instance/instance.js";
import { CLAIM, PLAN, PROGRAM, REQUEST, TIMING } from "./common.js";
import { type CoverageTable, under } from "./coverage.js";

const collectives = COLLECTIVES.join(" ");

/** What `verify` makes of every field of a row-tiers plan; a test holds it against the schema. */
export const ROW_TIERS: CoverageTable = {
  ...PLAN,
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

const RATE = { reason: "a first estimate from a relaxation, in floating point" };

const price = (path: string): CoverageTable => ({
  [`${path}.change`]: "computed",
  [`${path}.rate`]: RATE,
  ...under(path, "value difference reason", "told"),
  ...under(`${path}.proof`, "choices[][] choices[][][] certificate", "chosen"),
});

/** The same of a table-placement plan. */
export const TABLE_PLACEMENT: CoverageTable = {
  ...PLAN,
  "objective.unit": "computed",
  ...under("second", "goal status value bound gap exact.value exact.bound", "computed"),
  ...under("second.proof", "columns rows ceiling steps branchings", "computed"),
  ...under("second", "exact.cap certificate", "chosen"),
  ...under("phases[]", "phase cost device", "computed"),
  ...under("moves", "mostMoved moved[]", "computed"),
  ...under("", "exact.deviceCosts[] devices[][] choices deviceCosts[] deviceBytes[]", "computed"),
  ...under("memory", "hbmBytesPerGpu[] hostBytesPerGpu[] hostIsPooled deviceHostBytes[]", "computed"),
  ...under("tables[]", "name shardingType kernel cost hbmBytes hostBytes", "computed"),
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

const placement = (path: string): CoverageTable => ({
  ...under(path, "status largestElements bound", "computed"),
  ...under(path, "choices[][] choices[][][] certificate", "chosen"),
});
const seconds = (path: string): CoverageTable => under(path, "value bound gap exact.value exact.bound", "computed");
const steps = (path: string): CoverageTable =>
  under(path, "pass step world insideHostBytes acrossHostsBytes seconds", "computed");

const JOINT: CoverageTable = {
  ...under("joint", "chosen.towers chosen.hostsPerTower memory.hbmBytesPerGpu", "computed"),
  ...seconds("joint.seconds"),
  ...under("joint.flat", "status idSeconds largestBytes", "computed"),
  ...seconds("joint.flat.seconds"),
  ...steps("joint.flat.steps[]"),
  ...placement("joint.flat.placement"),
  ...steps("joint.steps[]"),
  ...under("joint", "devices[][] deviceBytes[] deviceElements[]", "computed"),
  ...under("joint.tables[]", "name tower shardingType ranks[] sizes[]", "computed"),
  ...under("joint.rows[]", "towers hostsPerTower status reason idSeconds largestElements largestBytes", "computed"),
  ...seconds("joint.rows[].seconds"),
  ...under("joint.rows[].partition", "status value bound gap exact.value exact.bound", "computed"),
  ...under("joint.rows[].partition", "numbering[] certificate", "chosen"),
  ...under("joint.rows[].partition.unplaceable[]", "features[] certificate", "chosen"),
  ...placement("joint.rows[].placements[]"),
};

/** The same of a tower-partition plan. */
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
  ...JOINT,
};

/** The same of a certificate file of a program. */
export const PROGRAM_CERTIFICATE: CoverageTable = { ...PROGRAM, point: "chosen" };

/** The same of a solution of a program. */
export const PROGRAM_SOLUTION: CoverageTable = {
  ...PROGRAM,
  ...under("model", "sense columns integerColumns rows nonZeros contents", "computed"),
  "notes[]": { reason: "what was told of the model's file when it was read" },
  ...under("request", "timeLimitSeconds seed solver", REQUEST),
  ...under("", "variables ray", "chosen"),
  reason: { reason: "how the search ended, in its own words" },
  ...under("claims[]", "solver status value bound failure", CLAIM),
  "contradictions[]": { reason: "what was made of the solvers' words, which are not checked" },
  nodes: { reason: "how far the search went, of which the certificate says nothing" },
  ...under("proof", "steps branchings", "computed"),
  certificateFile: "computed",
  ...TIMING,
};
