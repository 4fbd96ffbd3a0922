import { breakPoints } from "../../access/break-points.js";
import { knownClasses } from "../../access/known-classes.js";
import { listedNeeds } from "../../instance/types/listed-needs.js";
import type { FormulaCostModel, TablePlacementInstance } from "../../instance/types/table-placement.js";
import { learnedCosts } from "../neural/placement-costs.js";
import { formulaOptions, hotFormulaOptions } from "./formula-options.js";
import type { DeviceBytes, InstanceCosts, LeftOut, TableCosts } from "./instance-costs.js";
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

/** Break-points of access curves that are no split points and no sizes of caches, because the curve bends at more than are allowed. */
export function leftOutPoints(
  { tables, hotRows, caches }: Pick<TablePlacementInstance, "tables" | "hotRows" | "caches">,
  costs: readonly TableCosts[],
): readonly LeftOut[] {
  const sizes = caches !== undefined && "maxPoints" in caches ? caches.maxPoints : Number.POSITIVE_INFINITY;
  const uses = [
    { most: hotRows?.maxPoints ?? Number.POSITIVE_INFINITY, key: "splits.hotRows.maxPoints", what: "splits" },
    { most: sizes, key: "caches.maxPoints", what: "sizes of caches" },
  ].filter(({ most }) => most < Number.POSITIVE_INFINITY);
  if (uses.length === 0) return [];
  const bends = tables.map(({ access }, t) => {
    const rows = costs[t]?.features?.rows;
    if (access === undefined || rows === undefined) return 0;
    return breakPoints(knownClasses(access, rows), Number.POSITIVE_INFINITY).length;
  });
  return uses.flatMap(({ most, key, what }): LeftOut[] => {
    const over = tables.flatMap(({ name }, t) =>
      (bends[t] as number) > most ? [{ name, bends: bends[t] as number }] : [],
    );
    if (over.length === 0) return [];
    const options = over.reduce((sum, one) => sum + one.bends - most, 0);
    const reason = `${what} at bends of the access curve beyond the ${most} that ${key} allows`;
    return [{ options, tables: over.map(({ name }) => name), reason }];
  });
}
