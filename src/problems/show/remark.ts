import { paint } from "../../terminal/table.js";
import { comparedWords, isOptimalToo } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { noPlanText, STOPPED } from "../plan-file/stopped.js";

/** A method of a comparison, as far as its remark goes. */
interface ComparedRow {
  readonly method: string;
  readonly status: string;
  readonly value: number | null;
  /** (value − bound) / bound. */
  readonly gap: number | null;
  readonly reason?: string;
  readonly cutShort?: boolean;
}

/** What is said of a method beside its numbers; `nothing` where the exact one found no plan and no proof. */
export function compareRemark(row: ComparedRow, nothing: string): string {
  const { method, status, value, gap, reason = "", cutShort = false } = row;
  switch (status) {
    case "heuristic":
      if (isOptimalToo(gap)) return paint.green("optimal too");
      return cutShort ? paint.yellow("cut short") : "";
    case "feasible":
      return paint.yellow(comparedWords(status, gap));
    case "unknown":
      return paint.yellow(value === null ? nothing : "no bound was proved");
    case "breaks-limits":
      return paint.yellow(printable(reason));
    case "none":
      return paint.yellow(printable(noPlanText(cutShort ? STOPPED : reason)));
    case "not-applicable":
      return paint.dim(`does not apply: ${printable(reason)}`);
    case "infeasible":
      return paint.red("proved infeasible");
    default:
      return method === "optimal" ? paint.green(comparedWords(status, gap)) : "";
  }
}
