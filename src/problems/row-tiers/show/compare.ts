import { nothing, paint, table } from "../../../terminal/table.js";
import { methodName } from "../../../text/optimality.js";
import { aboveText, bytes, significant } from "../../../text/units.js";
import { comparedGoalText, compareRemark } from "../../show/remark.js";
import type { CompareRow } from "../solve/compare.js";

/** Methods side by side, one block per instance. */
export function showCompare(rows: readonly CompareRow[]): string {
  const blocks: CompareRow[][] = [];
  for (const row of rows) {
    // Each block begins with the exact method; two files may have one name.
    if (row.method === "optimal") blocks.push([]);
    blocks.at(-1)?.push(row);
  }
  return `${blocks.map(showBlock).join("\n\n")}\n`;
}

function showBlock(rows: readonly CompareRow[]): string {
  const [first] = rows as [CompareRow];
  const budget = `budget ${bytes(first.budgetBytesPerGpu)} per GPU`;
  const head = ["method", "ms per iteration", "above the bound", "memory per GPU", "seconds", ""];
  const lines = rows.map((row) => [
    methodName(row.method),
    row.value === null ? nothing() : significant(row.value * 1000, 6),
    row.gap === null ? nothing() : aboveText(row.gap),
    row.bytesPerGpu === null ? nothing() : bytes(row.bytesPerGpu),
    row.seconds.toFixed(3),
    remark(row),
  ]);
  const goals = comparedGoalText(first.goals);
  return `${paint.bold(first.instance)}  ${paint.dim(budget)}\n\n${table(head, lines, "lrrrrl")}${goals === "" ? "" : `\n${goals.trimEnd()}`}`;
}

function remark(row: CompareRow): string {
  if (row.status !== "over-budget") return compareRemark(row, "");
  // Within the budget of the GPUs, it is the memory of the hosts that it is over.
  const isOver = (row.bytesPerGpu ?? 0) > row.budgetBytesPerGpu;
  return paint.yellow(isOver ? "over the budget" : "over the host memory of a node");
}
