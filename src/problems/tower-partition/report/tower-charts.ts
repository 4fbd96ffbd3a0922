import { type Chart, extremes, specHead } from "../../../report/chart.js";
import type { LegendMark } from "../../../report/legend.js";
import { CATEGORIES, colour, SEQUENCE } from "../../../report/palette.js";
import type { TowerPartitionPlan } from "../plan-file/plan-file.js";
import type { TowerCharts } from "./input.js";

/** Features whose names stand beside their points and rows. */
const MAX_NAMED = 40;

/** Features of which every pair is described for those who point at it. */
const MAX_DESCRIBED = 60;

/** Classes of interaction between the least and the most: few, so that each is seen for itself. */
const SHADES = [0, 2, 3, 4, 6].map((k) => SEQUENCE[k]?.[0] as string);

const SHAPES: readonly LegendMark[] = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"];

/** Of an interaction in the specification of a matrix whose pairs are not described. */
const DIGITS = 4;

/** The towers of a plan with the places of their features among all. */
interface Towers {
  readonly of: ReadonlyMap<string, number>;
  readonly names: readonly string[];
}

function towersOf(towers: readonly (readonly string[])[]): Towers {
  const of = new Map(towers.flatMap((names, tower) => names.map((name) => [name, tower] as const)));
  return { of, names: towers.map((_, tower) => `tower ${tower}`) };
}

/** Features as points of the plane, and the interaction matrix with the features of each tower side by side. */
export function interactionCharts(plan: TowerPartitionPlan, charts: TowerCharts, id: string): Chart[] {
  if (plan.towers === null) return [];
  const towers = towersOf(plan.towers);
  const { towers: named, objective } = plan;
  return [interactionMatrix({ towers: named, objective }, charts, id), planeChart(plan, charts, towers, id)];
}

function planeChart({ objective }: TowerPartitionPlan, charts: TowerCharts, towers: Towers, id: string): Chart {
  const { features, plane } = charts;
  const values = features.map((feature, i) => {
    const [x, y] = plane.points[i] ?? [0, 0];
    const tower = towers.of.get(feature) ?? 0;
    return { feature, tower: `tower ${tower}`, number: tower, x, y };
  });
  const axis = { type: "quantitative", title: null, axis: null, scale: { zero: false, padding: 18 } };
  const encoding = { x: { ...axis, field: "x" }, y: { ...axis, field: "y" } };
  const range = towers.names.map((_, t) => CATEGORIES[t % CATEGORIES.length]);
  const shapes = towers.names.map((_, t) => SHAPES[t % SHAPES.length]);
  return {
    id: `${id}-plane`,
    title: "Features in the plane",
    description:
      `Every feature as a point, its tower by colour and shape. Points are as far apart as the plane can make them after the ` +
      `distances that the partition is made of (${objective.strategy === "coherent" ? "1 − interaction" : "interaction"}; ` +
      `multidimensional scaling, stress ${plane.stress.toPrecision(4)}).`,
    legend: towers.names.map((name, t) => ({
      name,
      colour: CATEGORIES[t % CATEGORIES.length] ?? colour.grey,
      mark: SHAPES[t % SHAPES.length] ?? "circle",
    })),
    spec: {
      ...specHead(380),
      data: { values },
      transform: [{ calculate: "datum.feature + ', ' + datum.tower", as: "text" }],
      encoding,
      layer: [
        {
          mark: { type: "point", filled: true, size: 110, opacity: 0.9, stroke: colour.ground, strokeWidth: 1 },
          encoding: {
            color: { field: "tower", type: "nominal", scale: { domain: towers.names, range } },
            shape: { field: "tower", type: "nominal", scale: { domain: towers.names, range: shapes } },
            description: { field: "text" },
          },
        },
        ...(features.length > MAX_NAMED
          ? []
          : [
              {
                mark: { type: "text", dy: -11, fontSize: 10, color: colour.muted },
                encoding: { text: { field: "feature" } },
              },
            ]),
      ],
    },
    numbers: {
      head: ["feature", "tower", "x", "y"],
      rows: values.map(({ feature, number, x, y }) => [feature, number, x, y]),
    },
  };
}

/** Features by tower, and what the towers gather or part. */
interface FramedTowers {
  readonly towers: readonly (readonly string[])[];
  readonly objective: { readonly strategy: string };
}

