import { chartFigure } from "../report/chart.js";
import { type Html, html } from "../report/html.js";
import { factList, pageTable } from "../report/section.js";
import { pageShell } from "../report/shell.js";
import { methodName } from "../text/optimality.js";
import { count, percent, significant, some } from "../text/units.js";
import { studyCharts } from "./charts.js";
import type { StudyFile } from "./job.js";
import type { Row } from "./row.js";
import { groupedBy, isShown, type MethodSummary, NEVER, summaries, worstRows } from "./summary.js";
import { variedText } from "./table.js";

/** Instances that are listed of each method that is far from the bound. */
const WORST = 3;

/** The page of a study: per problem the methods in numbers, charts, and where each is worst. */
export async function studyPage(study: StudyFile, rows: readonly Row[]): Promise<string> {
  const sections: Html[] = [];
  for (const [k, group] of groupedBy(rows, ({ line }) => line.instance.problem).entries()) {
    sections.push(await problemSection(group, `problem-${k}`));
  }
  const source = study.source === undefined ? null : html`<p>${study.source}</p>`;
  const body = html`<div class="overview"><h1>${study.study}</h1>${source}
${standing(rows)}</div>
${sections}`;
  const footer = html`Made by shardproof study collect. Every bound here was derived in exact arithmetic, and every result checked again as
this page was made. Seconds are of the machines that made the plans; nothing else here depends on a clock, but for plans that a time limit
ended. The charts' specifications are Vega-Lite.`;
  return pageShell({ title: study.study, generator: "shardproof study", body, footer });
}

function standing(rows: readonly Row[]): Html {
  const missing = rows.filter(({ status }) => status === "missing").length;
  const failed = rows.filter(({ verified }) => verified === false).length;
  const contradicting = rows.filter(({ contradicts }) => contradicts).length;
  const stopped = rows.filter(({ stopped: is, status }) => is || status === "feasible" || status === "unknown").length;
  const instances = new Set(rows.map(({ line }) => line.instance.sha256)).size;
  const checked = rows.length - missing - failed;
  return html`<div class="box">${factList([
    ["plans", html`${count(rows.length)} of ${some(instances, "instance")}`],
    [
      "checked",
      html`${count(checked)} results read and derived again${failed === 0 ? "" : html`; <span class="bad">${count(failed)} failed</span>`}`,
    ],
    ...(missing === 0 ? [] : [["not done", html`<span class="bad">${some(missing, "plan")} missing</span>`] as const]),
    ...(stopped === 0 ? [] : [["ended by a limit", html`${some(stopped, "plan")}`] as const]),
    ...(contradicting === 0
      ? []
      : [
          [
            "contradictions",
            html`<span class="bad">${some(contradicting, "value")} below a proved bound</span>`,
          ] as const,
        ]),
  ])}</div>`;
}

async function problemSection(rows: readonly Row[], id: string): Promise<Html> {
  const methods = summaries(rows);
  const [{ problem }] = methods as [MethodSummary, ...MethodSummary[]];
  const figures: Html[] = [];
  for (const chart of studyCharts(rows, methods.filter(isShown), id)) figures.push(await chartFigure(chart));
  return html`<section class="plan" id="${id}"><h2>${problem}</h2>
${methodsTable(methods)}
<div class="charts">${figures}</div>
${worstTable(rows)}
</section>
`;
}

function methodsTable(methods: readonly MethodSummary[]): Html {
  const head = ["method", "plans", "optimal", "mean above", "median", "worst", "median s", "longest s"];
  const share = (value: number | undefined) => (value === undefined ? "·" : percent(value));
  const lines = methods
    .filter(isShown)
    .map(({ method, applicable, plans, optimal, gaps, seconds }) => [
      methodName(method),
      `${count(plans)} of ${count(applicable)}`,
      applicable === 0 ? "·" : `${count(optimal)} (${percent(optimal / applicable)})`,
      share(gaps?.mean),
      share(gaps?.median),
      share(gaps?.worst),
      seconds === null ? "·" : significant(seconds.median, 2),
      seconds === null ? "·" : significant(seconds.most, 2),
    ]);
  const caption =
    "Plans that keep to all limits, of the instances that a method applies to; optimal: proved by the exact one, of the others at the proved bound; how far above that bound they are";
  const others = methods.filter((one) => !isShown(one)).map(({ method }) => method);
  const never = others.length === 0 ? null : html`<p class="muted">${others.join(", ")}: ${NEVER}.</p>`;
  return html`${pageTable(caption, head, lines, "lrrrrrrr")}${never}`;
}

function worstTable(rows: readonly Row[]): Html | null {
  const worst = groupedBy(rows, ({ line }) => line.method).flatMap((group) => worstRows(group, WORST));
  if (worst.length === 0) return null;
  const varied = [...new Set(rows.flatMap(({ line }) => Object.keys(line.vary)))];
  const lines = worst.map(({ line, above, value, provedBound, number }) => [
    methodName(line.method),
    line.instance.name,
    ...varied.map((key) => variedText(line.vary[key]) ?? ""),
    percent(above ?? 0),
    significant(value ?? 0, 6),
    significant(provedBound ?? 0, 6),
    String(number),
  ]);
  const head = ["method", "instance", ...varied, "above", "value", "proved bound", "line"];
  return pageTable("Where each method is worst", head, lines, `ll${"l".repeat(varied.length)}rrrr`);
}
