import { nothing, paint, table } from "../../../terminal/table.js";
import { methodName } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { aboveText, percent, significant } from "../../../text/units.js";
import { compareRemark } from "../../show/remark.js";
import { rangeText } from "../facts.js";
import type { TowerCompareRow, TowerComparison } from "../solve/compare.js";
import type { EmbeddingAnalysis } from "../solve/embedding-analysis.js";

/** Digits of values. */
const DIGITS = 6;

/**
 * Methods on one instance side by side: value, gap to the proved bound, captured share, sizes, loads, seconds; then where
 * the tower partitioner loses, in the plane or in its clusters.
 */
export function showTowerCompare({ rows, embeddings }: TowerComparison): string {
  const [first] = rows as readonly [TowerCompareRow, ...TowerCompareRow[]];
  const hasLoads = rows.some(({ loads }) => loads !== null);
  const head = [
    "method",
    "value",
    "above the bound",
    "captured",
    "sizes",
    ...(hasLoads ? ["loads"] : []),
    "seconds",
    "",
  ];
  const lines = rows.map((row) => [
    methodName(row.method),
    row.value === null ? nothing() : significant(row.value, DIGITS),
    row.gap === null ? nothing() : aboveText(row.gap),
    row.capturedShare === null ? nothing() : percent(row.capturedShare),
    row.sizes === null ? nothing() : rangeText(row.sizes),
    ...(hasLoads ? [row.loads === null ? nothing() : rangeText(row.loads, (load) => significant(load, 4))] : []),
    row.seconds.toFixed(3),
    compareRemark(row, "found no partition"),
  ]);
  const grid = table(head, lines, `l${"r".repeat(head.length - 2)}l`);
  const note = `  ${paint.dim("captured: how much of the way from a random partition to the optimum")}`;
  return `${[`${paint.bold(printable(first.instance))}`, `${grid}\n\n${note}`, ...showAnalyses(embeddings)].join("\n\n")}\n`;
}

/** What the plane costs, and what K-means in it. */
function showAnalyses(analyses: readonly EmbeddingAnalysis[]): readonly string[] {
  if (analyses.length === 0) return [];
  const number = (value: number | null) => (value === null ? nothing() : significant(value, DIGITS));
  const head = [
    "plane",
    "stress",
    "squares: tp",
    "best",
    "",
    "distances: tp",
    "plane's best",
    "lost by plane",
    "by K-means",
  ];
  const lines = analyses.map(({ embedding, stress, plane, onDistances, loss }) => [
    embedding,
    significant(stress, 4),
    number(plane.tp),
    number(plane.optimum),
    plane.status === "proved" ? paint.green(plane.status) : paint.yellow(`not proved, bound ${number(plane.bound)}`),
    number(onDistances.tp),
    number(onDistances.planeOptimum),
    number(loss.embedding),
    number(loss.clustering),
  ]);
  const grid = table(head, lines, "lrrrlrrrr");
  const title = "where tp loses: from the optimum to the plane's best towers, and from those to its own";
  return [`  ${paint.dim(title)}\n\n${grid}`];
}
