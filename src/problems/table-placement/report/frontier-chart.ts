import { byteUnit, type Chart, extremes, specHead, vegaLiteral } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { colour } from "../../../report/palette.js";
import { plotTop } from "../../../text/plot-range.js";
import { goalUnitText, plainUnit } from "../../../text/value-unit.js";
import { goalName } from "../facts.js";
import type { PlacementFrontier } from "../plan-file/frontier.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import type { PlacementTrade, TradedGoal } from "../plan-file/trade.js";

/** How far beyond what is enough a budget may lie to be drawn, as a share of the picture. */
const MAX_BEYOND = 0.5;

interface Point {
  readonly at: number;
  readonly value: number;
}

/** Device memory against the goal: plans as a step, below it what is proved; none where there are fewer than two plans. */
export function frontierCharts(plan: TablePlacementPlan, frontier: PlacementFrontier | null, id: string): Chart[] {
  if (frontier === null) return [];
  const { optimal, leastBytesPerGpu: low, enoughBytesPerGpu } = frontier;
  const end = enoughBytesPerGpu ?? optimal.at(-1)?.bytesPerGpu ?? low;
  const drawn = optimal.filter(({ bytesPerGpu }) => bytesPerGpu <= end + MAX_BEYOND * (end - low));
  const goal = goalName(plan.objective.kind);
  const { unit, size } = byteUnit(extremes(drawn.flatMap((one) => (one.value === null ? [] : [one.bytesPerGpu])))[1]);
  const none = optimal.filter(({ status }) => status === "infeasible").length;
  const budgets = none === 1 ? "budget" : "budgets";
  return stepChart({
    id: `${id}-frontier`,
    title: "Memory against cost",
    description:
      `The best plan found at so much memory on every GPU, and below it what is proved of all plans with so much memory.` +
      (none === 0 ? "" : ` At ${none} smaller ${budgets} there is proved to be no plan.`),
    points: drawn.map(({ bytesPerGpu, value, bound }) => ({ at: bytesPerGpu, value, bound })),
    x: { name: "memory per GPU", unit, size },
    y: { name: goal, unit: plainUnit(plan.objective.unit).name, size: 1 },
    numbers: {
      head: ["bytes per GPU", goal, "proved bound", "status"],
      rows: optimal.map(({ bytesPerGpu, value, bound, status }) => [bytesPerGpu, value ?? "", bound ?? "", status]),
    },
  });
}

/** One goal against another, where the instance has several. */
export function tradeCharts(trade: PlacementTrade | null, id: string): Chart[] {
  if (trade === null) return [];
  const { first, second, points } = trade;
  const axis = ({ goal, unit: own }: TradedGoal, values: readonly (number | null)[]) => {
    const { name: unit, size } = goalUnitText(own, extremes(values.flatMap((value) => value ?? []))[1]);
    return { name: goalName(goal), unit, size };
  };
  const [mosts, values] = [points.map(({ most }) => most), points.map(({ value }) => value)];
  const [x, y] = [axis(first, mosts), axis(second, values)];
  return stepChart({
    id: `${id}-trade`,
    title: `${y.name} against ${x.name}`,
    description: `The least ${y.name} found with so much ${x.name}, and below it what is proved of all plans with no more of that.`,
    points: points.map(({ most, value, bound }) => ({ at: most, value, bound })),
    ...{ x, y },
    numbers: {
      head: [`${x.name} up to`, y.name, "proved bound", "status"],
      rows: points.map(({ most, value, bound, status }) => [most, value ?? "", bound ?? "", status]),
    },
  });
}

interface Axis {
  readonly name: string;
  readonly unit: string;
  /** How much of a value one of the unit is. */
  readonly size: number;
}

interface Steps extends Pick<Chart, "id" | "title" | "description" | "numbers"> {
  readonly points: readonly { readonly at: number; readonly value: number | null; readonly bound: number | null }[];
  readonly x: Axis;
  readonly y: Axis;
}

/** Plans as a step that falls, below it what is proved. */
function stepChart({ id, title, description, points, x, y, numbers }: Steps): Chart[] {
  const plans = points.flatMap(({ at, value }): Point[] => (value === null ? [] : [{ at, value }]));
  const bounds = points.flatMap(({ at, bound: value }): Point[] => (value === null ? [] : [{ at, value }]));
  if (plans.length < 2) return [];
  const values = [...plans, ...bounds].map(({ value }) => value);
  const top = plotTop(values);
  const [least] = extremes(values);
  const above = plans.filter(({ value }) => value > top);
  const amount = ({ unit, size }: Axis, own: number) => `${Number((own / size).toPrecision(4))} ${unit}`.trim();
  const textOf = ({ at, value }: Point) => `${amount(y, value)} at ${amount(x, at)}`;
  const margin = (top - least) * 0.06;
  const domain = [(least - margin) / y.size, (top + margin) / y.size];
  const titleOf = ({ name, unit }: Axis) => (unit === "" ? name : `${name}, ${unit}`);
  const encoding = {
    x: { field: "along", type: "quantitative", title: titleOf(x), scale: { zero: false } },
    y: {
      field: "height",
      type: "quantitative",
      title: titleOf(y),
      scale: { zero: false, domain, nice: false },
      axis: { tickCount: 6 },
    },
    order: { field: "along" },
    description: { field: "text" },
  };
  const layer = (drawn: readonly Point[], name: string, mark: ChartSpec): ChartSpec => ({
    data: { values: drawn },
    transform: [
      { calculate: `datum.at / ${x.size}`, as: "along" },
      { calculate: `datum.value / ${y.size}`, as: "height" },
      {
        calculate: `${vegaLiteral(`${name}: `)} + format(datum.along, '.6~g') + ${vegaLiteral(` ${x.unit}, `)} + format(datum.height, '.6~g')`,
        as: "text",
      },
    ],
    mark,
    encoding,
  });
  return [
    {
      ...{ id, title, numbers },
      description: description + (above.length === 0 ? "" : ` Far above the picture: ${above.map(textOf).join("; ")}.`),
      isWide: true,
      legend: [
        { name: "best plan found", colour: colour.blue },
        { name: "proved bound", colour: colour.vermilion, mark: "dashes" },
      ],
      spec: {
        ...specHead(260, true),
        layer: [
          // A plan is one with more of it too, and a bound holds with less.
          layer(plans, "plan", {
            type: "line",
            interpolate: "step-after",
            color: colour.blue,
            strokeWidth: 1.5,
            clip: true,
          }),
          layer(plans, "plan", { type: "point", filled: true, size: 45, color: colour.blue, opacity: 1, clip: true }),
          layer(bounds, "bound", {
            ...{ type: "line", interpolate: "step-before", color: colour.vermilion },
            ...{ strokeDash: [6, 3], strokeWidth: 1.5, clip: true },
          }),
        ],
      },
    },
  ];
}
