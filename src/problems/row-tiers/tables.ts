import { COLLECTIVES, type Collective } from "../../instance/cluster.js";
import { only, quantity, type Said } from "../../text/said.js";
import { bytes, count, percent, significant } from "../../text/units.js";
import { SECONDS } from "../../text/value-unit.js";
import { bytesAt } from "../facts.js";
import { NOTHING, type PlanRow, type PlanTable } from "../plan-table.js";
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
  const rows = tables.flatMap(({ name, rows: all, tiers }, t) => {
    const first = tiers.findIndex(({ rows }) => rows > 0);
    return tiers.flatMap((tier, k): PlanRow[] => {
      if (tier.rows === 0) return [];
      const path = `tables.${t}.tiers.${k}`;
      const cells = [
        k === first ? name : only("page", name),
        tier.tier,
        quantity(`${path}.rows`, tier.rows, count(tier.rows)),
        percent(tier.rows / all),
        quantity(`${path}.accessShare`, tier.accessShare, percent(tier.accessShare)),
        bytesAt(`${path}.memoryBytesPerGpu`, tier.memoryBytesPerGpu),
        ...used.map((key) => secondsCell(`${path}.collectives.${key}`, tier.collectives[key])),
      ];
      return [{ cells }];
    });
  });
  if (tables.length > 1) {
    const totals = used.map((key) => millisecondsText(collectives?.[key] ?? 0));
    const cells = ["all", "", "", "", "", bytes(memory.bytesPerGpu ?? 0), ...totals];
    rows.push({ cells, isStrong: true, on: "terminal" });
  }
  return {
    caption: "Where the rows go, from the hottest",
    columns: [
      { head: "table", align: "l" },
      { head: "tier", align: "l" },
      ...["rows", "of rows", "of accesses", "memory per GPU"].map((head) => ({ head, align: "r" as const })),
      ...used.map((key) => {
        const { short, full } = COLLECTIVE_NAMES[key];
        return { head: [only("terminal", `${short} ms`), only("page", full)], align: "r" as const };
      }),
    ],
    rows,
  };
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
  return {
    caption: "What each table needs at least",
    columns: [
      { head: "table", align: "l" },
      { head: "least memory per GPU", align: "r" },
      { head: "", align: "l" },
    ],
    rows: tables.map(({ name, leastBytesPerGpu: least }, k) => {
      const needed = bytesAt(`infeasibility.tables.${k}.leastBytesPerGpu`, least);
      return { cells: [name, needed, conflict.includes(name) ? why : ""] };
    }),
  };
}
