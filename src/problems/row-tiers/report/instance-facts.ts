import { count } from "../../../text/units.js";
import { clusterText } from "../../show/cluster-text.js";
import type { RowTiersInstance } from "../instance/instance.js";

/** What a page says of an instance in its own terms: its size, and what it asks for. */
export function rowTiersFacts({ cluster, training, tables, tiers, granularity }: RowTiersInstance): [string, string][] {
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
