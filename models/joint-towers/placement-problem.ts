import type { TowerJoint, TowerTable } from "../../src/instance/types/tower-partition.js";
import type { PlacementOption, PlacementProblem } from "../table-placement/problem.js";
import type { TowerShape } from "./setting.js";
import { optionsOf } from "./table-options.js";

/**
 * The tables of one tower on its K hosts: whole on one GPU, by columns in 2, 4, 8, … parts, or by rows over all of them,
 * with hot rows and caches where the instance has them to choose. A shard costs the elements that it makes of one sample, of
 * which the largest sum over GPUs is to be least; with caches what is fetched is a phase beside it: see README.md beside this file. `features` are indices
 * into the instance's tables.
 */
export function towerPlacementProblem(
  joint: TowerJoint,
  name: string,
  features: readonly number[],
  names: readonly string[],
  hosts: number,
): PlacementProblem {
  const { cluster, tables, caches } = joint;
  const devices = hosts * cluster.gpusPerNode;
  const shape = { towers: cluster.nodes / hosts, hostsPerTower: hosts };
  const here = features.map((feature) => tables[feature] as TowerTable);
  const all = here.reduce((sum, table) => sum + bytesOf(table), 0);
  const hbm = cluster.hbmBytesPerGpu === null ? all : Math.min(Math.floor(cluster.hbmBytesPerGpu), all);
  return {
    name,
    nodes: hosts,
    gpusPerNode: cluster.gpusPerNode,
    hbmBytes: new Array<number>(devices).fill(hbm),
    hostBytes: hostBytesOf(joint, devices, all),
    hostIsPooled: false,
    tables: here.map((table, k) => ({
      name: names[features[k] as number] as string,
      options: optionsOf(joint, shape, table),
      devices: null,
    })),
    together: [],
    apart: [],
    ...(caches === undefined ? {} : { goal: "phases" }),
  };
}

function hostBytesOf({ cluster: { host } }: TowerJoint, devices: number, all: number): readonly number[] | null {
  if (host === undefined || host.bytesPerGpu === null) return null;
  return new Array<number>(devices).fill(Math.min(Math.floor(host.bytesPerGpu), all));
}

/** The bytes that a table takes of the GPUs of a tower together, at least. */
export function leastHbmBytes(joint: TowerJoint, shape: TowerShape, table: TowerTable): number {
  // Hot rows are beside the others; only a cache is less than its table.
  if (joint.caches === undefined) return bytesOf(table);
  const ofOption = ({ shards }: PlacementOption) => shards.reduce((sum, { hbmBytes }) => sum + hbmBytes, 0);
  return optionsOf(joint, shape, table).reduce((least, option) => Math.min(least, ofOption(option)), bytesOf(table));
}

/** Bytes of a table in memory. */
export function bytesOf({ rows, dim, elementBytes }: TowerTable): number {
  return rows * dim * elementBytes;
}
