import { Rational } from "../../src/exact/rational.js";
import type { TowerJoint, TowerPartitionInstance } from "../../src/instance/tower-partition-instance.js";
import type { Grouping, GroupLoad } from "../../src/program/grouping/grouping.js";
import { towerGrouping } from "../tower-partition/build.js";
import { bytesOf } from "./placement-problem.js";
import type { TowerShape } from "./setting.js";

/**
 * The partition into T towers as an exact program. Where the instance limits no loads itself, the tables of a tower have to fit
 * into the memory of its GPUs together, a load that is left out where any tower would keep to it. `interaction` is F × F by rows.
 */
export function jointGrouping(
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  shape: TowerShape,
  interaction: Float64Array,
): Grouping {
  const grouping = towerGrouping({ ...instance, towers: shape.towers }, interaction);
  return grouping.load === null ? { ...grouping, load: memoryLoad(joint, shape, grouping) } : grouping;
}

function memoryLoad(
  { cluster, tables }: TowerJoint,
  { hostsPerTower }: TowerShape,
  { windows }: Grouping,
): GroupLoad | null {
  if (cluster.hbmBytesPerGpu === null) return null;
  const most = Math.floor(cluster.hbmBytesPerGpu) * cluster.gpusPerNode * hostsPerTower;
  const bytes = tables.map(bytesOf);
  const largest = windows.reduce((size, window) => Math.max(size, window.most), 0);
  const heaviest = bytes.toSorted((a, b) => b - a).slice(0, largest);
  if (heaviest.reduce((sum, each) => sum + each, 0) <= most) return null;
  return { weights: bytes.map(Rational.fromNumber), most: Rational.fromNumber(most) };
}
