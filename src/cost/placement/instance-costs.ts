import type { ShardingOption, TableFeatures } from "../../instance/types/table-placement.js";
import type { SetCost } from "../neural/set-cost.js";

/** What a device has left for shards, in bytes. */
export interface DeviceBytes {
  readonly hbmBytes: readonly number[];
  /** `null` where host memory does not limit. */
  readonly hostBytes: readonly number[] | null;
  /** On each device's SSD; absent where it does not limit, or no shard is on one. */
  readonly ssdBytes?: readonly number[];
}

/** A table as the instance's cost model sees it. */
export interface TableCosts {
  readonly options: readonly ShardingOption[];
  /** `null` where the instance does not have them. */
  readonly features: TableFeatures | null;
  /**
   * For each option and shard the phases whose sum its cost is, in the order in which TorchRec adds them; `null` with the
   * cost models that know no phases.
   */
  readonly phases: readonly (readonly (readonly number[])[])[] | null;
  /** Why none of the options can be run, where that is so; absent: some can, and these are all. */
  readonly refused?: string;
}

/** Options that are none, though whoever wrote the instance may take them for such. */
export interface LeftOut {
  /** How many. */
  readonly options: number;
  /** Names of the tables that have them. */
  readonly tables: readonly string[];
  /** Which, and why. */
  readonly reason: string;
  /** The rule of TorchRec's that they break, by its name: they are options of nobody. Absent: another reason. */
  readonly rule?: string;
}

export interface InstanceCosts extends DeviceBytes {
  /** Absent: nothing is. */
  readonly leftOut?: readonly LeftOut[];
  /** Options that cannot be run are among them; absent: none is. */
  readonly runnable?: false;
  /** One entry per table. */
  readonly tables: readonly TableCosts[];
  /** Where a device does not pay the sum over its shards: what it pays. */
  readonly setCost?: SetCost;
}
