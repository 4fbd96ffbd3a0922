import { bytesAt } from "../../../facts/facts.js";
import { left, NOTHING, type PlanTable, right, tableOf } from "../../../facts/plan-table.js";
import { faint, only, quantity, type Said } from "../../../text/said.js";
import { percent, significant } from "../../../text/units.js";
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
  const used = (d: number) => deviceBytes?.[d] ?? 0;
  const all = [...costs.keys()];
  const some = costliest(costs);
  return tableOf(
    "What every device holds",
    some === null ? all : [...some, ...all],
    [
      right("device", String),
      right(costHead(objective), (d) =>
        quantity(`deviceCosts.${d}`, costs[d] as number, significant(costs[d] as number, 6)),
      ),
      right("of largest", (d) => (largest === 0 ? NOTHING : { share: (costs[d] as number) / largest }), "terminal"),
      right("memory", (d) => bytesAt(`deviceBytes.${d}`, used(d))),
      hbmBytesPerGpu ? right("of its own", (d) => shareOf(used(d), hbmBytesPerGpu[d] ?? 0)) : null,
      deviceHostBytes
        ? right("host memory", (d) => bytesAt(`memory.deviceHostBytes.${d}`, deviceHostBytes[d] ?? 0))
        : null,
      deviceSsdBytes ? right("SSD", (d) => bytesAt(`memory.deviceSsdBytes.${d}`, deviceSsdBytes[d] ?? 0)) : null,
      left([only("terminal", "tables"), only("page", "holds")], (d) => ({
        ...{ names: devices?.[d] ?? [], most: MOST },
        none: [only("terminal", faint("none")), only("page", "nothing")],
      })),
    ],
    (d, k) => ({
      isStrong: costs[d] === largest,
      ...(some === null ? {} : { on: k < some.length ? ("terminal" as const) : ("page" as const) }),
    }),
  );
}

/** What a column of costs is called. */
export function costHead({ unit }: Pick<TablePlacementPlan["objective"], "unit">): string {
  return unit === null ? "cost" : `cost ${unit}`;
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
