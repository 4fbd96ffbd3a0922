import type { Chart } from "../../../report/chart.js";
import type { Section } from "../../../report/page-section.js";
import { askedFacts } from "../../../report/section.js";
import { valueCharts } from "../../../report/value-chart.js";
import { answerIn, firstGoalWords, valueWords } from "../../../text/optimality.js";
import type { Said } from "../../../text/said.js";
import { count, some } from "../../../text/units.js";
import { answerTexts, goalValue } from "../../facts.js";
import { amongText, goalName, placementFacts, placementGoal } from "../facts.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { deviceTable } from "../tables/devices.js";
import { deviceCharts } from "./device-charts.js";
import type { PlacementReport } from "./input.js";
import { optionChart } from "./option-chart.js";

/** What a page says of a table-placement plan. `id` begins the names of its charts. */
export function placementSection(report: PlacementReport, id: string): Section {
  const { plan, charts } = report;
  const hasPlan = plan.objective.value !== null;
  return {
    answer: answerOf(plan),
    asked: [
      {
        name: "problem",
        said: "a device for every table, or for the shards of one of its options, within every device's memory",
      },
      { name: "minimised", said: goalName(plan.objective.kind) },
      ...askedFacts(report),
    ],
    facts: placementFacts(plan),
    tables: hasPlan ? [deviceTable(plan)] : [],
    charts: hasPlan ? chartsOf(plan, charts, id) : [],
  };
}

function chartsOf(plan: TablePlacementPlan, charts: PlacementReport["charts"], id: string): Chart[] {
  const options = optionChart(plan, id);
  return [
    ...deviceCharts(plan, charts, id),
    ...valueCharts(plan, goalName(plan.objective.kind), placementGoal(plan).unit, charts?.notRun, id),
    ...(options === null ? [] : [options]),
  ];
}

function answerOf(plan: TablePlacementPlan): Said {
  const { objective, status, tables, devices } = plan;
  if (objective.value === null) {
    if (status === "infeasible") return `No placement${amongText(plan)} is within the limits.`;
    return "No placement was found within the limits of the search, and none was ruled out.";
  }
  const goal = placementGoal(plan);
  const where = `${some(tables.length, "table")} on ${count(devices?.length ?? 0)} devices`;
  const begin = [`${where} come to a ${goalName(objective.kind)} of `, goalValue(goal)];
  const texts = answerTexts(goal, `no placement within the limits${amongText(plan)} comes to less`);
  const isFirstProved = objective.gap !== null && objective.gap <= plan.request.gap;
  if (status === "feasible" && plan.second !== null && isFirstProved) {
    return [begin, "; ", firstGoalWords(answerIn(plan), texts), ". Its second goal is not proved."];
  }
  return [begin, "; ", valueWords(answerIn(plan), texts), "."];
}
