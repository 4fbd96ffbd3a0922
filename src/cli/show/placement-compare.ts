import type { PlacementCompareRow } from "../../optimize/table-placement/compare.js";
import { printable } from "./printable.js";
import { paint, table } from "./table.js";
import { percent, significant } from "./units.js";

/** Methods on one instance side by side: value, gap to the proved bound, seconds. */
export function showPlacementCompare(rows: readonly PlacementCompareRow[]): string {
  const [first] = rows as [PlacementCompareRow];
  const unit = first.unit === null ? "" : ` ${printable(first.unit)}`;
  const head = ["method", `largest cost${unit}`, "above the bound", "seconds", ""];
  // To the gap that was proved, what costs the same is as good.
  const optimum = first.status === "proved" ? first.value : null;
  const lines = rows.map((row) => [
    row.method,
    row.value === null ? paint.dim("·") : significant(row.value, 6),
    row.gap === null ? paint.dim("·") : percent(row.gap),
    row.seconds.toFixed(3),
    remark(row, optimum),
  ]);
  return `${paint.bold(printable(first.instance))}\n\n${table(head, lines, "lrrrl")}\n`;
}

function remark({ method, status, reason = "", value }: PlacementCompareRow, optimum: number | null): string {
  if (status === "heuristic") return value === optimum ? paint.green("optimal too") : "";
  if (status === "feasible") return paint.yellow("not proved to the asked gap");
  if (status === "unknown") return paint.yellow("found no plan, and no proof that there is none");
  if (status === "breaks-limits") return paint.yellow(printable(reason));
  if (status === "none") return paint.yellow(`found none: ${printable(reason)}`);
  if (status === "not-applicable") return paint.dim(`does not apply: ${printable(reason)}`);
  if (status === "infeasible") return paint.red("proved infeasible");
  return method === "optimal" ? paint.green(status) : "";
}
