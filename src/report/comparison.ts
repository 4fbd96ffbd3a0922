import { methodName } from "../text/optimality.js";
import { boundBeside } from "../text/value-unit.js";
import type { Chart } from "./chart.js";
import { barsHeight, specHead } from "./chart.js";
import { type Html, html } from "./html.js";
import type { ReportPlan } from "./input.js";
import { colour } from "./palette.js";
import { gapText } from "./plan-number.js";
import { statusBadge } from "./proof.js";
import { pageTable } from "./section.js";

/** Several plans side by side: a table, and a chart for each kind of value that more than one of them has. */
export function comparison(reports: readonly ReportPlan[]): {
  readonly table: Html;
  readonly charts: readonly Chart[];
} {
  const rows = reports.map((report, k) => {
    const { plan } = report;
    const { value, bound, gap, unit } = report.goal;
    return [
      html`<a href="#plan-${k}">${plan.instance.name}</a>`,
      plan.problem,
      methodName(plan.method),
      statusBadge(report),
      cellOf(value, (number) => unit.text(number)),
      cellOf(bound, (number) => boundBeside(unit, number, value)),
      cellOf(gap, gapText),
      `${plan.timing.totalSeconds} s`,
    ];
  });
  const head = ["plan", "problem", "method", "status", "value", "proved bound", "gap", "planned in"];
  const table = pageTable("All plans of this page", head, rows, "llllrrrr");
  const groups = new Map<string, { readonly report: ReportPlan; readonly place: number }[]>();
  for (const [place, report] of reports.entries()) {
    const kind = `${report.plan.problem}, ${report.plan.objective.kind}, ${report.goal.unit.name}`;
    if (report.goal.value === null) continue;
    groups.set(kind, [...(groups.get(kind) ?? []), { report, place }]);
  }
  const charts = [...groups.values()].filter((group) => group.length > 1).map(comparisonChart);
  return { table, charts };
}

function cellOf(value: number | null, text: (value: number) => string): Html {
  return value === null ? html`·` : html`<data value="${value}" title="${value}">${text(value)}</data>`;
}

function comparisonChart(group: readonly { readonly report: ReportPlan; readonly place: number }[], k: number): Chart {
  const first = group[0]?.report as ReportPlan;
  const { unit } = first.goal;
  const values = group.map(({ report: { plan, goal }, place }) => ({
    plan: `${place + 1}  ${plan.instance.name}, ${methodName(plan.method)}`,
    value: goal.value,
    bound: goal.bound,
  }));
  const shown = (field: string) => ({
    calculate: `datum.${field} / ${unit.size}`,
    as: field === "value" ? "shown" : "least",
  });
  const title = `value${unit.name === "" ? "" : `, ${unit.name}`}`;
  return {
    id: `comparison-${k}`,
    title: `Plans of ${first.plan.problem} compared`,
    description: "What each plan comes to, less is better; the mark is the proved bound, where there is one.",
    isWide: true,
    spec: {
      ...specHead(barsHeight(values.length), true),
      data: { values },
      transform: [shown("value"), { calculate: "datum.plan + ': ' + format(datum.shown, '.6~g')", as: "text" }],
      encoding: {
        y: {
          field: "plan",
          type: "nominal",
          sort: values.map(({ plan }) => plan),
          title: null,
          axis: { labelLimit: 420 },
        },
      },
      layer: [
        {
          mark: { type: "bar", color: colour.blue, height: 17 },
          encoding: { x: { field: "shown", type: "quantitative", title }, description: { field: "text" } },
        },
        {
          transform: [{ filter: "datum.bound !== null" }, shown("bound")],
          mark: { type: "tick", color: colour.vermilion, thickness: 3, size: 22 },
          encoding: { x: { field: "least", type: "quantitative", title } },
        },
      ],
    },
    numbers: {
      head: ["plan", "value", "proved bound"],
      rows: values.map(({ plan, value, bound }) => [plan, value ?? "", bound ?? ""]),
    },
  };
}
