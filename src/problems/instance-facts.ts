import type { Instance, RowTiersInstance } from "../instance/instance.js";
import type { TablePlacementInstance } from "../instance/table-placement-instance.js";
import type { TowerPartitionInstance } from "../instance/tower-partition-instance.js";
import { baseName } from "../text/base-name.js";
import { bytes, count } from "../text/units.js";

/** What a page says of an instance in its own terms: its size, and what it asks for. */
export function instanceFacts(instance: Instance): [string, string][] {
  if (instance.problem === "row-tiers") return rowTiersFacts(instance);
  return instance.problem === "table-placement" ? placementFacts(instance) : towerFacts(instance);
}

function rowTiersFacts({ cluster, training, tables, tiers, granularity }: RowTiersInstance): [string, string][] {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    ["cluster", clusterText(cluster)],
    ["tables", `${count(tables.length)}, ${count(rows)} rows`],
    [
      "batch",
      `${count(training.batchPerGpu)} samples per GPU; a copied parameter takes ${training.replicaMemoryFactor} times its size`,
    ],
    ["tiers", tiers.join(", ")],
    ...(granularity === 1 ? [] : [["granularity", `${count(granularity)} rows`] as [string, string]]),
  ];
}

function placementFacts(instance: TablePlacementInstance): [string, string][] {
  const { cluster, costModel, tables, together, apart } = instance;
  const limits = cluster.hbmBytesPerGpu;
  const low = (limits ?? []).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = (limits ?? []).reduce((a, b) => Math.max(a, b), 0);
  const memory = limits === null ? "not limited" : low === high ? bytes(low) : `${bytes(low)} to ${bytes(high)}`;
  const pinned = tables.filter(({ devices }) => devices !== null).length;
  const limited: [string, string][] = [
    ...(pinned === 0 ? [] : [["pinned", `${count(pinned)} tables`] as [string, string]]),
    ...(together.length === 0 ? [] : [["together", `${count(together.length)} groups of tables`] as [string, string]]),
    ...(apart.length === 0 ? [] : [["apart", `${count(apart.length)} groups of tables`] as [string, string]]),
  ];
  return [
    ["cluster", clusterText(cluster)],
    ["memory", cluster.hbmBytesPerGpu === null ? memory : `${memory} per GPU`],
    ["tables", count(tables.length)],
    ["cost model", costModel.kind === "neural" ? `learned (${baseName(costModel.file)})` : costModel.kind],
    ...limited,
  ];
}

function towerFacts({ features, towers, load }: TowerPartitionInstance): [string, string][] {
  const ratio = load?.ratio ?? null;
  return [
    ["features", `${count(features.length)} in ${count(towers)} towers`],
    ...(load === null
      ? []
      : [["loads", ratio === null ? "told, not limited" : `at most ${ratio} times the mean`] as [string, string]]),
  ];
}

function clusterText({ nodes, gpusPerNode }: { readonly nodes: number; readonly gpusPerNode: number }): string {
  const gpus = `${count(gpusPerNode)} ${gpusPerNode === 1 ? "GPU" : "GPUs"}`;
  return nodes === 1 ? `one node of ${gpus}` : `${count(nodes)} nodes of ${gpus} each`;
}
