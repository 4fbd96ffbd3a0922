import { type Html, html } from "../../../report/html.js";
import type { Section } from "../../../report/page-section.js";
import { byteText, planNumber } from "../../../report/plan-number.js";
import { askedFacts, longTable, pageTable } from "../../../report/section.js";
import { known } from "../../../text/known.js";
import { answerIn, valueWords } from "../../../text/optimality.js";
import type { Said } from "../../../text/said.js";
import { percent, count as wholeNumber } from "../../../text/units.js";
import { SECONDS } from "../../../text/value-unit.js";
import { answerTexts, bytesAt, goalValue } from "../../facts.js";
import { rowTiersFacts, rowTiersGoal, rowTiersObjective } from "../facts.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";
import { accessCharts } from "./access-chart.js";
import { frontierChart } from "./frontier-chart.js";
import type { RowTiersReport } from "./input.js";
import { methodCharts } from "./method-charts.js";
import { COLLECTIVES, TIER_WORDS } from "./names.js";

/** What a page says of a row-tiers plan. `id` begins the names of its charts. */
export function rowTiersSection(report: RowTiersReport, id: string): Section {
  const { plan, charts } = report;
  const hasPlan = plan.objective.value !== null;
  const frontier = charts?.frontier ? frontierChart(plan, charts.frontier, id) : null;
  return {
    answer: answerOf(plan),
    asked: [
      {
        name: "problem",
        said: "a tier for every embedding row, within a budget of memory per GPU, for the least communication time",
      },
      { name: "minimised", said: rowTiersObjective(plan.objective.kind) },
      { name: "budget", said: budgetOf(plan) },
      ...askedFacts(report),
    ],
    facts: rowTiersFacts(plan),
    tables: hasPlan ? [tierTable(plan)] : [conflictTable(plan)],
    charts: [
      ...(hasPlan && charts !== null ? accessCharts(plan.tables, charts.access, id) : []),
      ...(frontier === null ? [] : [frontier]),
      ...(hasPlan ? methodCharts(plan, charts?.methods ?? [], id) : []),
    ],
  };
}

function budgetOf({ memory: { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm, host } }: RowTiersPlan): Said {
  const over = hbm !== null && budget > hbm ? [", above the GPU's ", bytesAt("memory.hbmBytesPerGpu", hbm)] : null;
  const path = "memory.host.budgetBytesPerNode";
  const beside = host && [", and ", bytesAt(path, host.budgetBytesPerNode), " of host memory per node"];
  return [bytesAt("memory.budgetBytesPerGpu", budget), " per GPU", over, beside ?? null];
}

function answerOf(plan: RowTiersPlan): Said {
  const { objective, status, tables } = plan;
  if (objective.value === null) {
    return status === "infeasible"
      ? "No plan fits: every way to place the rows needs more memory than there is."
      : "No plan was found.";
  }
  const totals = new Map<string, number>();
  for (const { tiers } of tables) {
    for (const { tier, rows } of tiers) totals.set(tier, (totals.get(tier) ?? 0) + rows);
  }
  const parts = [...totals]
    .filter(([, rows]) => rows > 0)
    .map(([tier, rows]) => `${wholeNumber(rows)} rows ${known(TIER_WORDS, tier) ?? tier}`);
  const goal = rowTiersGoal(plan);
  const said = valueWords(answerIn(plan), answerTexts(goal, "no plan within the budget takes less"));
  return [`With ${listed(parts)}, communication takes `, goalValue(goal), " per iteration; ", said, "."];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function tierTable({ tables }: RowTiersPlan): Html {
  const used = Object.keys(COLLECTIVES).filter((key) =>
    tables.some(({ tiers }) => tiers.some(({ collectives }) => (collectives[key as never] ?? 0) > 0)),
  );
  const rows = tables.flatMap(({ name, rows: all, tiers }, t) =>
    tiers.flatMap(({ tier, rows, accessShare, memoryBytesPerGpu, collectives }, k) => {
      if (rows === 0) return [];
      const path = `tables.${t}.tiers.${k}`;
      return [
        [
          name,
          tier,
          planNumber(`${path}.rows`, rows, wholeNumber(rows)),
          percent(rows / all),
          planNumber(`${path}.accessShare`, accessShare, percent(accessShare)),
          planNumber(`${path}.memoryBytesPerGpu`, memoryBytesPerGpu, byteText(memoryBytesPerGpu)),
          ...used.map((key) => {
            const seconds: number | undefined = collectives[key as never];
            return seconds === undefined
              ? "·"
              : planNumber(`${path}.collectives.${key}`, seconds, SECONDS.text(seconds));
          }),
        ],
      ];
    }),
  );
  const heads = used.map((key) => (COLLECTIVES[key] as readonly [string, string])[0]);
  const head = ["table", "tier", "rows", "of rows", "of accesses", "memory per GPU", ...heads];
  return longTable("Where the rows go, from the hottest", head, rows, `llrrrr${"r".repeat(used.length)}`);
}

function conflictTable({ infeasibility }: RowTiersPlan): Html {
  if (infeasibility === null) return html``;
  const conflict = new Set(infeasibility.conflict);
  const rows = infeasibility.tables.map(({ name, leastBytesPerGpu: least }, k) => [
    name,
    planNumber(`infeasibility.tables.${k}.leastBytesPerGpu`, least, byteText(least)),
    conflict.has(name) ? (conflict.size === 1 ? "too much by itself" : "too much together") : "",
  ]);
  return pageTable("What each table needs at least", ["table", "least memory per GPU", ""], rows, "lrl");
}
