import { type Html, html } from "../../../report/html.js";
import { known } from "../../../report/known.js";
import { answerTexts, boundBeside, byteText, planNumber, SECONDS } from "../../../report/numbers.js";
import {
  boundFact,
  claimFacts,
  type Fact,
  longTable,
  pageTable,
  requestFacts,
  type Section,
} from "../../../report/section.js";
import { besideBoundText, verdictText } from "../../../report/verdict.js";
import { memoryPrice } from "../../../text/memory-price.js";
import { answerIn, valueWords } from "../../../text/optimality.js";
import { percent, count as wholeNumber } from "../../../text/units.js";
import type { PlanBaseline, RowTiersPlan } from "../plan-file/plan-file.js";
import { accessCharts } from "./access-chart.js";
import { frontierChart } from "./frontier-chart.js";
import type { RowTiersReport } from "./input.js";
import { methodCharts } from "./method-charts.js";
import { COLLECTIVES, methodName, OBJECTIVES, TIER_WORDS } from "./names.js";

/** What a page says of a row-tiers plan. `id` begins the names of its charts. */
export function rowTiersSection(report: RowTiersReport, id: string): Section {
  const { plan, charts, instance } = report;
  const hasPlan = plan.objective.value !== null;
  const frontier = charts?.frontier ? frontierChart(plan, charts.frontier, id) : null;
  return {
    answer: answerOf(plan),
    asked: [
      [
        "problem",
        html`a tier for every embedding row, within a budget of memory per GPU, for the least communication time`,
      ],
      ["minimised", html`${known(OBJECTIVES, plan.objective.kind) ?? plan.objective.kind}, per iteration`],
      ["budget", budgetOf(plan)],
      ...(instance?.facts ?? []).map(([name, text]): Fact => [name, html`${text}`]),
      ...requestFacts(plan.request),
    ],
    facts: hasPlan ? factsOf(plan) : infeasibilityFacts(plan),
    tables: hasPlan ? [tierTable(plan)] : [conflictTable(plan)],
    charts: [
      ...(hasPlan && charts !== null ? accessCharts(plan.tables, charts.access, id) : []),
      ...(frontier === null ? [] : [frontier]),
      ...(hasPlan ? methodCharts(plan, charts?.methods ?? [], id) : []),
    ],
  };
}

function budgetOf({ memory: { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm, host } }: RowTiersPlan): Html {
  const own = html`${planNumber("memory.budgetBytesPerGpu", budget, byteText(budget))} per GPU`;
  const over =
    hbm !== null && budget > hbm
      ? html`, above the GPU's ${planNumber("memory.hbmBytesPerGpu", hbm, byteText(hbm))}`
      : null;
  const path = "memory.host.budgetBytesPerNode";
  const beside =
    host === undefined
      ? null
      : html`, and ${planNumber(path, host.budgetBytesPerNode, byteText(host.budgetBytesPerNode))} of host memory per node`;
  return html`${own}${over}${beside}`;
}

function answerOf(plan: RowTiersPlan): Html {
  const { objective, status, tables } = plan;
  if (objective.value === null) {
    return status === "infeasible"
      ? html`No plan fits: every way to place the rows needs more memory than there is.`
      : html`No plan was found.`;
  }
  const totals = new Map<string, number>();
  for (const { tiers } of tables) {
    for (const { tier, rows } of tiers) totals.set(tier, (totals.get(tier) ?? 0) + rows);
  }
  const parts = [...totals]
    .filter(([, rows]) => rows > 0)
    .map(([tier, rows]) => `${wholeNumber(rows)} rows ${known(TIER_WORDS, tier) ?? tier}`);
  const value = planNumber("objective.value", objective.value, SECONDS.text(objective.value));
  return html`With ${listed(parts)}, communication takes ${value} per iteration; ${endOf(plan)}.`;
}

