import { noPlanText, STOPPED } from "../../plan-file/stopped.js";
import { paint } from "../../terminal/table.js";
import { comparedWords, isOptimalToo } from "../../text/optimality.js";
import { printable } from "../../text/printable.js";
import { bytesInUnits } from "../../text/units.js";

/** A method of a comparison, as far as its remark goes. */
interface ComparedRow {
  readonly method: string;
  readonly status: string;
  readonly value: number | null;
  /** (value − bound) / bound. */
  readonly gap: number | null;
  readonly reason?: string;
  readonly cutShort?: boolean;
  /** So many goals in order, of which the first is compared; absent: one. */
  readonly goals?: number;
}

/** What is said of a method beside its numbers; `nothing` where the exact one found no plan and no proof. */
export function compareRemark(row: ComparedRow, nothing: string): string {
  const { method, status, value, gap, reason = "", cutShort = false, goals = 1 } = row;
  switch (status) {
    case "heuristic":
      if (isOptimalToo(gap)) return paint.green(goals > 1 ? "at the bound" : "optimal too");
      return cutShort ? paint.yellow("cut short") : "";
    case "feasible":
      return paint.yellow(comparedWords(status, gap));
    case "unknown":
      return paint.yellow(value === null ? nothing : "no bound was proved");
    case "breaks-limits":
      return paint.yellow(printable(bytesInUnits(reason)));
    case "none":
      return paint.yellow(printable(bytesInUnits(noPlanText(cutShort ? STOPPED : reason))));
    case "not-applicable":
      return paint.dim(`does not apply: ${printable(reason)}`);
    case "infeasible":
      return paint.red("proved infeasible");
    default:
      return method === "optimal" ? paint.green(comparedWords(status, gap)) : "";
  }
}

/** What is said below a comparison of an instance with several goals; empty for others. */
export function comparedGoalText(goals = 1): string {
  if (goals <= 1) return "";
  return `\n${paint.dim(`compared by the first of ${goals} goals, of which the exact method's value is the least found; its plan may have more`)}\n`;
}
