import type {
  FormulaCostModel,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../instance/table-placement-instance.js";
import { learnedCosts } from "../neural/placement-costs.js";
import type { SetCost } from "../neural/set-cost.js";
import { formulaOptions } from "./formula-options.js";
import { torchrecCosts } from "./torchrec-costs.js";

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
}

/** What a device has left for shards, in bytes. */
export interface DeviceBytes {
  readonly hbmBytes: readonly number[];
  /** `null` where host memory does not limit. */
  readonly hostBytes: readonly number[] | null;
}

export interface InstanceCosts extends DeviceBytes {
  /** One entry per table. */
  readonly tables: readonly TableCosts[];
  /** Where a device does not pay the sum over its shards: what it pays. */
  readonly setCost?: SetCost;
}

/**
 * The options of every table with their costs, by the instance's cost model.
 *
 * Throws `InputError` where the instance's TorchRec problem is none, or its cost network cannot be used.
 */
export function instanceCosts(instance: TablePlacementInstance): InstanceCosts {
  const { costModel } = instance;
  if (costModel.kind === "torchrec") return torchrecCosts(instance);
  const bytes = clusterBytes(instance);
  if (costModel.kind === "neural") return { ...bytes, ...learnedCosts(instance, costModel.file) };
  const mostShards = instance.splits?.maxShardsPerTable ?? 1;
  const tables = instance.tables.map((table): TableCosts => {
    if (table.kind === "options") return { options: table.options, features: table.features, phases: null };
    if (table.kind !== "features") throw new RangeError(`table ${table.name} is one of TorchRec's`);
    const options = formulaOptions(costModel.kind as FormulaCostModel, table.features, mostShards);
    return { options, features: table.features, phases: null };
  });
  return { ...bytes, tables };
}

function clusterBytes({ cluster }: TablePlacementInstance): DeviceBytes {
  const devices = cluster.nodes * cluster.gpusPerNode;
  return {
    hbmBytes: cluster.hbmBytesPerGpu ?? new Array<number>(devices).fill(Number.MAX_SAFE_INTEGER),
    hostBytes: cluster.hostBytesPerGpu,
  };
}
