import type { PlanTable } from "../facts/plan-table.js";
import { changeText } from "../facts/tiles.js";
import { methodName } from "../text/optimality.js";
import { percent, relativeGap, significant, some } from "../text/units.js";
import { boundBeside } from "../text/value-unit.js";
import { barsHeight, type Chart, specHead } from "./chart.js";
import { type Html, html } from "./html.js";
import type { ReportPlan } from "./input.js";
import { colour } from "./palette.js";
import { statusBadge } from "./proof.js";

/** Plans that a page sets against the best of their instance one by one. */
const MAX_DIFFERENCES = 4;

/** Several plans side by side. */
export interface Comparison {
  /** What it comes to, one sentence for each instance of which there are several plans. */
  readonly sentences: readonly Html[];
  /** One for each kind of value. */
  readonly parts: readonly ComparisonPart[];
}

interface ComparisonPart {
  /** `null` where it is the only one. */
  readonly title: string | null;
  readonly table: Html;
  readonly charts: readonly Chart[];
  readonly tables: readonly PlanTable[];
}

/** A plan with its place on the page. */
interface Compared {
  readonly report: ReportPlan;
  readonly place: number;
  readonly name: string;
}

/**
 * Plans side by side: a table and a chart for each kind of value, and in what each plan differs from the best of its instance.
 * Gaps are to the highest bound that any of the instance's plans proved.
 */
export function comparison(reports: readonly ReportPlan[]): Comparison {
  const named = namesOf(reports);
  const kinds = grouped(
    named,
    ({ report: { plan, goal } }) => `${plan.problem}, ${plan.objective.kind}, ${goal.unit.name}`,
  );
  const instances = grouped(
    named.filter(({ report }) => report.goal.value !== null && report.check.kind !== "failed"),
    ({ report: { plan } }) => `${plan.instance.sha256} ${plan.problem} ${plan.objective.kind}`,
  )
    .filter((plans) => plans.length > 1)
    .map((plans) => [...plans].sort((a, b) => goalOf(a) - goalOf(b) || a.place - b.place));
  let chart = 0;
  return {
    sentences: instances.map(sentenceOf),
    parts: kinds.map((plans) => {
      const valued = plans.filter(({ report }) => report.goal.value !== null);
      const [first] = plans as readonly [Compared, ...Compared[]];
      const pairs = instances.filter(([best]) => plans.includes(best as Compared)).flatMap(differencesOf);
      const number = valued.length > 1 ? chart++ : 0;
      return {
        title: kinds.length === 1 ? null : `Plans of ${first.report.plan.problem}`,
        table: planTable(plans, instances),
        charts: [
          ...(valued.length > 1 ? [valueChart(valued, number), ...timeChart(valued, instances, number)] : []),
          ...pairs.flatMap(({ charts }) => charts),
        ],
        tables: pairs.flatMap(({ tables }) => tables),
      };
    }),
  };
}

/** What sets each plan apart: its method, its instance where there are several, its number where that is not enough. */
function namesOf(reports: readonly ReportPlan[]): readonly Compared[] {
  const isOneInstance = new Set(reports.map(({ plan }) => plan.instance.sha256)).size === 1;
  const names = reports.map(({ plan: { instance, method } }) =>
    isOneInstance ? methodName(method) : `${instance.name}, ${methodName(method)}`,
  );
  return reports.map((report, place) => {
    const name = names[place] as string;
    return { report, place, name: names.filter((each) => each === name).length > 1 ? `${name} (${place + 1})` : name };
  });
}

function grouped(plans: readonly Compared[], keyOf: (plan: Compared) => string): readonly (readonly Compared[])[] {
  const groups = new Map<string, Compared[]>();
  for (const plan of plans) groups.set(keyOf(plan), [...(groups.get(keyOf(plan)) ?? []), plan]);
  return [...groups.values()];
}

function goalOf({ report }: Compared): number {
  return report.goal.value ?? Number.POSITIVE_INFINITY;
}

function sentenceOf(plans: readonly Compared[]): Html {
  const [best, ...others] = plans as readonly [Compared, ...Compared[]];
  const { goal, plan } = best.report;
  const short = ({ name }: Compared) => name.replace(`${plan.instance.name}, `, "");
  const rest = others.map((other) => `${short(other)} ${aboveText(goalOf(other), goalOf(best))}`);
  const shown = rest.length > 4 ? [...rest.slice(0, 3), `${some(rest.length - 3, "plan")} more`] : rest;
  return html`${plan.instance.name}: ${short(best)} comes to the least, ${goal.unit.text(goalOf(best))}; ${shown.join(", ")}.`;
}

function aboveText(value: number, best: number): string {
  if (value === best) return "as much";
  return best > 0 ? `${percent(value / best - 1)} more` : "more";
}

/** The plans of an instance, the best first; by itself where there is no other. */
function companions(plan: Compared, instances: readonly (readonly Compared[])[]): readonly Compared[] {
  return instances.find((plans) => plans.includes(plan)) ?? [plan];
}

/** How far a value is above the highest bound that any plan of the instance proved. */
function aboveBound(plan: Compared, instances: readonly (readonly Compared[])[]): number | null {
  const bounds = companions(plan, instances).flatMap(({ report: { goal } }) =>
    goal.bound === null ? [] : [goal.bound],
  );
  const bound = bounds.reduce((most, each) => Math.max(most, each), Number.NEGATIVE_INFINITY);
  const { value } = plan.report.goal;
  return value === null || !(bound > 0) ? null : Math.max(0, (value - bound) / bound);
}

