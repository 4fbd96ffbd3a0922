import { expect } from "vitest";
import type {
  Partition,
  Placement,
  PlacementOption,
  PlacementProblem,
} from "../../../../../models/table-placement/problem.js";
import type {
  Features,
  PlacementHeuristicResult,
} from "../../../../../src/problems/table-placement/methods/heuristic.js";

type Need = readonly [cost: number, hbmBytes?: number, hostBytes?: number];

interface Cluster {
  readonly nodes?: number;
  readonly gpusPerNode: number;
  /** Of every device, or of each. */
  readonly hbmBytes?: number | readonly number[];
  readonly hostBytes?: readonly number[];
  readonly hostIsPooled?: boolean;
}

/** A problem whose tables have the names t0, t1, …. */
export function problemWith(cluster: Cluster, tables: readonly (readonly PlacementOption[])[]): PlacementProblem {
  const { nodes = 1, gpusPerNode, hbmBytes = 1000, hostBytes = null, hostIsPooled = false } = cluster;
  const devices = nodes * gpusPerNode;
  return {
    name: "small",
    nodes,
    gpusPerNode,
    hbmBytes: typeof hbmBytes === "number" ? Array.from({ length: devices }, () => hbmBytes) : hbmBytes,
    hostBytes,
    hostIsPooled,
    tables: tables.map((options, t) => ({ name: `t${t}`, options, devices: null })),
    together: [],
    apart: [],
  };
}

/** One shard for any device. */
export function whole(...need: Need): PlacementOption {
  return sharded("table_wise", "device", [need]);
}

export function sharded(
  shardingType: string,
  partitionBy: Partition,
  needs: readonly Need[],
  kernel = "fused",
): PlacementOption {
  const shards = needs.map(([cost, hbmBytes = 0, hostBytes = 0]) => ({ cost, hbmBytes, hostBytes }));
  return { shardingType, kernel, partitionBy, shards };
}

/** The same need so many times. */
export function times(count: number, ...need: Need): Need[] {
  return Array.from({ length: count }, () => need);
}

/** Features for the tables t0, t1, …, as a context has them. */
export function featuresOf(...features: readonly (Features | null)[]) {
  return { tables: features.map((own, t) => ({ name: `t${t}`, features: own })) };
}

/** The plan of a result; fails the test where there is none. */
export function planOf(result: PlacementHeuristicResult): Placement {
  expect(result.kind).toBe("plan");
  return (result as { placement: Placement }).placement;
}

/** The devices of each table's shards. */
export function devicesOf(result: PlacementHeuristicResult): (readonly number[])[] {
  return planOf(result).choices.map(({ devices }) => devices);
}
