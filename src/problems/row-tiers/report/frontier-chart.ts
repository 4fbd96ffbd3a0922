import { byteUnit, type Chart, extremes, specHead, thinned } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import type { LegendMark } from "../../../report/legend.js";
import { colour } from "../../../report/palette.js";
import { pointsName } from "../../../text/optimality.js";
import { plotTop } from "../../../text/plot-range.js";
import { methodTitle } from "../facts.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";
import type { FrontierData, FrontierPoint } from "./input.js";

/** Break-points of the relaxation that are drawn. */
const MAX_POINTS = 250;

/** How far beyond the curve's last break-point a point may lie, as a share of the curve's width, to be drawn. */
const MAX_BEYOND = 0.5;

const GREEDY: Readonly<Record<string, readonly [shape: LegendMark, colour: string]>> = {
  "flexshard-3tier": ["triangle-up", colour.orange],
  "flexshard-2tier": ["square", colour.vermilion],
  "recshard-like": ["cross", colour.purple],
};

/**
 * Memory against latency: the relaxation, which no plan is below; the proved optima; the greedy methods; FlexShard's points
 * A to D; the plan, and the line that its price of memory says the bound falls along.
 */
export function frontierChart(plan: RowTiersPlan, frontier: FrontierData, id: string): Chart | null {
  const { breakPoints, optimal, points: marks } = frontier;
  const [first, last] = [breakPoints[0], breakPoints.at(-1)];
  if (first === undefined || last === undefined) return null;
  const limit = last.bytesPerGpu + (last.bytesPerGpu - first.bytesPerGpu) * MAX_BEYOND;
  const isInside = ({ bytesPerGpu }: FrontierPoint) => bytesPerGpu >= first.bytesPerGpu && bytesPerGpu <= limit;
  const exactName = pointsName(optimal);
  const curve = thinned(breakPoints, MAX_POINTS);
  const greedy = Object.entries(frontier.greedyByMethod).flatMap(([method, { points }]) =>
    points.flatMap(({ bytesPerGpu, value }) =>
      value !== null && isInside({ bytesPerGpu, value }) ? [{ method: methodTitle(method), bytesPerGpu, value }] : [],
    ),
  );
  const optima = optimal.filter(isInside).map(({ bytesPerGpu, value }) => ({ method: exactName, bytesPerGpu, value }));
  const named = Object.entries(marks ?? {}).map(([name, { bytesPerGpu, value, rows }]) => ({
    name: name.toUpperCase(),
    bytesPerGpu,
    value,
    rows,
  }));
  const drawn = named.filter(isInside);
  const chosen = chosenPoint(plan);
  const rightmost = [...optima, ...drawn, ...(chosen === null || !isInside(chosen) ? [] : [chosen]), last].reduce(
    (most, { bytesPerGpu }) => Math.max(most, bytesPerGpu),
    first.bytesPerGpu,
  );
  const { unit, size } = byteUnit(rightmost);
  const scale: PlotScale = {
    size,
    title: `memory per GPU, ${unit}`,
    domain: [first.bytesPerGpu / size, Math.max(rightmost, first.bytesPerGpu * (1 + 1e-9)) / size],
    heights: heightsOf([...curve, ...greedy, ...optima, ...drawn, ...(chosen === null ? [] : [chosen])]),
  };
  const methods = [...new Set(greedy.map(({ method }) => method))];
  const series = [...(optima.length === 0 ? [] : [exactName]), ...methods];
  const styleOf = (method: string): readonly [shape: LegendMark, colour: string] =>
    Object.entries(GREEDY).find(([key]) => methodTitle(key) === method)?.[1] ?? ["circle", colour.blue];
  const colours = { domain: series, range: series.map((method) => styleOf(method)[1]) };
  const outside = named.filter((mark) => !isInside(mark)).map(({ name }) => name);
  const proved = optimal.filter(({ status }) => status === "proved").length;
  const description = [
    "The least communication per iteration for every memory per GPU: the grey line is the relaxation, which no plan is below;",
    optimal.length === 0
      ? "the exact method had no time for points of its own."
      : `${proved} of the ${optimal.length} points of the exact method are proved to the gap.`,
    marks === null ? "" : "A to D are FlexShard's: least memory, the budget, least communication, every row copied.",
    outside.length === 0 ? "" : `Outside of the picture: ${outside.join(", ")}.`,
    chosen === null ? "" : "The diamond is the plan.",
    tangentOf(plan) === null ? "" : "The dashed line is the price of memory at its budget.",
  ];
  return {
    id: `${id}-frontier`,
    title: "Memory against communication",
    description: description.filter((text) => text !== "").join(" "),
    isWide: true,
    legend: [
      ...series.map((name) => ({ name, colour: styleOf(name)[1], mark: styleOf(name)[0] })),
      { name: "relaxation", colour: colour.grey, mark: "line" },
      ...(chosen === null ? [] : [{ name: "the plan", colour: colour.green, mark: "diamond" as const }]),
      ...(tangentOf(plan) === null ? [] : [{ name: "price of memory", colour: colour.green, mark: "dashes" as const }]),
    ],
    spec: {
      ...specHead(320, true),
      layer: [
        layer(scale, curve, { type: "line", color: colour.grey, strokeWidth: 1.5, clip: true }),
        ...tangentLayers(plan, scale, limit),
        {
          // A method's plan at one budget is a plan at every wider one.
          ...layer(scale, greedy, { type: "line", interpolate: "step-after", strokeWidth: 1.5, clip: true }),
          encoding: { ...encodingOf(scale), color: { field: "method", type: "nominal", scale: colours } },
        },
        {
          ...layer(scale, [...greedy, ...optima], { type: "point", filled: true, size: 45, opacity: 1, clip: true }),
          encoding: {
            ...encodingOf(scale),
            color: { field: "method", type: "nominal", scale: colours },
            shape: {
              field: "method",
              type: "nominal",
              scale: { domain: series, range: series.map((m) => styleOf(m)[0]) },
            },
            description: { field: "text" },
          },
        },
        labelled(scale, drawn),
        ...(chosen === null || !isInside(chosen)
          ? []
          : [
              layer(scale, [{ ...chosen, label: "the plan" }], {
                type: "point",
                shape: "diamond",
                size: 170,
                filled: true,
                color: colour.green,
                stroke: colour.text,
              }),
            ]),
      ],
    },
    numbers: {
      head: ["what", "bytes per GPU", "seconds per iteration"],
      rows: [
        ...(chosen === null ? [] : [["the plan", chosen.bytesPerGpu, chosen.value]]),
        ...named.map(({ name, bytesPerGpu, value }) => [name, bytesPerGpu, value]),
        ...[...optima, ...greedy].map(({ method, bytesPerGpu, value }) => [method, bytesPerGpu, value]),
        ...curve.map(({ bytesPerGpu, value }) => ["relaxation", bytesPerGpu, value]),
      ],
    },
  };
}