function planTable(plans: readonly Compared[], instances: readonly (readonly Compared[])[]): Html {
  const heads = ["plan", "value", "against the best", "proved bound", "above the bound", "planned in"];
  const rows = plans.map((each) => {
    const { plan, goal } = each.report;
    const { value, bound, unit } = goal;
    const [best] = companions(each, instances) as readonly [Compared];
    const above = aboveBound(each, instances);
    const cells = [
      number(value, (text) => unit.text(text)),
      best === each || value === null ? html`·` : html`${changeText(value, goalOf(best))}`,
      number(bound, (text) => boundBeside(unit, text, value)),
      number(above, relativeGap),
      number(plan.timing.totalSeconds, (seconds) => `${significant(seconds, 3)} s`),
    ];
    const name = html`<a href="#plan-${each.place}">${plan.instance.name}</a> ${methodName(plan.method)}<br>${statusBadge(each.report)}`;
    return html`<tr><th scope="row">${name}</th>${cells.map((cell, k) => html`<td class="number" data-label="${heads[k + 1] as string}">${cell}</td>`)}</tr>\n`;
  });
  const head = heads.map((text, k) =>
    k === 0 ? html`<th scope="col">${text}</th>` : html`<th scope="col" class="number">${text}</th>`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Plans"><table class="cards"><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function number(value: number | null, text: (value: number) => string): Html {
  return value === null ? html`·` : html`<data value="${value}" title="${value}">${text(value)}</data>`;
}

function differencesOf(
  plans: readonly Compared[],
): readonly { charts: readonly Chart[]; tables: readonly PlanTable[] }[] {
  const [best, ...others] = plans as readonly [Compared, ...Compared[]];
  return others.slice(0, MAX_DIFFERENCES).flatMap((other) => {
    const names = [best.name, other.name] as const;
    const id = `difference-${best.place}-${other.place}`;
    const found = best.report.difference?.({ best: best.report.plan, other: other.report.plan, names, id });
    return found === undefined ? [] : [found];
  });
}

function valueChart(group: readonly Compared[], k: number): Chart {
  const { unit } = (group[0] as Compared).report.goal;
  const values = group.map(({ report: { goal }, name }) => ({ plan: name, value: goal.value, bound: goal.bound }));
  const shown = (field: string) => ({
    calculate: `datum.${field} / ${unit.size}`,
    as: field === "value" ? "shown" : "least",
  });
  const title = `value${unit.name === "" ? "" : `, ${unit.name}`}`;
  const order = values.map(({ plan }) => plan);
  return {
    id: `comparison-${k}`,
    title: "The value of each plan",
    description: "Less is better; the mark is the proved bound, where there is one.",
    spec: {
      ...specHead(barsHeight(values.length)),
      data: { values },
      transform: [shown("value"), { calculate: "datum.plan + ': ' + format(datum.shown, '.6~g')", as: "text" }],
      encoding: { y: { field: "plan", type: "nominal", sort: order, title: null, axis: { labelLimit: 200 } } },
      layer: [
        {
          mark: { type: "bar", color: colour.blue, height: 17 },
          encoding: {
            x: { field: "shown", type: "quantitative", title, axis: { tickCount: 5 } },
            description: { field: "text" },
          },
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

/** What more time brought: gaps by seconds; none where fewer than two plans have a gap. */
function timeChart(
  group: readonly Compared[],
  instances: readonly (readonly Compared[])[],
  k: number,
): readonly Chart[] {
  const points = group.flatMap((each) => {
    const gap = aboveBound(each, instances);
    const seconds = Math.max(each.report.plan.timing.totalSeconds, MIN_SECONDS);
    return gap === null ? [] : [{ plan: each.name, seconds, gap }];
  });
  if (points.length < 2) return [];
  const encoding = {
    x: {
      field: "seconds",
      type: "quantitative",
      title: "seconds to plan",
      scale: { type: "log", padding: 30 },
      axis: { tickCount: 4, format: "~g", grid: false },
    },
    y: {
      field: "gap",
      type: "quantitative",
      title: "above the proved bound",
      axis: { tickCount: 5, format: ".1%" },
      scale: { zero: true },
    },
  };
  return [
    {
      id: `gap-time-${k}`,
      title: "Gap and time",
      description: "How far each plan is above the highest bound that was proved of its instance, by the time it took.",
      spec: {
        ...specHead(Math.max(150, barsHeight(points.length))),
        data: { values: points },
        transform: [
          {
            calculate: "datum.plan + ': ' + format(datum.gap, '.3~%') + ' in ' + format(datum.seconds, '.3~g') + ' s'",
            as: "text",
          },
        ],
        encoding,
        layer: [
          {
            mark: { type: "point", filled: true, size: 80, color: colour.blue, opacity: 1 },
            encoding: { description: { field: "text" } },
          },
          {
            mark: { type: "text", dy: -11, fontSize: 11, limit: 180 },
            encoding: { text: { field: "plan" } },
          },
        ],
      },
      numbers: {
        head: ["plan", "seconds", "above the bound"],
        rows: points.map(({ plan, seconds, gap }) => [plan, seconds, gap]),
      },
    },
  ];
}

/** What is faster is drawn as if it took so long. */
const MIN_SECONDS = 0.001;
