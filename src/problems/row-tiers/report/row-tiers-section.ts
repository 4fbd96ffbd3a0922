import { answerTexts, bytesAt, goalValue } from "../../../facts/facts.js";
import type { Section } from "../../../report/page-section.js";
import { askedFacts } from "../../../report/section.js";
import { known } from "../../../text/known.js";
import { answerIn, valueWords } from "../../../text/optimality.js";
import { quantity, type Said } from "../../../text/said.js";
import { count, some } from "../../../text/units.js";
import { SECONDS } from "../../../text/value-unit.js";
import { goalText, lastGoal, rowTiersFacts, rowTiersGoal, rowTiersObjective, rowTiersTiles } from "../facts.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";
import { conflictTable, tierTable } from "../tables.js";
import { accessCharts } from "./access-chart.js";
import { frontierChart } from "./frontier-chart.js";
import type { RowTiersReport } from "./input.js";
import { methodCharts } from "./method-charts.js";
import { TIER_WORDS } from "./names.js";
import { tableCharts } from "./table-chart.js";

/** What a page says of a row-tiers plan. `id` begins the names of its charts. */
export function rowTiersSection(report: RowTiersReport, id: string): Section {
  const { plan, charts } = report;
  const hasPlan = plan.objective.value !== null;
  const frontier = charts?.frontier ? frontierChart(plan, charts.frontier, id) : null;
  return {
    question: questionOf(plan),
    answer: answerOf(plan),
    tiles: rowTiersTiles(plan),
    asked: [
      { name: "minimised", said: rowTiersObjective((plan.time ?? plan.objective).kind) },
      { name: "budget", said: budgetOf(plan) },
      ...askedFacts(report),
    ],
    facts: rowTiersFacts(plan),
    tables: hasPlan ? [tierTable(plan)] : plan.infeasibility === null ? [] : [conflictTable(plan.infeasibility)],
    charts: [
      ...(frontier === null ? [] : [frontier]),
      ...(hasPlan ? tableCharts(plan, id) : []),
      ...(hasPlan && charts !== null ? accessCharts(plan.tables, charts.access, id) : []),
      ...(hasPlan ? methodCharts(plan, charts?.methods ?? [], id) : []),
    ],
  };
}

/** Seconds are what bandwidths say: nobody measured them. */
function questionOf({ tables, memory: { budgetBytesPerGpu: budget }, moves, stages }: RowTiersPlan): Said {
  const rows = tables.reduce((sum, table) => sum + table.tiers.reduce((own, tier) => own + tier.rows, 0), 0);
  const what = rows === 0 ? "each row" : `each of ${count(rows)} rows of ${some(tables.length, "table")}`;
  const first = goalText(stages?.[0]?.minimize ?? "time");
  return [
    `Asked: a tier for ${what}${moves ? ", from the tiers of an earlier plan," : ""} within `,
    bytesAt("memory.budgetBytesPerGpu", budget),
    ` per GPU, so that ${first === "communication" ? "communication takes least time, as bandwidths say" : `${first} is least`}.`,
  ];
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
    .map(([tier, rows]) => `${count(rows)} rows ${known(TIER_WORDS, tier) ?? tier}`);
  const { stages, time } = plan;
  if (stages !== undefined && time !== undefined) {
    const taken = quantity("time.seconds", time.seconds, SECONDS.text(time.seconds));
    const said = valueWords(
      answerIn(plan),
      answerTexts(lastGoal(plan), "no plan that keeps to the goals before has less"),
    );
    const name = goalText(stages.at(-1)?.minimize ?? "time");
    return [
      `With ${listed(parts)}, communication takes `,
      taken,
      ` per iteration; of the last goal, ${name}: `,
      said,
      ".",
    ];
  }
  const goal = rowTiersGoal(plan);
  const said = valueWords(answerIn(plan), answerTexts(goal, "no plan within the budget takes less"));
  return [`With ${listed(parts)}, communication takes `, goalValue(goal), " per iteration; ", said, "."];
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
