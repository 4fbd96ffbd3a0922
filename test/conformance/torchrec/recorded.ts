import { readFileSync } from "node:fs";

/**
 * Numbers that TorchRec's own planner gave: fixtures/cases.json on the inputs of its own tests, fixtures/placement.json on
 * eight placement problems. Source, commit and licence are in the files.
 */

export interface RecordedTopology {
  readonly world_size: number;
  readonly local_world_size: number;
  readonly compute_device: string;
  readonly intra_host_bw?: number;
  readonly inter_host_bw?: number;
}

export interface RecordedPerf {
  readonly fwd_compute: number;
  readonly fwd_comms: number;
  readonly bwd_compute: number;
  readonly bwd_comms: number;
  readonly input_dist_comms: number;
  readonly prefetch_compute: number;
  readonly total: number;
}

export interface RecordedEstimate {
  readonly option: {
    readonly table: string;
    readonly sharding_type: string;
    readonly kernel: string;
    readonly rows: number;
    readonly cols: number;
    readonly dtype_bytes: 2 | 4;
    readonly input_lengths: readonly number[];
    readonly num_poolings: readonly number[];
    readonly batch_sizes: readonly number[];
    readonly is_pooled: boolean;
    readonly is_weighted: boolean;
    readonly clf?: number;
    readonly expected_lookups?: number;
    readonly miss_rate?: number;
    readonly output_dtype_bytes?: 4;
    readonly min_partition?: number;
  };
  readonly expect_shard_sizes: readonly (readonly [number, number])[];
  readonly expect_offsets: readonly (readonly [number, number])[];
  readonly expect_perf?: readonly RecordedPerf[];
  readonly expect_storage?: readonly { readonly hbm: number; readonly ddr: number; readonly ssd: number }[];
}

export interface RecordedSearchSpaceOption {
  readonly name: string;
  readonly partition_by: string;
  readonly sharding_type: string;
  readonly kernel: string;
  readonly shards: readonly {
    readonly size: readonly [number, number];
    readonly offset: readonly [number, number];
    readonly perf: number;
    readonly hbm: number;
    readonly ddr: number;
    readonly ssd: number;
  }[];
}

export interface RecordedDevice {
  readonly hbm: number;
  readonly ddr: number;
  readonly ssd: number;
}

export interface RecordedCase {
  readonly id: string;
  readonly topology?: RecordedTopology;
  readonly estimates?: readonly RecordedEstimate[];
  readonly search_space?: readonly RecordedSearchSpaceOption[];
  readonly devices_after_reservation?: readonly RecordedDevice[];
  readonly reservation?: { readonly policy: string; readonly dense_bytes: number | null; readonly kjt_bytes: number };
  readonly inline?: readonly Record<string, unknown>[];
}

export interface RecordedPlacement {
  readonly id: string;
  readonly topology: RecordedTopology;
  readonly batch_size: number;
  readonly devices: readonly RecordedDevice[];
  readonly tables: readonly { readonly name: string }[];
  readonly note?: string;
  readonly space?: Readonly<Record<string, readonly RecordedSpaceOption[]>>;
}

export interface RecordedSpaceOption {
  readonly sharding_type: string;
  readonly kernel: string;
  readonly partition_by: string;
  readonly shards_rle: readonly (readonly [
    number,
    { readonly perf: number; readonly hbm: number; readonly ddr: number },
  ])[];
}

export const recordedCases = casesOf<RecordedCase>("cases.json");
export const recordedPlacements = casesOf<RecordedPlacement>("placement.json");

export function recordedCase(id: string): RecordedCase {
  const found = recordedCases.find((one) => one.id === id);
  if (!found) throw new Error(`no recorded case ${id}`);
  return found;
}

function casesOf<Case>(file: string): readonly Case[] {
  return JSON.parse(readFileSync(new URL(`fixtures/${file}`, import.meta.url), "utf8")).cases;
}
