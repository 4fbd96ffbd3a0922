import { Rational } from "../../src/exact/rational.js";
import type { TowerJoint, TowerPartitionInstance } from "../../src/instance/types/tower-partition.js";
import type { ClusterLoad, Grouping } from "../../src/program/grouping/grouping.js";
import { towerGrouping } from "../tower-partition/build.js";
import { conflictOf } from "./conflict.js";
import { leastHbmBytes } from "./placement-problem.js";
import type { TowerShape } from "./setting.js";

/**
 * The partition into T towers as an exact program, with limits that every partition keeps whose tables have a place.
 * The bytes that a tower's tables take at least fit into the memory of its GPUs together; this load is left out where every tower keeps
 * it. No set of `unplaceable` is in one tower, nor one that needs no less: features whose tables were proved to have no
 * place on the GPUs of one tower. So the optimum bounds all partitions with a place; if the program has no partition,
 * no partition has a place. `interaction` is F × F by rows.
 */
export function jointGrouping(
  instance: TowerPartitionInstance,
  joint: TowerJoint,
  shape: TowerShape,
  interaction: Float64Array,
  unplaceable: readonly (readonly number[])[] = [],
): Grouping {
  const grouping = towerGrouping({ ...instance, towers: shape.towers }, interaction);
  const memory = memoryLoad(joint, shape, grouping);
  const conflicts = unplaceable.map((features) => conflictOf(joint, shape, features));
  return {
    ...grouping,
    load: grouping.load ?? memory,
    furtherLoads: grouping.load === null || memory === null ? [] : [memory],
    conflicts,
  };
}

function memoryLoad(joint: TowerJoint, shape: TowerShape, { windows }: Grouping): ClusterLoad | null {
  const { cluster, tables } = joint;
  if (cluster.hbmBytesPerGpu === null) return null;
  const most = Math.floor(cluster.hbmBytesPerGpu) * cluster.gpusPerNode * shape.hostsPerTower;
  const bytes = tables.map((table) => leastHbmBytes(joint, shape, table));
  const largest = windows.reduce((size, window) => Math.max(size, window.most), 0);
  const heaviest = bytes.toSorted((a, b) => b - a).slice(0, largest);
  if (heaviest.reduce((sum, each) => sum + each, 0) <= most) return null;
  return { weights: bytes.map(Rational.fromNumber), most: Rational.fromNumber(most) };
}
