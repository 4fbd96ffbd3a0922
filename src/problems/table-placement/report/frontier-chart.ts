import { byteUnit, type Chart, extremes, specHead } from "../../../report/chart.js";
import type { ChartSpec } from "../../../report/chart-spec.js";
import { colour } from "../../../report/palette.js";
import { plainUnit } from "../../../text/value-unit.js";
import { goalName } from "../facts.js";
import type { PlacementFrontier } from "../plan-file/frontier.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";

/** How far beyond what is enough a budget may lie to be drawn, as a share of the picture. */
const MAX_BEYOND = 0.5;

interface Point {
  readonly bytes: number;
  readonly value: number;
}

/** Device memory against the goal: plans as a step, below it what is proved; none where there are fewer than two plans. */
export function frontierCharts(plan: TablePlacementPlan, frontier: PlacementFrontier | null, id: string): Chart[] {
  if (frontier === null) return [];
  const { optimal, leastBytesPerGpu: low, enoughBytesPerGpu } = frontier;
  const end = enoughBytesPerGpu ?? optimal.at(-1)?.bytesPerGpu ?? low;
  const drawn = optimal.filter(({ bytesPerGpu }) => bytesPerGpu <= end + MAX_BEYOND * (end - low));
  const plans = drawn.flatMap(({ bytesPerGpu: bytes, value }): Point[] => (value === null ? [] : [{ bytes, value }]));
  const bounds = drawn.flatMap(({ bytesPerGpu: bytes, bound: value }) => (value === null ? [] : [{ bytes, value }]));
  if (plans.length < 2) return [];
  const goal = goalName(plan.objective.kind);
  const unit = plainUnit(plan.objective.unit);
  const { unit: byteName, size } = byteUnit(extremes(plans.map(({ bytes }) => bytes))[1]);
  const none = optimal.filter(({ status }) => status === "infeasible").length;
  const encoding = {
    x: { field: "memory", type: "quantitative", title: `memory per GPU, ${byteName}`, scale: { zero: false } },
    y: {
      field: "value",
      type: "quantitative",
      title: unit.name === "" ? goal : `${goal}, ${unit.name}`,
      scale: { zero: false },
      axis: { tickCount: 6 },
    },
    order: { field: "memory" },
    description: { field: "text" },
  };
  const layer = (points: readonly Point[], name: string, mark: ChartSpec): ChartSpec => ({
    data: { values: points },
    transform: [
      { calculate: `datum.bytes / ${size}`, as: "memory" },
      {
        calculate: `'${name}: ' + format(datum.memory, '.6~g') + ' ${byteName}, ' + format(datum.value, '.6~g')`,
        as: "text",
      },
    ],
    mark,
    encoding,
  });
  return [
    {
      id: `${id}-frontier`,
      title: "Memory against cost",
      description:
        `The best plan found at so much memory on every GPU, and below it what is proved of all plans with so much memory.` +
        (none === 0 ? "" : ` At ${none} smaller ${none === 1 ? "budget" : "budgets"} there is proved to be no plan.`),
      isWide: true,
      legend: [
        { name: "best plan found", colour: colour.blue },
        { name: "proved bound", colour: colour.vermilion, mark: "dashes" },
      ],
      spec: {
        ...specHead(260, true),
        layer: [
          // A plan is one with more memory too, and a bound holds with less.
          layer(plans, "plan", { type: "line", interpolate: "step-after", color: colour.blue, strokeWidth: 1.5 }),
          layer(plans, "plan", { type: "point", filled: true, size: 45, color: colour.blue, opacity: 1 }),
          layer(bounds, "bound", {
            ...{ type: "line", interpolate: "step-before", color: colour.vermilion },
            ...{ strokeDash: [6, 3], strokeWidth: 1.5 },
          }),
        ],
      },
      numbers: {
        head: ["bytes per GPU", goal, "proved bound", "status"],
        rows: optimal.map(({ bytesPerGpu, value, bound, status }) => [bytesPerGpu, value ?? "", bound ?? "", status]),
      },
    },
  ];
}
