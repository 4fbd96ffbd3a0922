import { facts, nothing, paint, paragraph, table } from "../../../terminal/table.js";
import { type ByteScale, byteScale } from "../../../text/byte-scale.js";
import { gapText, pointsName, pointsWords } from "../../../text/optimality.js";
import { count, percent, relativeGap, roundedUp, significant } from "../../../text/units.js";
import { methodTitle } from "../facts.js";
import type { FrontierReport } from "../frontier/report.js";
import { frontierPlot } from "./frontier-plot.js";

/** A frontier as a person reads it: what is known of it, a plot, the points. */
export function showFrontier(report: FrontierReport): string {
  const title = `${paint.bold(report.instance.name)}  ${paint.dim(`row tiers, frontier, ${report.objective}`)}`;
  if (report.breakPoints.length === 0) {
    return `${title}\n\n  ${paint.red("no plan")}: the host memory holds none, however much there is on the GPUs\n`;
  }
  const scale = scaleOf(report);
  const parts = [title, showFacts(report, scale), frontierPlot(report, scale), showMarks(report, scale)];
  if (report.optimal.length > 0) parts.push(showPoints(report, scale));
  return `${[...parts, showVerdict(report)].filter((part) => part !== "").join("\n\n")}\n`;
}

function scaleOf({ breakPoints, optimal }: FrontierReport): ByteScale {
  const bytes = [breakPoints[0], breakPoints.at(-1), ...optimal].map((point) => point?.bytesPerGpu ?? 0);
  const [low, high] = [bytes.reduce((a, b) => Math.min(a, b)), bytes.reduce((a, b) => Math.max(a, b))];
  return byteScale(high, (high - low) / Math.max(1, optimal.length - 1));
}

function showFacts(report: FrontierReport, scale: ByteScale): string {
  const { breakPoints, relaxation, budget, optimal } = report;
  const at = ({ bytesPerGpu, value }: { readonly bytesPerGpu: number; readonly value: number }) =>
    `${scale.text(bytesPerGpu)} ${scale.unit}, ${milliseconds(value)} ms`;
  const [first, last] = [breakPoints[0], breakPoints.at(-1)];
  if (first === undefined || last === undefined) return "";
  const points = `${count(breakPoints.length)} break-${breakPoints.length === 1 ? "point" : "points"}`;
  const how =
    relaxation.method === "sorted"
      ? "all there are, exactly"
      : `exact bounds, within ${relativeGap(roundedUp(relaxation.precision, 2))} of the relaxation`;
  const pairs: [string, string][] = [
    ["relaxation", `${points}  ${paint.dim(`(${how})`)}`],
    ["least memory", at(first)],
    ["no use beyond", at(last)],
  ];
  const own = `${scale.text(budget.bytesPerGpu)} ${scale.unit}`;
  pairs.push(["budget", budget.isFeasible === false ? `${own}, ${paint.yellow("which holds no plan")}` : own]);
  if (optimal.length > 0) {
    for (const [method, { reason, largestGap, meanGap }] of Object.entries(report.greedyByMethod)) {
      const name = methodTitle(method);
      const gaps = `at most ${percentOrNone(largestGap)} above the optimum, ${percentOrNone(meanGap)} on average`;
      pairs.push([name, reason === null ? gaps : paint.dim(`does not apply: ${reason}`)]);
    }
  }
  return facts(pairs);
}

function percentOrNone(gap: number | null): string {
  return gap === null ? "·" : percent(gap);
}

function milliseconds(seconds: number): string {
  return significant(seconds * 1000, 6);
}

function showMarks({ points }: FrontierReport, scale: ByteScale): string {
  if (points === null) return "";
  const texts = { a: "least memory", b: "the budget", c: "least communication", d: "every row" };
  const rows = (["a", "b", "c", "d"] as const).map((name) => {
    const { rows: count_, bytesPerGpu, value } = points[name];
    return [name.toUpperCase(), texts[name], count(count_), scale.text(bytesPerGpu), milliseconds(value)];
  });
  return table(["point", "FlexShard, figure 5", "rows replicated", scale.unit, "ms"], rows, "llrrr");
}

function showPoints({ optimal, greedyByMethod }: FrontierReport, scale: ByteScale): string {
  const methods = Object.entries(greedyByMethod).filter(([, { reason }]) => reason === null);
  const head = [`${scale.unit} per GPU`, `${pointsName(optimal)} ms`, "gap"].concat(
    methods.flatMap(([method]) => [`${methodTitle(method).replace("FlexShard ", "")} ms`, "above"]),
  );
  const rows = optimal.map((point, k) => [
    scale.text(point.bytesPerGpu),
    milliseconds(point.value),
    gapText(point),
    ...methods.flatMap(([, { points }]) => {
      const { value = null, gap = null } = points[k] ?? {};
      return value === null ? [nothing(), ""] : [milliseconds(value), percentOrNone(gap)];
    }),
    [point.isOwnBudget ? "the budget" : "", point.status === "proved" ? "" : paint.yellow("not proved to the gap")]
      .filter((text) => text !== "")
      .join(", "),
  ]);
  return table([...head, ""], rows, `rrr${"rr".repeat(methods.length)}l`);
}

function showVerdict(report: FrontierReport): string {
  return paragraph(verdictOf(report));
}

function verdictOf({ optimal, isComplete, check, timing }: FrontierReport): string {
  const seconds = `${timing.totalSeconds.toFixed(2)} s`;
  const among = `none of ${count(check.plans)} plans lies below the relaxation's frontier, in exact arithmetic`;
  const [first] = optimal;
  if (first === undefined) return `${among} (${seconds})`;
  if (isComplete) {
    const words = pointsWords(optimal);
    const begin = words.endsWith(first.status) ? paint.green(words) : `${paint.green(first.status)}: ${words}`;
    return `${begin} at ${optimal.length} budgets; ${among} (${seconds})`;
  }
  const proved = optimal.filter(({ status }) => status === "proved").length;
  return `${paint.yellow("not complete")}: ${proved} budgets are proved to the gap; ${among} (${seconds})`;
}
