import type { TowerJoint, TowerTable } from "../../src/problems/tower-partition/instance/instance.js";
import type { Program } from "../../src/program/program.js";
import { directProgram } from "../table-placement/direct-program.js";
import type { PlacementOption, PlacementProblem, ShardNeed } from "../table-placement/problem.js";

/**
 * The tables of one tower on its K hosts: whole on one GPU, by columns in 2, 4, 8, … parts, or by rows over all of them. A
 * shard costs the elements that it makes of one sample, of which the largest sum over GPUs is to be least: see README.md beside
 * this file. `features` are indices into the instance's tables.
 */
export function towerPlacementProblem(
  { cluster, tables }: TowerJoint,
  name: string,
  features: readonly number[],
  names: readonly string[],
  hosts: number,
): PlacementProblem {
  const devices = hosts * cluster.gpusPerNode;
  const here = features.map((feature) => tables[feature] as TowerTable);
  const all = here.reduce((sum, table) => sum + bytesOf(table), 0);
  const hbm = cluster.hbmBytesPerGpu === null ? all : Math.min(Math.floor(cluster.hbmBytesPerGpu), all);
  return {
    name,
    nodes: hosts,
    gpusPerNode: cluster.gpusPerNode,
    hbmBytes: new Array<number>(devices).fill(hbm),
    hostBytes: null,
    hostIsPooled: false,
    tables: here.map((table, k) => ({
      name: names[features[k] as number] as string,
      options: optionsOf(table, devices),
      devices: null,
    })),
    together: [],
    apart: [],
  };
}

/** What {@link towerPlacementProblem} is proved on. */
export function towerPlacementProgram(...tower: Parameters<typeof towerPlacementProblem>): Program {
  return directProgram(towerPlacementProblem(...tower)).program;
}

/** Bytes of a table in memory. */
export function bytesOf({ rows, dim, elementBytes }: TowerTable): number {
  return rows * dim * elementBytes;
}

function optionsOf(table: TowerTable, devices: number): readonly PlacementOption[] {
  const { rows, dim, elementBytes } = table;
  const option = (shardingType: string, partitionBy: "device" | "uniform", shards: readonly ShardNeed[]) => ({
    ...{ shardingType, kernel: "fused", partitionBy, shards },
  });
  const byColumns = (columns: number) => ({ cost: columns, hbmBytes: rows * columns * elementBytes, hostBytes: 0 });
  const byRows = (count: number) => ({ cost: dim, hbmBytes: count * dim * elementBytes, hostBytes: 0 });
  const options = [option("table_wise", "device", [byColumns(dim)])];
  for (let parts = 2; parts <= mostParts(dim, devices); parts *= 2) {
    options.push(option("column_wise", "device", evenParts(dim, parts).map(byColumns)));
  }
  if (devices > 1 && rows >= devices) options.push(option("row_wise", "uniform", evenParts(rows, devices).map(byRows)));
  return options;
}

/** The most parts that a table of so many columns is split into on so many GPUs, a power of two. */
export function mostParts(dim: number, devices: number): number {
  let parts = 1;
  while (2 * parts <= Math.min(devices, dim)) parts *= 2;
  return parts;
}

/** Integers that differ by at most one and add up to `whole`, the larger first. */
export function evenParts(whole: number, parts: number): readonly number[] {
  const least = Math.floor(whole / parts);
  return Array.from({ length: parts }, (_, k) => (k < whole - least * parts ? least + 1 : least));
}
