import type {
  FormulaCostModel,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../instance/table-placement-instance.js";
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
}

/**
 * The options of every table with their costs, by the instance's cost model.
 *
 * Throws `InputError` where the instance's TorchRec problem is none, and `RangeError` for a cost network.
 */
export function instanceCosts(instance: TablePlacementInstance): InstanceCosts {
  const { costModel, cluster, splits } = instance;
  if (costModel.kind === "torchrec") return torchrecCosts(instance);
  if (costModel.kind === "neural") throw new RangeError("cost networks are not read yet");
  const tables = instance.tables.map((table): TableCosts => {
    if (table.kind === "options") return { options: table.options, features: table.features, phases: null };
    if (table.kind !== "features") throw new RangeError(`table ${table.name} is one of TorchRec's`);
    const mostShards = splits?.maxShardsPerTable ?? 1;
    const options = formulaOptions(costModel.kind as FormulaCostModel, table.features, mostShards);
    return { options, features: table.features, phases: null };
  });
  const devices = cluster.nodes * cluster.gpusPerNode;
  return {
    hbmBytes: cluster.hbmBytesPerGpu ?? new Array<number>(devices).fill(Number.MAX_SAFE_INTEGER),
    hostBytes: cluster.hostBytesPerGpu,
    tables,
  };
}
