import { nothing, paint, table } from "../../../terminal/table.js";
import { printable } from "../../../text/printable.js";
import { bytes, count, percent, significant } from "../../../text/units.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** Devices listed before only the costliest are. */
const MAX_DEVICES = 40;
const COSTLIEST = 20;

/** Characters for the names of a device's shards. */
const MAX_NAMES = 60;

/** A line for each device: what it costs, what it holds. */
export function showDevices(plan: TablePlacementPlan): string {
  const costs = plan.deviceCosts ?? [];
  const value = Math.max(...costs);
  const all = costs.map((_, device) => device);
  const listed =
    all.length <= MAX_DEVICES
      ? all
      : all.sort((a, b) => (costs[b] as number) - (costs[a] as number) || a - b).slice(0, COSTLIEST);
  const { deviceHostBytes, hbmBytesPerGpu } = plan.memory;
  const unit = plan.objective.unit === null ? "cost" : `cost ${printable(plan.objective.unit)}`;
  const head = ["device", unit, "of largest", "memory", ...(hbmBytesPerGpu ? ["of its own"] : [])];
  const rows = listed.map((device) => {
    const cost = costs[device] as number;
    const used = plan.deviceBytes?.[device] as number;
    const cells = [
      String(device),
      significant(cost, 6),
      value === 0 ? nothing() : percent(cost / value),
      bytes(used),
      ...(hbmBytesPerGpu ? [shareText(used, hbmBytesPerGpu[device] as number)] : []),
      ...(deviceHostBytes ? [bytes(deviceHostBytes[device] as number)] : []),
      namesText(plan.devices?.[device] ?? []),
    ];
    return cost === value ? cells.map((cell) => paint.bold(cell)) : cells;
  });
  const columns = [...head, ...(deviceHostBytes ? ["host memory"] : []), "tables"];
  const grid = table(columns, rows, `${"r".repeat(columns.length - 1)}l`);
  if (listed.length === costs.length) return grid;
  const rest = `the costliest ${listed.length} of ${count(costs.length)} devices; all are in --json`;
  return `${grid}\n  ${paint.dim(rest)}`;
}

function shareText(used: number, limit: number): string {
  if (limit === 0) return used === 0 ? "0 %" : nothing();
  return percent(used / limit);
}

/** How many there are, and as many names as fit. */
function namesText(names: readonly string[]): string {
  if (names.length === 0) return paint.dim("none");
  let text = "";
  let listed = 0;
  for (const name of names) {
    const longer = listed === 0 ? printable(name) : `${text}, ${printable(name)}`;
    if (listed > 0 && longer.length > MAX_NAMES) break;
    text = longer;
    listed++;
  }
  const rest = names.length - listed;
  return rest === 0 ? text : `${text}, ${paint.dim(`… ${count(rest)} more`)}`;
}