/** The interaction of every pair of features, with those of each tower side by side. */
export function interactionMatrix(
  { towers: named, objective }: FramedTowers,
  { features, interaction }: Pick<TowerCharts, "features" | "interaction">,
  id: string,
): Chart {
  const towers = towersOf(named);
  const order = named.flat();
  const index = new Map(features.map((feature, i) => [feature, i]));
  const known = order.flatMap((feature) => {
    const i = index.get(feature);
    return i === undefined ? [] : [{ feature, i }];
  });
  const isDescribed = known.length <= MAX_DESCRIBED;
  const shown = (value: number) => (isDescribed ? value : Number(value.toPrecision(DIGITS)));
  const lines = known.map(({ i }, row) => ({
    row,
    interaction: known.map(({ i: j }) => shown(interaction[i]?.[j] ?? 0)),
  }));
  const frames: { from: number; to: number; tower: string }[] = [];
  let from = 0;
  for (const [tower, names] of named.entries()) {
    frames.push({ from, to: from + names.length, tower: `tower ${tower}` });
    from += names.length;
  }
  // A feature is one with itself, whatever the others are.
  const [least, most] = extremes(
    lines.flatMap(({ row, interaction: line }) => line.filter((_, column) => column !== row)),
  );
  const at = (share: number) => (least + (most - least) * share).toFixed(2);
  const names = known.map(({ feature }) => feature);
  const domain = [0, known.length];
  const labels = {
    values: names.flatMap((_, k) => (known.length <= MAX_NAMED ? [k + 0.5] : [])),
    labelExpr: "names[floor(datum.value)]",
    ticks: false,
    grid: false,
    domain: false,
    labelFontSize: 9,
    labelLimit: 70,
    labelOverlap: false,
  };
  const above = { ...labels, labelAngle: -90, orient: "top" };
  const x = { type: "quantitative", title: null, scale: { domain, nice: false } };
  const y = { ...x, scale: { domain, nice: false, reverse: true } };
  return {
    id: `${id}-matrix`,
    title: "Interaction, tower by tower",
    description:
      "The interaction of every pair of features, darker (on a dark page: brighter) for more, with the features of each " +
      `tower side by side and framed. ${objective.strategy === "coherent" ? "Coherent towers gather what interacts, as far as sizes and load let them: what is dark outside of the frames is parted." : "Diverse towers part what interacts, as far as sizes and load let them: what is dark in the frames is together."}`,
    legend: SHADES.map((shade, k) => ({
      name: `${at(k / SHADES.length)} to ${at((k + 1) / SHADES.length)}`,
      colour: shade,
    })),
    spec: {
      ...specHead(390),
      params: [{ name: "names", value: names }],
      layer: [
        {
          data: { values: lines },
          transform: [
            { flatten: ["interaction"] },
            { window: [{ op: "row_number", as: "right" }], groupby: ["row"] },
            { calculate: "datum.right - 1", as: "column" },
            { calculate: "datum.row + 1", as: "bottom" },
            ...(isDescribed
              ? [
                  {
                    calculate:
                      "names[datum.row] + ' and ' + names[datum.column] + ': ' + format(datum.interaction, '.4~g')",
                    as: "text",
                  },
                ]
              : []),
          ],
          mark: { type: "rect", aria: isDescribed },
          encoding: {
            x: { ...x, field: "column", axis: above },
            x2: { field: "right" },
            y: { ...y, field: "row", axis: labels },
            y2: { field: "bottom" },
            color: {
              field: "interaction",
              type: "quantitative",
              scale: { type: "quantize", domain: [least, most], range: SHADES },
            },
            ...(isDescribed ? { description: { field: "text" } } : {}),
          },
        },
        {
          data: { values: frames },
          mark: { type: "rect", fill: null, stroke: colour.vermilion, strokeWidth: 2 },
          encoding: {
            x: { ...x, field: "from", axis: above },
            x2: { field: "to" },
            y: { ...y, field: "from", axis: labels },
            y2: { field: "to" },
          },
        },
      ],
    },
    numbers: {
      head: ["feature", "tower", "mean interaction inside its tower", "with all others"],
      rows: known.map(({ feature, i }) => {
        const own = towers.of.get(feature);
        const inside = known.filter((other) => other.i !== i && towers.of.get(other.feature) === own);
        const outside = known.filter((other) => towers.of.get(other.feature) !== own);
        const mean = (others: typeof known) =>
          others.length === 0
            ? ""
            : others.reduce((sum, { i: j }) => sum + (interaction[i]?.[j] ?? 0), 0) / others.length;
        return [feature, own ?? "", mean(inside), mean(outside)];
      }),
    },
  };
}

/** Cost and load of each tower. */
export function towerBars({ towerCosts, loads, limits, objective }: TowerPartitionPlan, id: string): Chart[] {
  if (towerCosts === null) return [];
  const cost = bars(`${id}-tower-costs`, "Cost of each tower", "cost", towerCosts, null);
  const charts = [
    {
      ...cost,
      description: `What each tower adds to the objective: ${objective.kind === "pairwise" ? "the distances between its features" : "the sum of squares around its centre"}.`,
    },
  ];
  if (loads === null) return charts;
  const limit = limits.load?.most ?? null;
  return [
    ...charts,
    {
      ...bars(`${id}-tower-loads`, "Load of each tower", "load", loads, limit),
      description: `What each tower carries.${limit === null ? "" : ` The dashed line is the most that one may carry, ${limit}.`}`,
    },
  ];
}

function bars(
  id: string,
  title: string,
  field: string,
  numbers: readonly number[],
  limit: number | null,
): Omit<Chart, "description"> {
  const values = numbers.map((value, tower) => ({ tower, [field]: value }));
  return {
    id,
    title,
    spec: {
      ...specHead(180),
      layer: [
        {
          data: { values },
          transform: [{ calculate: `'tower ' + datum.tower + ': ' + format(datum.${field}, '.6~g')`, as: "text" }],
          mark: { type: "bar", color: colour.blue },
          encoding: {
            x: { field: "tower", type: "ordinal", axis: { labelAngle: 0, ticks: false, labelOverlap: true } },
            y: { field, type: "quantitative", title: field, axis: { tickCount: 4 } },
            description: { field: "text" },
          },
        },
        {
          data: { values: limit === null ? [] : [{ limit }] },
          mark: { type: "rule", color: colour.vermilion, strokeWidth: 1.5, strokeDash: [6, 3] },
          encoding: { y: { field: "limit", type: "quantitative", title: field } },
        },
      ],
    },
    numbers: { head: ["tower", field], rows: numbers.map((value, tower) => [tower, value]) },
  };
}
