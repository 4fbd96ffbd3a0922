import { besideBound, methodName } from "../text/optimality.js";
import { percent } from "../text/units.js";
import type { ValueUnit } from "../text/value-unit.js";
import { barsHeight, type Chart, specHead } from "./chart.js";
import { colour } from "./palette.js";

/** A method beside the others: what its plan comes to. */
export interface MethodValue {
  readonly method: string;
  /** `null`: it found no plan. */
  readonly value: number | null;
  /** (value − bound) / bound; `null` where there is no such number. */
  readonly aboveBound: number | null;
  /** It keeps to all limits. */
  readonly isWithin: boolean;
}

/** The plan's own value with its proved bound. */
export interface OwnValue {
  readonly method: string;
  readonly value: number;
  readonly bound: number | null;
  readonly gap: number | null;
  /** The plan has a second goal, of which the methods know nothing; default false. */
  readonly isFirstOfTwo?: boolean;
  /** Methods that the plan file does not have; absent where that is not known. */
  readonly notRun?: readonly string[] | undefined;
}

/** The plan, and what every method of its file comes to, against the proved bound. */
export function valueChart(
  own: OwnValue,
  methods: readonly MethodValue[],
  what: string,
  unit: ValueUnit,
  id: string,
): Chart {
  const bars = [
    {
      method: `the plan (${methodName(own.method)})`,
      value: own.value,
      kind: "the plan",
      label: own.gap === 0 ? "gap 0" : "",
    },
    ...methods.flatMap(({ method, value, aboveBound, isWithin }) =>
      value === null
        ? []
        : [
            {
              method,
              value,
              kind: isWithin ? "other methods" : "breaks limits",
              label: labelOf(own, aboveBound, isWithin),
            },
          ],
    ),
  ];
  const kinds = [...new Set(bars.map(({ kind }) => kind))];
  const colours: Readonly<Record<string, string>> = {
    "the plan": colour.blue,
    "other methods": colour.sky,
    "breaks limits": colour.grey,
  };
  const none = methods.filter(({ value }) => value === null).map(({ method }) => method);
  const title = unit.name === "" ? what : `${what}, ${unit.name}`;
  const x = { type: "quantitative", title, axis: { tickCount: 5 } };
  const bounds = own.bound === null ? [] : [{ bound: own.bound }];
  return {
    id: `${id}-methods`,
    title: "Methods against the bound",
    description: [
      `What the plan and each published method come to: ${what}, less is better.`,
      ...(own.bound === null ? [] : ["The dashed line is the proved bound, which no plan is below."]),
      ...(none.length === 0 ? [] : [`No plan was found by ${none.join(", ")}.`]),
      ...(own.notRun?.length === 0 ? [] : [`${notRunText(own.notRun)}shardproof compare runs every method.`]),
    ].join(" "),
    legend: kinds.length > 1 ? kinds.map((kind) => ({ name: kind, colour: colours[kind] ?? colour.grey })) : [],
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
                color: {
                  field: "kind",
                  type: "nominal",
                  scale: { domain: kinds, range: kinds.map((kind) => colours[kind]) },
                },
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
        [`the plan (${methodName(own.method)})`, own.value, ""],
        ...methods.flatMap(({ method, value, aboveBound }) =>
          value === null ? [] : [[method, value, aboveBound ?? ""]],
        ),
        ...(own.bound === null ? [] : [["proved bound", own.bound, ""]]),
      ],
    },
  };
}

function notRunText(methods: readonly string[] | undefined): string {
  return methods === undefined
    ? ""
    : `Not run beside a plan, because they draw what they try or take long: ${methods.join(", ")}; `;
}

function labelOf({ isFirstOfTwo = false }: OwnValue, aboveBound: number | null, isWithin: boolean): string {
  if (!isWithin) return "breaks limits";
  return besideBound(aboveBound, isFirstOfTwo, (share) => `+${percent(share)}`) ?? "";
}

/** The value as the axis has it, and as a text. */
function scaled(field: string, { size, name }: ValueUnit): readonly object[] {
  const shown = size === 1 ? `datum.${field}` : `datum.${field} / ${size}`;
  return [
    { calculate: shown, as: "shown" },
    {
      calculate: `(datum.method || 'bound') + ': ' + format(datum.shown, '.6~g') + ${JSON.stringify(name === "" ? "" : ` ${name}`)}`,
      as: "text",
    },
  ];
}
