import type { FormulaCostModel, TablePlacementInstance } from "../../problems/table-placement/instance/instance.js";
import { listedNeeds } from "../../problems/table-placement/instance/listed-needs.js";
import { learnedCosts } from "../neural/placement-costs.js";
import { formulaOptions, hotFormulaOptions } from "./formula-options.js";
import type { DeviceBytes, InstanceCosts, TableCosts } from "./instance-costs.js";
import { leftOutPoints } from "./left-out-points.js";
import { torchrecCosts } from "./torchrec-costs.js";

/**
 * The options of every table with their costs, by the instance's cost model.
 *
 * Throws `InputError` where the instance's TorchRec problem is none, or its cost network cannot be used.
 */
export function instanceCosts(instance: TablePlacementInstance): InstanceCosts {
  const { ssdBytes, ...own } = costsOf(instance);
  const leftOut = [...(own.leftOut ?? []), ...leftOutPoints(instance, own.tables)];
  const costs = leftOut.length === 0 ? own : { ...own, leftOut };
  const isOnSsd = costs.tables.some(({ options }) =>
    options.some((option) => listedNeeds(option).some(({ need }) => (need.ssdBytes ?? 0) > 0)),
  );
  return isOnSsd && ssdBytes !== undefined ? { ...costs, ssdBytes } : costs;
}

function costsOf(instance: TablePlacementInstance): InstanceCosts {
  const { costModel } = instance;
  if (costModel.kind === "torchrec") return torchrecCosts(instance);
  const bytes = clusterBytes(instance);
  if (costModel.kind === "neural") return { ...bytes, ...learnedCosts(instance, costModel.file) };
  const mostShards = instance.splits?.maxShardsPerTable ?? 1;
  const tables = instance.tables.map((table): TableCosts => {
    if (table.kind === "options") return { options: table.options, features: table.features, phases: null };
    if (table.kind !== "features") throw new RangeError(`table ${table.name} is one of TorchRec's`);
    const model = costModel.kind as FormulaCostModel;
    const whole = formulaOptions(model, table.features, mostShards);
    const options = [...whole, ...hotFormulaOptions(model, table, instance, mostShards)];
    return { options, features: table.features, phases: null };
  });
  return { ...bytes, tables };
}

function clusterBytes({ cluster }: TablePlacementInstance): DeviceBytes {
  const devices = cluster.nodes * cluster.gpusPerNode;
  return {
    hbmBytes: cluster.hbmBytesPerGpu ?? new Array<number>(devices).fill(Number.MAX_SAFE_INTEGER),
    hostBytes: cluster.hostBytesPerGpu,
    ...(cluster.ssdBytesPerGpu === null ? {} : { ssdBytes: cluster.ssdBytesPerGpu }),
  };
}
