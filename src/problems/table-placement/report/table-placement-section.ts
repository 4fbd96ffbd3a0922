import type { Chart } from "../../../report/chart.js";
import { type Html, html } from "../../../report/html.js";
import { known } from "../../../report/known.js";
import { answerTexts, boundBeside, byteText, gapText, plainScale, planNumber } from "../../../report/numbers.js";
import { boundFact, claimFacts, type Fact, longTable, requestFacts, type Section } from "../../../report/section.js";
import { valueChart } from "../../../report/value-chart.js";
import { besideBoundText, verdictText } from "../../../report/verdict.js";
import { answerIn, firstGoalWords, valueWords } from "../../../text/optimality.js";
import { count, percent } from "../../../text/units.js";
import { noPlanText } from "../../plan-file/stopped.js";
import type { PlacementPrice, TablePlacementPlan } from "../plan-file/plan-file.js";
import { deviceCharts } from "./device-charts.js";
import type { PlacementReport } from "./input.js";
import { optionChart } from "./option-chart.js";

/** What is minimised. */
const GOALS = {
  "largest-device-cost": "largest device cost",
  "sum-of-phase-maxima": "sum of phase maxima",
  sum: "sum of all devices",
  "second-largest": "second largest device",
} as const;

function goalName(kind: string): string {
  return known(GOALS, kind) ?? kind;
}

/** Names of tables that a sentence lists. */
const MOST_NAMED = 12;

/** What a page says of a table-placement plan. `id` begins the names of its charts. */
export function placementSection(report: PlacementReport, id: string): Section {
  const { plan, charts, instance } = report;
  const hasPlan = plan.objective.value !== null;
  return {
    answer: answerOf(plan),
    asked: [
      [
        "problem",
        html`a device for every table, or for the shards of one of its options, within every device's memory`,
      ],
      ["minimised", html`${goalName(plan.objective.kind)}`],
      ...(instance?.facts ?? []).map(([name, text]): Fact => [name, html`${text}`]),
      ...requestFacts(plan.request),
    ],
    facts: hasPlan ? factsOf(plan) : infeasibilityFacts(plan),
    tables: hasPlan ? [deviceTable(plan)] : [],
    charts: hasPlan ? chartsOf(plan, charts, id) : [],
  };
}

function chartsOf(plan: TablePlacementPlan, charts: PlacementReport["charts"], id: string): Chart[] {
  const { objective, method, baseline } = plan;
  const { value, bound, gap } = objective;
  const options = optionChart(plan, id);
  const methods = baseline.map((each) => ({ ...each, isWithin: each.status === "plan" }));
  return [
    ...deviceCharts(plan, charts, id),
    ...(methods.length === 0 || value === null
      ? []
      : [
          valueChart(
            { method, value, bound, gap, isFirstOfTwo: plan.second !== null, notRun: charts?.notRun },
            methods,
            goalName(objective.kind),
            plainScale(objective.unit),
            id,
          ),
        ]),
    ...(options === null ? [] : [options]),
  ];
}

function answerOf(plan: TablePlacementPlan): Html {
  const { objective, status, tables, devices } = plan;
  const scale = plainScale(objective.unit);
  if (objective.value === null) {
    if (status === "infeasible") return html`No placement is within the limits.`;
    return html`No placement was found within the limits of the search, and none was ruled out.`;
  }
  const value = planNumber("objective.value", objective.value, scale.text(objective.value));
  const goal = goalName(objective.kind);
  const begin = html`${count(tables.length)} ${tables.length === 1 ? "table" : "tables"} on ${count(devices?.length ?? 0)}
devices come to a ${goal} of ${value}`;
  const texts = answerTexts(scale, objective, "no placement within the limits comes to less");
  const isFirstProved = objective.gap !== null && objective.gap <= plan.request.gap;
  if (status === "feasible" && plan.second !== null && isFirstProved) {
    const first = verdictText(firstGoalWords(answerIn(plan), texts), objective);
    return html`${begin}; ${first}. Its second goal is not proved.`;
  }
  return html`${begin}; ${verdictText(valueWords(answerIn(plan), texts), objective)}.`;
}

function factsOf(plan: TablePlacementPlan): Fact[] {
  const { objective, phases, second, moves, prices, baseline } = plan;
  const scale = plainScale(objective.unit);
  const value = objective.value ?? 0;
  const facts: Fact[] = [[goalName(objective.kind), planNumber("objective.value", value, scale.text(value))]];
  if (objective.bound !== null) {
    facts.push(boundFact(objective.bound, objective.gap, boundBeside(scale, objective.bound, objective.value)));
  }
  for (const [k, { phase, cost, device }] of (phases ?? []).entries()) {
    facts.push([`phase ${phase}`, html`${planNumber(`phases.${k}.cost`, cost, scale.text(cost))} (device ${device})`]);
  }
  if (second !== null) {
    const bound =
      second.bound === null
        ? html`, not proved`
        : html`, proved bound ${planNumber("second.bound", second.bound, boundBeside(scale, second.bound, second.value))},
gap ${planNumber("second.gap", second.gap ?? 0, gapText(second.gap ?? 0))}`;
    const own = planNumber("second.value", second.value, scale.text(second.value));
    facts.push([`then ${goalName(second.goal)}`, html`${own}${bound}`]);
  }
  if (moves !== null) {
    const most = planNumber("moves.mostMoved", moves.mostMoved, count(moves.mostMoved));
    facts.push(["moved", html`${count(moves.moved.length)} of at most ${most} tables ${namesOf(moves.moved)}`]);
  }
  facts.push(...memoryFacts(plan));
  facts.push(
    ...baseline.map((each, k): Fact => {
      if (each.value === null) return [each.method, html`${noPlanText(each.reason)}`];
      const own = planNumber(`baseline.${k}.value`, each.value, scale.text(each.value));
      if (each.status !== "plan") return [each.method, html`${own}, but ${each.reason}`];
      const stopped = each.reason === null ? null : html`; ${each.reason}`;
      const beside = besideBoundText(each.aboveBound, `baseline.${k}.aboveBound`, second !== null);
      return [each.method, html`${own}${beside}${stopped}`];
    }),
  );
  if (prices !== null) {
    facts.push(["with 1 GiB more per GPU", priceText(prices.gibPerGpu, "prices.gibPerGpu", plan)]);
    const device = prices.device.change.startsWith("one more node") ? "with one more node" : "with one more device";
    facts.push([device, priceText(prices.device, "prices.device", plan)]);
  }
  return [...facts, ...claimFacts(plan.claim)];
}

