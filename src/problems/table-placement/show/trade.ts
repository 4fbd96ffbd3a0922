import { spaceOf } from "../../../../models/table-placement/space.js";
import { nothing, paint, paragraph, table } from "../../../terminal/table.js";
import { gapText } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { percent, some } from "../../../text/units.js";
import { boundBeside, goalUnitText } from "../../../text/value-unit.js";
import { amongText, goalName } from "../facts.js";
import type { PlacementTrade, TradePoint } from "../plan-file/trade.js";
import { pointsCsv, stepPlot } from "./frontier.js";

/** One goal against another as a person reads it: a plot, the points, what is known of them. */
export function showTrade(trade: PlacementTrade): string {
  const { instance, first, second, points } = trade;
  const about = `table placement, ${goalName(second.goal)} against ${goalName(first.goal)}`;
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(about)}`;
  const shown = points.length === 0 ? "" : showPoints(trade, points);
  const parts = [title, tradePlot(trade), shown, paragraph(verdictOf(trade))];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const COLUMNS = ["most", "first", "value", "bound", "gap", "status", "provedAt"] as const;

/** One point per line, in the units of the goals; what there is none of is empty. */
export function tradeCsv({ points }: PlacementTrade): string {
  return pointsCsv(COLUMNS, points);
}

function unitsOf({ first, second, points }: PlacementTrade) {
  const mosts = points.map(({ most }) => most);
  const values = points.map(({ value }) => value ?? 0);
  return { x: goalUnitText(first.unit, Math.max(0, ...mosts)), y: goalUnitText(second.unit, Math.max(0, ...values)) };
}

/** The first goal on x, the second on y: plans, and below them what is proved. */
function tradePlot(trade: PlacementTrade): string {
  const { x, y } = unitsOf(trade);
  const plans = trade.points.flatMap(({ most, value }) => (value === null ? [] : [[most, value] as const]));
  const bounds = trade.points.flatMap(({ most, bound }) => (bound === null ? [] : [[most, bound] as const]));
  const values = [...plans, ...bounds].map(([, value]) => value);
  if (plans.length < 2) return "";
  const frame = {
    x: [plans[0]?.[0] ?? 0, plans.at(-1)?.[0] ?? 0] as const,
    y: [Math.min(...values), Math.max(...values)] as const,
    xLabel: (value: number) => x.text(value, 4),
    yLabel: (value: number) => y.text(value, 4),
  };
  return stepPlot(plans, bounds, frame, ["· proved bound", "o best plan found"]);
}

function showPoints(trade: PlacementTrade, points: readonly TradePoint[]): string {
  const { x, y } = unitsOf(trade);
  const rows = points.map(({ most, above, value, bound, gap, status }) => [
    x.text(most),
    above === null ? nothing() : above === 0 ? "0" : percent(above),
    value === null ? nothing() : y.text(value),
    bound === null ? nothing() : boundBeside(y, bound, value),
    gap === null ? nothing() : gapText({ value, bound, gap }),
    status === "settled" ? "" : paint.yellow(status === "open" ? "not proved to the gap" : "not known"),
  ]);
  const head = [
    `${goalName(trade.first.goal)} up to`,
    "above its least",
    goalName(trade.second.goal),
    "proved bound",
    "gap",
    "",
  ];
  return table(head, rows, "rrrrrl");
}

function verdictOf(trade: PlacementTrade): string {
  const { points, isComplete, isInfeasible, timing } = trade;
  const seconds = `${timing.totalSeconds.toFixed(2)} s`;
  if (isInfeasible) {
    const none = `${paint.red("infeasible")}: no plan${amongText(spaceOf(trade))} is within the limits`;
    return `${none}; checked in exact arithmetic (${seconds})`;
  }
  if (points.length === 0) return `${paint.yellow("not complete")}: no plan was found within the limits (${seconds})`;
  const proved = points.filter(({ status }) => status === "settled").length;
  const how = "every bound checked in exact arithmetic";
  if (isComplete)
    return `${paint.green("complete")}: ${some(points.length, "point")} proved to the gap; ${how} (${seconds})`;
  return `${paint.yellow("not complete")}: ${proved} of ${some(points.length, "point")} are proved to the gap; ${how} (${seconds})`;
}