function endOf(plan: RowTiersPlan): Html {
  const texts = answerTexts(SECONDS, plan.objective, "no plan within the budget takes less");
  return verdictText(valueWords(answerIn(plan), texts), plan.objective);
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function factsOf(plan: RowTiersPlan): Fact[] {
  const { objective, memory, prices, baseline } = plan;
  const value = objective.value ?? 0;
  const used = memory.bytesPerGpu ?? 0;
  const facts: Fact[] = [
    ["communication", html`${planNumber("objective.value", value, SECONDS.text(value))} per iteration`],
  ];
  if (objective.bound !== null) {
    facts.push(boundFact(objective.bound, objective.gap, boundBeside(SECONDS, objective.bound, objective.value)));
  }
  const share = memory.budgetBytesPerGpu > 0 ? ` (${percent(used / memory.budgetBytesPerGpu)})` : "";
  facts.push([
    "memory",
    html`${planNumber("memory.bytesPerGpu", used, byteText(used))} of
${planNumber("memory.budgetBytesPerGpu", memory.budgetBytesPerGpu, byteText(memory.budgetBytesPerGpu))} per GPU${share}`,
  ]);
  if (memory.host !== undefined) {
    const { bytesPerNode, budgetBytesPerNode } = memory.host;
    facts.push([
      "host memory",
      html`${planNumber("memory.host.bytesPerNode", bytesPerNode ?? 0, byteText(bytesPerNode ?? 0))} of
${planNumber("memory.host.budgetBytesPerNode", budgetBytesPerNode, byteText(budgetBytesPerNode))} per node`,
    ]);
  }
  if (prices.secondsPerGiBPerGpu !== null) {
    facts.push([
      "price of memory",
      priceText("prices.secondsPerGiBPerGpu", prices.secondsPerGiBPerGpu, memory.budgetBytesPerGpu, "GPU"),
    ]);
  }
  if (prices.host !== undefined && memory.host !== undefined) {
    const path = "prices.host.secondsPerGiBPerNode";
    const { budgetBytesPerNode } = memory.host;
    facts.push(["price of host memory", priceText(path, prices.host.secondsPerGiBPerNode, budgetBytesPerNode, "node")]);
  }
  facts.push(...baseline.map((each, k): Fact => [methodName(each.method), baselineText(plan, each, k)]));
  return [...facts, ...claimFacts(plan.claim)];
}

function priceText(path: string, secondsPerGiB: number, budgetBytes: number, of: string): Html {
  if (secondsPerGiB === 0) return html`${planNumber(path, secondsPerGiB, "none")}: more memory would not help`;
  return html`${planNumber(path, secondsPerGiB, memoryPrice(secondsPerGiB, budgetBytes))} per ${of}`;
}

function baselineText({ memory }: RowTiersPlan, baseline: PlanBaseline, k: number): Html {
  const { value, status, bytesPerGpu, aboveBound, reason } = baseline;
  if (value === null) return html`does not apply: ${reason}`;
  const own = planNumber(`baseline.${k}.value`, value, SECONDS.text(value));
  if (status === "over-budget") {
    const needed = planNumber(`baseline.${k}.bytesPerGpu`, bytesPerGpu ?? 0, byteText(bytesPerGpu ?? 0));
    return (bytesPerGpu ?? 0) <= memory.budgetBytesPerGpu
      ? html`${own}, but over the host memory of a node`
      : html`${own}, but over the budget: needs ${needed} per GPU`;
  }
  return html`${own}${besideBoundText(aboveBound, `baseline.${k}.aboveBound`)}`;
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

function infeasibilityFacts({ infeasibility }: RowTiersPlan): Fact[] {
  if (infeasibility === null) return [];
  const { leastBytesPerGpu: least, explanation } = infeasibility;
  return [
    [
      "least memory of any plan",
      html`${planNumber("infeasibility.leastBytesPerGpu", least, byteText(least))} per GPU (${wholeNumber(Math.ceil(least))} B)`,
    ],
    ["why", html`${explanation}`],
  ];
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
