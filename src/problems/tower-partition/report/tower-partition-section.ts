import type { Chart } from "../../../report/chart.js";
import { type Html, html } from "../../../report/html.js";
import { known } from "../../../report/known.js";
import { answerTexts, boundBeside, plainScale, planNumber } from "../../../report/numbers.js";
import { boundFact, claimFacts, type Fact, longTable, requestFacts, type Section } from "../../../report/section.js";
import { valueChart } from "../../../report/value-chart.js";
import { besideBoundText, verdictText } from "../../../report/verdict.js";
import { answerIn, valueWords } from "../../../text/optimality.js";
import { count, percent } from "../../../text/units.js";
import { noPlanText } from "../../plan-file/stopped.js";
import type { TowerBaseline, TowerPartitionPlan } from "../plan-file/plan-file.js";
import type { TowersReport } from "./input.js";
import { interactionCharts, towerBars } from "./tower-charts.js";

/** What is minimised. */
const OBJECTIVES = {
  pairwise: "the distances inside towers",
  kmeans: "the sum of squares in towers",
} as const;

const SCALE = plainScale(null);

/** What a page says beside a partition, where more than that was chosen. */
export interface Beside {
  /** In place of the partition's own. */
  readonly answer: Html | null;
  readonly facts: readonly Fact[];
  readonly tables: readonly Html[];
  readonly charts: readonly Chart[];
}

const NOTHING: Beside = { answer: null, facts: [], tables: [], charts: [] };

/** What a page says of a tower partition. `id` begins the names of its charts. */
export function towersSection(report: TowersReport, id: string, beside = NOTHING): Section {
  const { plan, charts, instance } = report;
  const { value, bound, gap, kind, strategy } = plan.objective;
  const methods = plan.baseline.map((each) => ({ ...each, isWithin: each.status === "plan" }));
  const isCoherent = strategy === "coherent";
  return {
    answer: beside.answer ?? answerOf(plan),
    asked: [
      [
        "problem",
        html`a tower for every feature, ${isCoherent ? "those together that interact" : "those apart that interact"}`,
      ],
      [
        "minimised",
        html`${known(OBJECTIVES, kind) ?? kind}, with ${isCoherent ? "1 − interaction" : "interaction"} for distance`,
      ],
      ["sizes", html`${sizesOf(plan.limits.sizes)}`],
      ...(instance?.facts ?? []).map(([name, text]): Fact => [name, html`${text}`]),
      ...requestFacts(plan.request),
    ],
    facts: value === null ? infeasibilityFacts(plan) : factsOf(plan, beside.facts),
    tables: [...beside.tables, ...(plan.towers === null ? [] : [towerTable(plan)])],
    charts: [
      ...beside.charts,
      ...(charts === null ? [] : interactionCharts(plan, charts, id)),
      ...(value === null || methods.length === 0
        ? []
        : [
            valueChart(
              { method: plan.method, value, bound, gap, notRun: charts?.notRun },
              methods,
              known(OBJECTIVES, kind) ?? kind,
              SCALE,
              id,
            ),
          ]),
      ...towerBars(plan, id),
    ],
  };
}

function sizesOf(windows: TowerPartitionPlan["limits"]["sizes"]): string {
  if (windows.length === 0) return "no sizes fit";
  const texts = windows.map(([least, most]) => (least === most ? `${least}` : `${least} to ${most}`));
  const shown = texts.length > 4 ? [...texts.slice(0, 3), "…", texts.at(-1)] : texts;
  return `${shown.join(", or ")} features per tower`;
}

function answerOf(plan: TowerPartitionPlan): Html {
  const { objective, status, towers, sizes } = plan;
  if (objective.value === null || towers === null) {
    if (status === "infeasible") return html`No partition is within the limits.`;
    return html`No partition was found within the limits of the search, and none was ruled out.`;
  }
  const features = (sizes ?? []).reduce((sum, size) => sum + size, 0);
  const value = planNumber("objective.value", objective.value, SCALE.text(objective.value));
  const what =
    objective.kind === "pairwise" ? "The distances inside towers come" : "The sum of squares in towers comes";
  const begin = html`${what} to ${value} with ${count(features)} features in
${count(towers.length)} ${towers.length === 1 ? "tower" : "towers"}`;
  const texts = answerTexts(SCALE, objective, "no partition within the limits comes to less");
  return html`${begin}; ${verdictText(valueWords(answerIn(plan), texts), objective)}.`;
}

