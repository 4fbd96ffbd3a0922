import { bytesAt } from "../../facts/facts.js";
import { left, NOTHING, type PlanTable, right, tableOf } from "../../facts/plan-table.js";
import { COLLECTIVES, type Collective } from "../../instance/cluster.js";
import { only, quantity, type Said } from "../../text/said.js";
import { bytes, count, percent, significant } from "../../text/units.js";
import { SECONDS } from "../../text/value-unit.js";
import type { PlanInfeasibility, RowTiersPlan } from "./plan-file/plan-file.js";

/** Collectives as the head of a column has room for them, and in full. */
export const COLLECTIVE_NAMES: Readonly<Record<Collective, { readonly short: string; readonly full: string }>> = {
  allToAllGlobal: { short: "a2a global", full: "all-to-all, global" },
  allToAllIntra: { short: "a2a node", full: "all-to-all, in the node" },
  allReduceGlobal: { short: "ar global", full: "all-reduce, global" },
  allReduceCross: { short: "ar cross", full: "all-reduce, across nodes" },
  hostToDevice: { short: "host link", full: "host link" },
};

/** The rows of every table by tier, from the hottest. */
export function tierTable({ tables, collectives, memory }: RowTiersPlan): PlanTable {
  const used = COLLECTIVES.filter((key) => tables.some(({ tiers }) => tiers.some((tier) => tier.collectives[key])));
  const placed = tables.flatMap(({ name, rows: all, tiers }, t) => {
    const first = tiers.findIndex(({ rows }) => rows > 0);
    return tiers.flatMap((tier, k) => {
      if (tier.rows === 0) return [];
      return [{ name: k === first ? name : only("page", name), all, tier, path: `tables.${t}.tiers.${k}` }];
    });
  });
  const table = tableOf("Where the rows go, from the hottest", placed, [
    left("table", ({ name }) => name),
    left("tier", ({ tier }) => tier.tier),
    right("rows", ({ tier, path }) => quantity(`${path}.rows`, tier.rows, count(tier.rows))),
    right("of rows", ({ tier, all }) => percent(tier.rows / all)),
    right("of accesses", ({ tier: { accessShare: share }, path }) =>
      quantity(`${path}.accessShare`, share, percent(share)),
    ),
    right("memory per GPU", ({ tier, path }) => bytesAt(`${path}.memoryBytesPerGpu`, tier.memoryBytesPerGpu)),
    ...used.map((key) =>
      right<(typeof placed)[number]>(
        [only("terminal", `${COLLECTIVE_NAMES[key].short} ms`), only("page", COLLECTIVE_NAMES[key].full)],
        ({ tier, path }) => secondsCell(`${path}.collectives.${key}`, tier.collectives[key]),
      ),
    ),
  ]);
  if (tables.length > 1) {
    const totals = used.map((key) => millisecondsText(collectives?.[key] ?? 0));
    const cells = ["all", "", "", "", "", bytes(memory.bytesPerGpu ?? 0), ...totals];
    table.rows.push({ cells, isStrong: true, on: "terminal" });
  }
  return table;
}

function secondsCell(path: string, seconds: number | undefined): Said {
  if (seconds === undefined) return NOTHING;
  return [only("terminal", millisecondsText(seconds)), only("page", quantity(path, seconds, SECONDS.text(seconds)))];
}

function millisecondsText(seconds: number): string {
  return significant(seconds * 1000, 4);
}

/** What each table needs at least, where there is no plan. */
export function conflictTable({ tables, conflict }: PlanInfeasibility): PlanTable {
  const why = conflict.length === 1 ? "too much by itself" : "too much together";
  return tableOf("What each table needs at least", tables, [
    left("table", ({ name }) => name),
    right("least memory per GPU", ({ leastBytesPerGpu: least }, k) =>
      bytesAt(`infeasibility.tables.${k}.leastBytesPerGpu`, least),
    ),
    left("", ({ name }) => (conflict.includes(name) ? why : "")),
  ]);
}