function memoryFacts({ memory: { hbmBytesPerGpu: limits }, deviceBytes }: TablePlacementPlan): Fact[] {
  if (limits === null || deviceBytes === null) return [];
  const share = (d: number) => (deviceBytes[d] ?? 0) / (limits[d] || 1);
  const fullest = deviceBytes.reduce((best, _, d) => (share(d) > share(best) ? d : best), 0);
  const used = planNumber(`deviceBytes.${fullest}`, deviceBytes[fullest] ?? 0, byteText(deviceBytes[fullest] ?? 0));
  const limit = planNumber(`memory.hbmBytesPerGpu.${fullest}`, limits[fullest] ?? 0, byteText(limits[fullest] ?? 0));
  return [["fullest device", html`${used} of ${limit} (device ${fullest}, ${percent(share(fullest))})`]];
}

function priceText(price: PlacementPrice, path: string, { objective }: TablePlacementPlan): Html {
  const { value, difference, reason } = price;
  if (value === null || difference === null) return html`not known: ${reason}`;
  const unproved = price.proof === undefined ? ", not proved" : null;
  if (difference === 0) return html`nothing changes${unproved}`;
  const scale = plainScale(objective.unit);
  const by = planNumber(`${path}.difference`, difference, scale.text(Math.abs(difference)));
  return html`${planNumber(`${path}.value`, value, scale.text(value))}, ${by} ${difference < 0 ? "less" : "more"}${unproved}`;
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED);
  const more = names.length > shown.length ? `, … ${names.length - shown.length} more` : "";
  return names.length === 0 ? "" : `(${shown.join(", ")}${more})`;
}

function deviceTable({ deviceCosts, deviceBytes, devices, objective, memory }: TablePlacementPlan): Html {
  const unit = objective.unit === null ? "cost" : `cost ${objective.unit}`;
  const scale = plainScale(null);
  const limits = memory.hbmBytesPerGpu;
  const hosts = memory.deviceHostBytes;
  const rows = (deviceCosts ?? []).map((cost, d) => {
    const used = deviceBytes?.[d] ?? 0;
    const host = hosts?.[d] ?? 0;
    return [
      String(d),
      planNumber(`deviceCosts.${d}`, cost, scale.text(cost)),
      planNumber(`deviceBytes.${d}`, used, byteText(used)),
      ...(limits === null ? [] : [limits[d] ? percent(used / limits[d]) : "·"]),
      ...(hosts === null ? [] : [planNumber(`memory.deviceHostBytes.${d}`, host, byteText(host))]),
      namesCell(devices?.[d] ?? []),
    ];
  });
  const head = [
    "device",
    unit,
    "memory",
    ...(limits ? ["of its own"] : []),
    ...(hosts ? ["host memory"] : []),
    "holds",
  ];
  return longTable("What every device holds", head, rows, `${"r".repeat(head.length - 1)}l`);
}

/** Few names as they are; of many the first, and the others to open. */
function namesCell(names: readonly string[]): Html {
  if (names.length <= MOST_NAMED) return html`${names.length === 0 ? "nothing" : names.join(", ")}`;
  return html`<details><summary>${names.slice(0, MOST_NAMED).join(", ")}, … ${names.length - MOST_NAMED} more</summary>${names
    .slice(MOST_NAMED)
    .join(", ")}</details>`;
}

function infeasibilityFacts({ infeasibility }: TablePlacementPlan): Fact[] {
  if (infeasibility === null) return [];
  const {
    bytesNeeded,
    bytesAvailable,
    leastExtraBytesPerDevice: least,
    relaxed,
    conflict,
    explanation,
  } = infeasibility;
  const facts: Fact[] = [["why", html`${explanation}`]];
  const add = (name: string, path: string, bytes: number | null) => {
    if (bytes !== null)
      facts.push([name, html`${planNumber(`infeasibility.${path}`, bytes, byteText(bytes))} (${count(bytes)} B)`]);
  };
  add("needed", "bytesNeeded", bytesNeeded);
  add("there", "bytesAvailable", bytesAvailable);
  add("every device needs at least so much more", "leastExtraBytesPerDevice", least);
  add("so much more on every device is enough", "relaxed.extraBytesPerDevice", relaxed?.extraBytesPerDevice ?? null);
  facts.push([conflict.length === 1 ? "too much by itself" : "too much together", html`${namesOf(conflict)}`]);
  return facts;
}