function factsOf(plan: TowerPartitionPlan, beside: readonly Fact[]): Fact[] {
  const { objective, random, baseline, limits, loads } = plan;
  const value = objective.value ?? 0;
  const facts: Fact[] = [
    [known(OBJECTIVES, objective.kind) ?? objective.kind, planNumber("objective.value", value, SCALE.text(value))],
  ];
  if (objective.bound !== null) {
    facts.push(boundFact(objective.bound, objective.gap, boundBeside(SCALE, objective.bound, objective.value)));
  }
  if (random !== null) {
    const captured =
      random.capturedShare === null || plan.status === "proved"
        ? null
        : html`, of which the plan captures ${planNumber("random.capturedShare", random.capturedShare, percent(random.capturedShare))}`;
    facts.push([
      "a random partition",
      html`${planNumber("random.value", random.value, SCALE.text(random.value))}${captured}`,
    ]);
  }
  if (loads !== null && limits.load !== null) {
    const heaviest = loads.reduce((best, load, t) => (load > (loads[best] ?? 0) ? t : best), 0);
    facts.push([
      "heaviest tower",
      html`${planNumber(`loads.${heaviest}`, loads[heaviest] ?? 0, SCALE.text(loads[heaviest] ?? 0))} of
${planNumber("limits.load.most", limits.load.most, SCALE.text(limits.load.most))} (tower ${heaviest})`,
    ]);
  }
  facts.push(...beside);
  facts.push(...baseline.map((each, k): Fact => [each.method, baselineText(each, k)]));
  return [...facts, ...claimFacts(plan.claim)];
}

function baselineText(baseline: TowerBaseline, k: number): Html {
  const { value, status, reason, aboveBound, capturedShare } = baseline;
  if (value === null) return html`${noPlanText(reason)}`;
  const own = planNumber(`baseline.${k}.value`, value, SCALE.text(value));
  if (status !== "plan") return html`${own}, but ${reason}`;
  const captured = aboveBound === 0 ? null : capturedText(capturedShare, `baseline.${k}.capturedShare`);
  const stopped = reason === null ? null : html`; ${reason}`;
  return html`${own}${besideBoundText(aboveBound, `baseline.${k}.aboveBound`)}${captured}${stopped}`;
}

/** How much of the way from a random partition to the optimum is gone. */
function capturedText(share: number | null, path: string): Html | null {
  if (share === null) return null;
  if (share < 0) return html`, ${planNumber(path, share, "worse than random")}`;
  return html`, captures ${planNumber(path, share, percent(share))} of the way from random`;
}

function towerTable({ towers, sizes, towerCosts, loads }: TowerPartitionPlan): Html {
  const rows = (towers ?? []).map((names, t) => [
    String(t),
    planNumber(`sizes.${t}`, sizes?.[t] ?? 0, String(sizes?.[t] ?? 0)),
    planNumber(`towerCosts.${t}`, towerCosts?.[t] ?? 0, SCALE.text(towerCosts?.[t] ?? 0)),
    ...(loads === null ? [] : [planNumber(`loads.${t}`, loads[t] ?? 0, SCALE.text(loads[t] ?? 0))]),
    names.join(", "),
  ]);
  const head = ["tower", "features", "cost", ...(loads === null ? [] : ["load"]), "holds"];
  return longTable("The towers", head, rows, `${"r".repeat(head.length - 1)}l`);
}

function infeasibilityFacts({ infeasibility }: TowerPartitionPlan): Fact[] {
  if (infeasibility === null) return [];
  const { loadNeeded, loadAllowed, relaxed, explanation, conflict } = infeasibility;
  const facts: Fact[] = [["why", html`${explanation}`]];
  const add = (name: string, path: string, value: number | null) => {
    if (value !== null) facts.push([name, planNumber(`infeasibility.${path}`, value, SCALE.text(value))]);
  };
  add("load needed", "loadNeeded", loadNeeded);
  add("load allowed", "loadAllowed", loadAllowed);
  add("a loadRatio that is enough", "relaxed.loadRatio", relaxed?.loadRatio ?? null);
  if (conflict.length > 0) facts.push(["the features", html`${conflict.join(", ")}`]);
  return facts;
}
