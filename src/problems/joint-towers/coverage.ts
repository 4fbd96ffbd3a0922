import { TOWER_PARTITION } from "../tower-partition/coverage.js";
import { type CoverageTable, under } from "../verification/coverage/coverage.js";

const placement = (path: string): CoverageTable => ({
  ...under(path, "status largestElements bound", "computed"),
  ...under(path, "choices[][] choices[][][] certificate", "chosen"),
});
const seconds = (path: string): CoverageTable => under(path, "value bound gap exact.value exact.bound", "computed");
const steps = (path: string): CoverageTable =>
  under(path, "pass step world insideHostBytes acrossHostsBytes hostMemoryBytes seconds", "computed");

/** What `verify` makes of every field of a plan of towers with tables; a test holds it against the schema. */
export const JOINT_TOWERS: CoverageTable = {
  ...TOWER_PARTITION,
  ...under("joint", "chosen.towers chosen.hostsPerTower memory.hbmBytesPerGpu", "computed"),
  ...seconds("joint.seconds"),
  ...under("joint.flat", "status idSeconds largestBytes", "computed"),
  ...seconds("joint.flat.seconds"),
  ...steps("joint.flat.steps[]"),
  ...placement("joint.flat.placement"),
  ...steps("joint.steps[]"),
  ...under("joint", "devices[][] deviceBytes[] deviceElements[] deviceHostBytes[]", "computed"),
  ...under("joint.tables[]", "name tower shardingType ranks[] sizes[] hotRows cacheLoadFactor", "computed"),
  ...under("joint.rows[]", "towers hostsPerTower status reason idSeconds largestElements largestBytes", "computed"),
  ...seconds("joint.rows[].seconds"),
  ...under("joint.rows[].partition", "status value bound gap exact.value exact.bound", "computed"),
  ...under("joint.rows[].partition", "numbering[] certificate", "chosen"),
  ...under("joint.rows[].partition.unplaceable[]", "features[] certificate", "chosen"),
  ...placement("joint.rows[].placements[]"),
};
