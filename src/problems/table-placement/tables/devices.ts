import { faint, type Medium, only, quantity, type Said } from "../../../text/said.js";
import { percent, significant } from "../../../text/units.js";
import { bytesAt } from "../../facts.js";
import { NOTHING, type PlanRow, type PlanTable } from "../../plan-table.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** Devices that the terminal lists before only the costliest are. */
const MAX_DEVICES = 40;
const COSTLIEST = 20;

/** Of the names of a device's shards. */
const MOST = { characters: 60, entries: 12 };

/** What every device costs and holds; of many the terminal has the costliest alone. */
export function deviceTable(plan: TablePlacementPlan): PlanTable {
  const { deviceBytes, devices, objective, memory } = plan;
  const { deviceHostBytes, deviceSsdBytes, hbmBytesPerGpu } = memory;
  const costs = plan.deviceCosts ?? [];
  const largest = Math.max(...costs);
  const cellsOf = (d: number): PlanRow["cells"] => {
    const cost = costs[d] as number;
    const used = deviceBytes?.[d] ?? 0;
    return [
      String(d),
      quantity(`deviceCosts.${d}`, cost, significant(cost, 6)),
      largest === 0 ? NOTHING : { share: cost / largest },
      bytesAt(`deviceBytes.${d}`, used),
      ...(hbmBytesPerGpu ? [shareOf(used, hbmBytesPerGpu[d] ?? 0)] : []),
      ...(deviceHostBytes ? [bytesAt(`memory.deviceHostBytes.${d}`, deviceHostBytes[d] ?? 0)] : []),
      ...(deviceSsdBytes ? [bytesAt(`memory.deviceSsdBytes.${d}`, deviceSsdBytes[d] ?? 0)] : []),
      { names: devices?.[d] ?? [], most: MOST, none: [only("terminal", faint("none")), only("page", "nothing")] },
    ];
  };
  // Of many devices most rows are for the page alone: there they are written, and nowhere else.
  const row = (d: number, on?: Medium): PlanRow => ({
    get cells() {
      return cellsOf(d);
    },
    isStrong: costs[d] === largest,
    ...(on && { on }),
  });
  const all = [...costs.keys()];
  const some = costliest(costs);
  const rowsOn = (list: readonly number[], on: Medium) => list.map((d) => row(d, on));
  return {
    caption: "What every device holds",
    columns: [
      { head: "device", align: "r" },
      { head: objective.unit === null ? "cost" : `cost ${objective.unit}`, align: "r" },
      { head: "of largest", align: "r", on: "terminal" },
      { head: "memory", align: "r" },
      ...(hbmBytesPerGpu ? [{ head: "of its own", align: "r" as const }] : []),
      ...(deviceHostBytes ? [{ head: "host memory", align: "r" as const }] : []),
      ...(deviceSsdBytes ? [{ head: "SSD", align: "r" as const }] : []),
      { head: [only("terminal", "tables"), only("page", "holds")], align: "l" },
    ],
    rows: some === null ? all.map((d) => row(d)) : [...rowsOn(some, "terminal"), ...rowsOn(all, "page")],
  };
}

/** The devices that the terminal lists, where they are not all. */
export function costliest(costs: readonly number[]): readonly number[] | null {
  if (costs.length <= MAX_DEVICES) return null;
  const byCost = (a: number, b: number) => (costs[b] as number) - (costs[a] as number) || a - b;
  return [...costs.keys()].sort(byCost).slice(0, COSTLIEST);
}

/**
 * A plan with the shards of the devices that the terminal lists alone: of many devices all their names take longer to be handed
 * from thread to thread than most searches have.
 */
export function withListedNames<Plan extends TablePlacementPlan>(plan: Plan): Plan {
  const listed = plan.devices === null ? null : costliest(plan.deviceCosts ?? []);
  if (listed === null) return plan;
  const isListed = new Set(listed);
  return { ...plan, devices: (plan.devices ?? []).map((names, d) => (isListed.has(d) ? names : NO_NAMES)) };
}

const NO_NAMES: readonly string[] = [];

function shareOf(used: number, limit: number): Said {
  return limit === 0 && used > 0 ? NOTHING : percent(limit === 0 ? 0 : used / limit);
}
