import { spaceOf } from "../../../../models/table-placement/space.js";
import { type PlotFrame, type PlotSeries, plot, plotColumns } from "../../../terminal/plot.js";
import { facts, list, nothing, paint, paragraph, table, terminalColumns } from "../../../terminal/table.js";
import { type ByteScale, byteScale } from "../../../text/byte-scale.js";
import { gapText, pointsName, pointsWords } from "../../../text/optimality.js";
import { plotTop } from "../../../text/plot-range.js";
import { printable } from "../../../text/printable.js";
import { significant, some } from "../../../text/units.js";
import { boundBeside, plainUnit, type ValueUnit } from "../../../text/value-unit.js";
import { amongText, goalName } from "../facts.js";
import type { PlacementFrontier, PlacementFrontierPoint } from "../plan-file/frontier.js";

/** A placement's frontier as a person reads it: what is known of it, a plot, the points. */
export function showPlacementFrontier(frontier: PlacementFrontier): string {
  const { instance, objective, optimal } = frontier;
  const about = `table placement, frontier, ${goalName(objective.kind)}`;
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(about)}`;
  const bytes = optimal.map(({ bytesPerGpu }) => bytesPerGpu);
  const [low, high] = [Math.min(...bytes), Math.max(...bytes)];
  const scale = byteScale(high, (high - low) / Math.max(1, optimal.length - 1));
  const unit = plainUnit(objective.unit);
  const hasPlans = optimal.some(({ value }) => value !== null);
  const parts = [
    title,
    showFacts(frontier, scale),
    ...(hasPlans ? [frontierPlot(optimal, scale, unit)] : []),
    showPoints(optimal, scale, unit),
    paragraph(verdictOf(frontier)),
  ];
  return `${parts.join("\n\n")}\n`;
}

const COLUMNS = ["bytesPerGpu", "value", "bound", "gap", "status", "usedBytesPerGpu", "provedAtBytesPerGpu"] as const;

/** A placement's frontier as CSV, one budget per line, in bytes and in the unit of the costs; what there is none of is empty. */
export function placementFrontierCsv({ optimal }: PlacementFrontier): string {
  return pointsCsv(COLUMNS, optimal);
}

/** Points as CSV, one per line. */
export function pointsCsv<Column extends string>(
  columns: readonly Column[],
  points: readonly { readonly [C in Column]: string | number | null }[],
): string {
  const rows = points.map((point) => ["optimal", ...columns.map((column) => point[column] ?? "")].join(","));
  return `${[["series", ...columns].join(","), ...rows].join("\n")}\n`;
}

function showFacts(frontier: PlacementFrontier, { text, unit }: ByteScale): string {
  const { leastBytesPerGpu, enoughBytesPerGpu, budget } = frontier;
  const enough =
    enoughBytesPerGpu === null ? [] : ([["best plan found needs", `${text(enoughBytesPerGpu)} ${unit}`]] as const);
  return facts([
    ["no plan needs less than", `${text(leastBytesPerGpu)} ${unit} per GPU`],
    ...enough,
    ["budget", `${text(budget.bytesPerGpu)} ${unit}`],
  ]);
}

/** How far beyond what is enough the own budget may lie to be drawn, as a share of the picture. */
const MAX_BEYOND = 0.5;

/** Memory on x, the goal on y: plans, and below them what is proved. */
function frontierPlot(optimal: readonly PlacementFrontierPoint[], scale: ByteScale, unit: ValueUnit): string {
  const spread = optimal.filter(({ isOwnBudget }) => !isOwnBudget).map(({ bytesPerGpu }) => bytesPerGpu);
  const [low, high] = [Math.min(...spread), Math.max(...spread)];
  const limit = high + MAX_BEYOND * (high - low);
  const drawn = optimal.filter(({ bytesPerGpu }) => bytesPerGpu >= low && bytesPerGpu <= limit);
  const points = drawn.flatMap(({ bytesPerGpu, value }) => (value === null ? [] : [[bytesPerGpu, value] as const]));
  const bounds = drawn.flatMap(({ bytesPerGpu, bound }) => (bound === null ? [] : [[bytesPerGpu, bound] as const]));
  const values = [...points, ...bounds].map(([, value]) => value);
  if (values.length === 0) return "";
  const frame = {
    x: [low, drawn.at(-1)?.bytesPerGpu ?? high] as const,
    y: [Math.min(...values), plotTop(values)] as const,
    xLabel: (value: number) => `${scale.text(value)} ${scale.unit}`,
    yLabel: (value: number) => `${significant(value, 4)}${unit.name === "" ? "" : ` ${unit.name}`}`,
  };
  const legend = ["· proved bound", `o ${pointsName(known(optimal)) === "optimum" ? "optimum" : "best plan found"}`];
  const above = points.filter(([, value]) => value > frame.y[1]).length;
  if (above > 0) legend.push(`${some(above, "plan")} far above the plot`);
  return stepPlot(points, bounds, frame, legend);
}

type Points = readonly (readonly [number, number])[];

/** Plans, and below them what is proved: a bound holds with less of what is on x too, up to the point below. */
export function stepPlot(
  plans: Points,
  bounds: Points,
  axes: Omit<PlotFrame, "room">,
  legend: readonly string[],
): string {
  const frame = { ...axes, room: terminalColumns() };
  const steps = plotColumns(frame).flatMap((column) => {
    const next = bounds.find(([at]) => at >= column);
    return next === undefined ? [] : [[column, next[1]] as const];
  });
  const series: PlotSeries[] = [
    { mark: "·", points: steps, paint: paint.dim },
    { mark: "o", points: plans, paint: paint.green },
  ];
  const texts = legend.map((text) => paint.dim(text));
  return `${plot(frame, series)}\n\n${list(texts, "   ")}`;
}

function showPoints(optimal: readonly PlacementFrontierPoint[], scale: ByteScale, unit: ValueUnit): string {
  const rows = optimal.map(({ bytesPerGpu, value, bound, gap, status, usedBytesPerGpu, isOwnBudget }) => [
    scale.text(bytesPerGpu),
    value === null ? nothing() : unit.text(value),
    bound === null ? nothing() : boundBeside(unit, bound, value),
    gap === null ? nothing() : gapText({ value, bound, gap }),
    usedBytesPerGpu === null ? nothing() : scale.text(usedBytesPerGpu),
    [isOwnBudget ? "the budget" : "", remarkOf(status, value !== null)].filter((text) => text !== "").join(", "),
  ]);
  return table([`${scale.unit} per GPU`, "plan", "proved bound", "gap", "uses", ""], rows, "rrrrrl");
}

function remarkOf(status: PlacementFrontierPoint["status"], hasPlan: boolean): string {
  if (status === "infeasible") return paint.red("no plan");
  if (status === "feasible") return paint.yellow("not proved to the gap");
  return status === "unknown" ? paint.yellow(hasPlan ? "no bound" : "no plan found") : "";
}

function verdictOf(frontier: PlacementFrontier): string {
  const { optimal, isComplete, timing } = frontier;
  const seconds = `${timing.totalSeconds.toFixed(2)} s`;
  const among = amongText(spaceOf(frontier));
  const planned = known(optimal);
  const how = "every bound checked in exact arithmetic";
  if (isComplete) {
    const none = optimal.length - planned.length;
    const begin =
      planned.length === 0 ? "" : `${paint.green(pointsWords(planned))} at ${some(planned.length, "budget")}${among}; `;
    return `${begin}${none === 0 ? "" : `no plan${among} at ${none}, proved; `}${how} (${seconds})`;
  }
  const proved = optimal.filter(({ status }) => status === "proved" || status === "infeasible").length;
  return `${paint.yellow("not complete")}: ${proved} of ${some(optimal.length, "budget")} are proved to the gap${among}; ${how} (${seconds})`;
}

/** The points with a plan and a bound. */
function known(optimal: readonly PlacementFrontierPoint[]) {
  return optimal.flatMap((point) => (point.value === null || point.bound === null ? [] : [point]));
}
