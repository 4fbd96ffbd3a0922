import type { PlanValue } from "../plan-file/envelope.js";
import { besideBound, methodName } from "../text/optimality.js";
import { aboveText, percent } from "../text/units.js";
import type { ValueUnit } from "../text/value-unit.js";
import { barsHeight, type Chart, colouredBy, specHead, vegaLiteral } from "./chart.js";
import { colour } from "./palette.js";

/** A plan with the published methods of its file. */
interface ComparedPlan {
  readonly method: string;
  readonly objective: PlanValue;
  readonly baseline: readonly PlannedMethod[];
  /** A second goal, of which the methods know nothing. */
  readonly second?: object | null;
}

interface PlannedMethod {
  readonly method: string;
  /** `plan`: it keeps to all limits. */
  readonly status: string | null;
  /** `null`: it found no plan. */
  readonly value: number | null;
  /** (value − bound) / bound; `null` where there is no such number. */
  readonly aboveBound: number | null;
}

/**
 * The plan, and what every method of its file comes to, against the proved bound; none where there is nothing to
 * compare.
 * `notRun` are methods that the file does not have; absent where that is not known.
 */
export function valueCharts(
  { method: own, objective: { value, bound, gap }, baseline: methods, second = null }: ComparedPlan,
  what: string,
  unit: ValueUnit,
  notRun: readonly string[] | undefined,
  id: string,
): readonly Chart[] {
  if (value === null || methods.length === 0) return [];
  const bars = [
    {
      method: `the plan (${methodName(own)})`,
      value,
      kind: "the plan",
      label: gap === 0 ? "gap 0" : "",
    },
    ...methods.flatMap(({ method, value, aboveBound, status }) => {
      if (value === null) return [];
      if (status !== "plan") return [{ method, value, kind: "breaks limits", label: "breaks limits" }];
      const label =
        besideBound(aboveBound, second !== null, (share) => (share > 9 ? aboveText(share) : `+${percent(share)}`)) ??
        "";
      return [{ method, value, kind: "other methods", label }];
    }),
  ];
  const colours: Readonly<Record<string, string>> = {
    "the plan": colour.blue,
    "other methods": colour.sky,
    "breaks limits": colour.grey,
  };
  const kinds = [...new Set(bars.map(({ kind }) => kind))];
  const legend = kinds.map((kind) => ({ name: kind, colour: colours[kind] ?? colour.grey }));
  const none = methods.filter(({ value }) => value === null).map(({ method }) => method);
  const title = unit.name === "" ? what : `${what}, ${unit.name}`;
  const x = { type: "quantitative", title, axis: { tickCount: 5 } };
  const bounds = bound === null ? [] : [{ bound }];
  const chart = {
    id: `${id}-methods`,
    title: "Methods against the bound",
    description: [
      `What the plan and each published method come to: ${what}, less is better.`,
      ...(bound === null ? [] : ["The dashed line is the proved bound, which no plan is below."]),
      ...(none.length === 0 ? [] : [`No plan was found by ${none.join(", ")}.`]),
      ...(notRun?.length === 0 ? [] : [`${notRunText(notRun)}shardproof compare runs every method.`]),
    ].join(" "),
    legend: kinds.length > 1 ? legend : [],
    spec: {
      ...specHead(barsHeight(bars.length)),
      layer: [
        {
          data: { values: bars },
          transform: scaled("value", unit),
          encoding: {
            y: {
              field: "method",
              type: "nominal",
              sort: bars.map(({ method }) => method),
              title: null,
              axis: { labelLimit: 260 },
            },
          },
          layer: [
            {
              mark: { type: "bar", height: 17 },
              encoding: {
                x: { ...x, field: "shown" },
                color: colouredBy("kind", legend),
                description: { field: "text" },
              },
            },
            {
              mark: { type: "text", align: "left", dx: 5 },
              encoding: { x: { field: "shown", type: "quantitative" }, text: { field: "label" } },
            },
          ],
        },
        {
          data: { values: bounds },
          transform: scaled("bound", unit),
          mark: { type: "rule", color: colour.vermilion, strokeWidth: 2, strokeDash: [6, 3] },
          encoding: { x: { field: "shown", type: "quantitative" } },
        },
      ],
    },
    numbers: {
      head: ["method", what, "above the bound"],
      rows: [
        [`the plan (${methodName(own)})`, value, ""],
        ...methods.flatMap(({ method, value, aboveBound }) =>
          value === null ? [] : [[method, value, aboveBound ?? ""]],
        ),
        ...(bound === null ? [] : [["proved bound", bound, ""]]),
      ],
    },
  };
  return [chart];
}

function notRunText(methods: readonly string[] | undefined): string {
  return methods === undefined
    ? ""
    : `Not run beside a plan, because they draw what they try or take long: ${methods.join(", ")}; `;
}

/** The value as the axis has it, and as a text. */
function scaled(field: string, { size, name }: ValueUnit): readonly object[] {
  const shown = size === 1 ? `datum.${field}` : `datum.${field} / ${size}`;
  return [
    { calculate: shown, as: "shown" },
    {
      calculate: `(datum.method || 'bound') + ': ' + format(datum.shown, '.6~g') + ${vegaLiteral(name === "" ? "" : ` ${name}`)}`,
      as: "text",
    },
  ];
}