interface PlotScale {
  readonly size: number;
  readonly title: string;
  readonly domain: readonly [number, number];
  /** Milliseconds. */
  readonly heights: readonly [number, number];
}

/** From the least to the most, with some room: the price of memory alone may lead far below. */
function heightsOf(points: readonly FrontierPoint[]): readonly [number, number] {
  const values = points.map(({ value }) => value * 1000);
  const [low, high] = [extremes(values)[0], plotTop(values)];
  const room = (high - low || high || 1) * 0.06;
  return [low - room, high + room];
}

function layer(scale: PlotScale, values: readonly object[], mark: ChartSpec): ChartSpec {
  return {
    data: { values },
    transform: [
      { calculate: `datum.bytesPerGpu / ${scale.size}`, as: "memory" },
      { calculate: "datum.value * 1000", as: "milliseconds" },
      {
        calculate:
          "(datum.label || datum.name || datum.method || '') + ': ' + format(datum.memory, '.6~g') + ', ' + format(datum.milliseconds, '.6~g') + ' ms'",
        as: "text",
      },
    ],
    mark,
    encoding: encodingOf(scale),
  };
}

function encodingOf({ title, domain, heights }: PlotScale): ChartSpec {
  return {
    x: {
      field: "memory",
      type: "quantitative",
      title,
      scale: { domain, zero: false, nice: false },
      axis: { grid: false, tickCount: 6 },
    },
    y: {
      field: "milliseconds",
      type: "quantitative",
      title: "ms per iteration",
      scale: { domain: heights, zero: false, nice: false },
      axis: { tickCount: 6 },
    },
    order: { field: "memory" },
    description: { field: "text" },
  };
}

function labelled(scale: PlotScale, marks: readonly object[]): ChartSpec {
  const { data, transform, encoding } = layer(scale, marks, {});
  return {
    data,
    transform,
    encoding,
    layer: [
      { mark: { type: "point", filled: true, size: 60, color: colour.text } },
      {
        mark: { type: "text", align: "left", dx: 6, dy: -8, fontWeight: "bold" },
        encoding: { text: { field: "name" } },
      },
    ],
  };
}

function chosenPoint({ memory, objective, time }: RowTiersPlan): FrontierPoint | null {
  if (memory.bytesPerGpu === null || objective.value === null) return null;
  return { bytesPerGpu: memory.bytesPerGpu, value: time?.seconds ?? objective.value };
}

/** The line through the bound at the budget that falls by the price of memory. */
function tangentOf({ memory, objective, prices, stages }: RowTiersPlan): ((bytes: number) => FrontierPoint) | null {
  const { bound } = objective;
  const { secondsPerGiBPerGpu: price } = prices;
  if (bound === null || price === null || price === 0 || stages !== undefined) return null;
  return (bytesPerGpu) => ({
    bytesPerGpu,
    value: bound + (price / 2 ** 30) * (bytesPerGpu - memory.budgetBytesPerGpu),
  });
}

/** A piece of it: a fifth of the picture to either side of the budget. */
function tangentLayers(plan: RowTiersPlan, scale: PlotScale, limit: number): readonly ChartSpec[] {
  const tangent = tangentOf(plan);
  const { budgetBytesPerGpu: budget } = plan.memory;
  if (tangent === null || budget > limit) return [];
  const [low, high] = scale.domain.map((value) => value * scale.size) as [number, number];
  const reach = (high - low) / 5;
  const ends = [tangent(Math.max(low, budget - reach)), tangent(Math.min(high, budget + reach))];
  return [layer(scale, ends, { type: "line", color: colour.green, strokeDash: [5, 4], clip: true })];
}
