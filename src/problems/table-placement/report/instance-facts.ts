import { baseName } from "../../../text/base-name.js";
import { bytes, count } from "../../../text/units.js";
import { clusterText } from "../../show/cluster-text.js";
import type { TablePlacementInstance } from "../instance/instance.js";

/** What a page says of an instance in its own terms: its size, and what it asks for. */
export function placementFacts(instance: TablePlacementInstance): [string, string][] {
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
