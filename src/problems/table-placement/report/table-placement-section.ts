import { answerTexts, bytesAt, type Fact, goalValue } from "../../../facts/facts.js";
import type { PlanTable } from "../../../facts/plan-table.js";
import type { Chart } from "../../../report/chart.js";
import type { Section } from "../../../report/page-section.js";
import { askedFacts } from "../../../report/section.js";
import { valueCharts } from "../../../report/value-chart.js";
import { answerIn, firstGoalWords, valueWords } from "../../../text/optimality.js";
import type { Said } from "../../../text/said.js";
import { count, some } from "../../../text/units.js";
import { amongText, goalName, placementFacts, placementGoal, stagesWords } from "../facts.js";
import type { PlacementExplanation } from "../plan-file/explanation.js";
import type { PlacementFrontier } from "../plan-file/frontier.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { deviceTable } from "../tables/devices.js";
import { explainedTables, filledDevices } from "../tables/explanation.js";
import { explanationFacts } from "../tables/explanation-facts.js";
import { groupTable } from "../tables/groups.js";
import { placedTables } from "../tables/placed.js";
import { placementTiles } from "../tiles.js";
import { deviceCharts } from "./device-charts.js";
import { frontierCharts, tradeCharts } from "./frontier-chart.js";
import { groupChart } from "./group-chart.js";
import type { PlacementReport } from "./input.js";
import { optionChart } from "./option-chart.js";

/** What a page says of a table-placement plan. `id` begins the names of its charts. */
export function placementSection(report: PlacementReport, id: string): Section {
  const { plan, charts } = report;
  const explanation = charts?.explanation ?? null;
  const hasPlan = plan.objective.value !== null;
  const groups = groupTable(plan);
  return {
    question: questionOf(plan),
    answer: answerOf(plan),
    tiles: placementTiles(plan),
    asked: [{ name: "minimised", said: goalName(plan.objective.kind) }, ...askedFacts(report)],
    facts: [
      ...placementFacts(plan),
      ...(explanation === null ? [] : explanationFacts(explanation)),
      ...frontierFacts(charts?.frontier ?? null),
    ],
    tables: [groups, ...(hasPlan ? placementTables(plan, explanation) : [])].filter((table) => table !== null),
    charts: hasPlan ? chartsOf(plan, charts, id) : [],
  };
}

/** That a page leaves out points of the frontier, because the model is large. */
function frontierFacts(frontier: PlacementFrontier | null): Fact[] {
  const missing = frontier?.optimal.filter(({ status }) => status === "unknown").length ?? 0;
  if (frontier === null || missing === 0) return [];
  const which =
    missing === frontier.optimal.length ? "memory against cost" : `${some(missing, "point")} of memory against cost`;
  return [{ name: "not computed", said: `${which}: more work than a page takes; shardproof frontier has the time` }];
}

/** Tables and what devices hold; what choices are worth and what fills devices, where that is known. */
function placementTables(plan: TablePlacementPlan, explanation: PlacementExplanation | null): PlanTable[] {
  if (explanation === null) return [placedTables(plan), deviceTable(plan)];
  return [explainedTables(explanation), filledDevices(explanation)];
}

function chartsOf(plan: TablePlacementPlan, charts: PlacementReport["charts"], id: string): Chart[] {
  return [
    groupChart(plan, id),
    ...deviceCharts(plan, charts, id),
    ...frontierCharts(plan, charts?.frontier ?? null, id),
    ...tradeCharts(charts?.trade ?? null, id),
    ...valueCharts(plan, goalName(plan.objective.kind), placementGoal(plan).unit, charts?.notRun, id),
    optionChart(plan, id),
  ].filter((chart) => chart !== null);
}

/** What moves to come to the plan, in the middle of a sentence. */
function movedText({ migration }: TablePlacementPlan): Said {
  if (migration === undefined) return null;
  if (migration.bytes.received === 0) return ", and nothing moves";
  return [", and ", bytesAt("migration.bytes.received", migration.bytes.received), " move"];
}

/** Costs are what the instance's cost model says: nobody measured them. */
function questionOf({ tables, devices, objective, migration, groups }: TablePlacementPlan): string {
  const what = tables.length === 0 ? "every table" : `each of ${some(tables.length, "table")}`;
  const one = groups === undefined ? "" : " of one group, and how many devices a group has,";
  const where = devices === null ? one : ` on ${some(devices.length, "device")}${one}`;
  const from = migration === undefined ? "" : ", from where tables are now,";
  return `Asked: an option and devices for ${what}${where}${from} within memory, so that the ${goalName(objective.kind)} is least, as the instance's cost model counts it.`;
}

function answerOf(plan: TablePlacementPlan): Said {
  const { objective, status, tables, devices } = plan;
  if (objective.value === null) {
    if (status === "infeasible") return `No placement${amongText(plan)} is within the limits.`;
    return "No placement was found within the limits of the search, and none was ruled out.";
  }
  const goal = placementGoal(plan);
  const group =
    plan.groups === undefined
      ? ""
      : ` of a group, of which there are ${count(plan.groups.devices / (plan.groups.chosen ?? plan.groups.devices))},`;
  const where = `${some(tables.length, "table")} on ${count(devices?.length ?? 0)} devices${group}`;
  const begin = [`${where} come to a ${goalName(objective.kind)} of `, goalValue(goal), movedText(plan)];
  const among = amongText(plan);
  const texts = answerTexts(goal, `no placement within the limits${among} comes to less`, among);
  if (plan.stages) return [begin, "; ", stagesWords(plan), "."];
  const isFirstProved = objective.gap !== null && objective.gap <= plan.request.gap;
  if (status === "feasible" && plan.second !== null && isFirstProved) {
    return [begin, "; ", firstGoalWords(answerIn(plan), texts), ". Its second goal is not proved."];
  }
  return [begin, "; ", valueWords(answerIn(plan), texts), "."];
}
