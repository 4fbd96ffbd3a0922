import type {
  Partition,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
} from "../../../models/table-placement/problem.js";
import {
  type RecordedCase,
  type RecordedDevice,
  type RecordedPlacement,
  type RecordedTopology,
  recordedCase,
  recordedPlacements,
} from "./recorded.js";

/** What TorchRec's planner made of the recorded problems: parts of fixtures/cases.json and placement.json. */

/** Table, sharding type, kernel. */
export type RecordedChoice = readonly [table: string, shardingType: string, kernel: string];

export interface RecordedPartition {
  readonly options: readonly RecordedPartitionOption[];
  readonly devices: readonly RecordedDevice[];
  readonly local_world_size: number;
}

interface RecordedPartitionOption {
  readonly name: string;
  readonly partition_by: string;
  readonly sharding_type: string;
  readonly kernel: string;
  readonly shards: readonly { readonly perf: number; readonly hbm: number; readonly ddr: number }[];
}

export interface RecordedPlan {
  readonly perf_rating: number;
  readonly num_proposals: number;
  readonly num_plans?: number;
  readonly plan?: Readonly<
    Record<string, { readonly sharding_type: string; readonly kernel: string; readonly ranks: readonly number[] }>
  >;
  readonly error?: string | null;
}

/** The options to partition and the ranks that they came to, or `"error"`. */
export function recordedPartition(id: string): {
  readonly problem: PlacementProblem;
  readonly ranks: Readonly<Record<string, readonly number[]>> | "error";
} {
  const found = recordedCase(id) as RecordedCase & {
    readonly partition: RecordedPartition;
    readonly expect: { readonly ranks: Readonly<Record<string, readonly number[]>> | "error" };
  };
  const { options, devices, local_world_size } = found.partition;
  return { problem: problemOf(id, local_world_size, devices, byName(options)), ranks: found.expect.ranks };
}

/** The search space of `estimates` or `search_space`, and what was recorded of it. */
export function recordedSearch<Expected>(id: string): {
  readonly problem: PlacementProblem;
  readonly expected: Expected;
} {
  const found = recordedCase(id) as RecordedCase & { readonly expect: Expected };
  const topology = found.topology as RecordedTopology;
  const roomy = Array.from({ length: topology.world_size }, () => ({ hbm: 100 * 2 ** 30, ddr: 2 ** 40, ssd: 0 }));
  const devices = found.devices_after_reservation ?? roomy;
  const options = found.search_space ?? (found.estimates ?? []).map(optionOf);
  return {
    problem: problemOf(id, topology.local_world_size, devices, byName(options)),
    expected: found.expect,
  };
}

/** A problem of placement.json in the order in which TorchRec enumerated its options, and what became of it. */
export function recordedPlacementRun(id: string): {
  readonly problem: PlacementProblem;
  readonly byDefault: RecordedPlan;
  readonly byDynamicProgramming: RecordedPlan | undefined;
} {
  const found = recordedPlacements.find((one) => one.id === id) as RecordedPlacement & {
    readonly torchrec_default: RecordedPlan;
    readonly torchrec_dp?: RecordedPlan;
  };
  const tables = new Map<string, PlacementOption[]>();
  for (const { name } of found.tables) {
    const options = (found.space?.[name] ?? []).map(({ sharding_type, kernel, partition_by, shards_rle }) => ({
      shardingType: sharding_type,
      kernel,
      partitionBy: partition_by as Partition,
      shards: shards_rle.flatMap(([count, { perf, hbm, ddr }]) =>
        Array.from({ length: count }, () => ({ cost: perf, hbmBytes: hbm, hostBytes: ddr })),
      ),
    }));
    tables.set(name, options);
  }
  return {
    problem: problemOf(id, found.topology.local_world_size, found.devices, tables),
    byDefault: found.torchrec_default,
    byDynamicProgramming: found.torchrec_dp,
  };
}

const PARTITION_BY: Readonly<Record<string, Partition>> = {
  data_parallel: "uniform",
  row_wise: "uniform",
  table_row_wise: "host",
  table_column_wise: "host",
  grid_shard: "multi_host",
};

function optionOf({ option, expect_perf, expect_storage }: NonNullable<RecordedCase["estimates"]>[number]) {
  return {
    name: option.table,
    partition_by: PARTITION_BY[option.sharding_type] ?? "device",
    sharding_type: option.sharding_type,
    kernel: option.kernel,
    shards: (expect_perf ?? []).map(({ total }, k) => ({
      perf: total,
      hbm: expect_storage?.[k]?.hbm ?? 0,
      ddr: expect_storage?.[k]?.ddr ?? 0,
    })),
  };
}

function byName(options: readonly RecordedPartitionOption[]): Map<string, PlacementOption[]> {
  const tables = new Map<string, PlacementOption[]>();
  for (const { name, partition_by, sharding_type, kernel, shards } of options) {
    const option: PlacementOption = {
      shardingType: sharding_type,
      kernel,
      partitionBy: partition_by as Partition,
      shards: shards.map(({ perf, hbm, ddr }) => ({ cost: perf, hbmBytes: hbm, hostBytes: ddr })),
    };
    tables.set(name, [...(tables.get(name) ?? []), option]);
  }
  return tables;
}

export function problemOf(
  name: string,
  gpusPerNode: number,
  devices: readonly RecordedDevice[],
  tables: ReadonlyMap<string, readonly PlacementOption[]>,
): PlacementProblem {
  return {
    name,
    nodes: devices.length / gpusPerNode,
    gpusPerNode,
    hbmBytes: devices.map(({ hbm }) => hbm),
    hostBytes: devices.map(({ ddr }) => ddr),
    hostIsPooled: false,
    tables: Array.from(tables, ([table, options]): PlacementTable => ({ name: table, options, devices: null })),
    together: [],
    apart: [],
  };
}
