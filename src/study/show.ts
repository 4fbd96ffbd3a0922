import { nothing, paint, table } from "../terminal/table.js";
import { methodName } from "../text/optimality.js";
import { aboveText, count, percent, significant } from "../text/units.js";
import type { Row } from "./row.js";
import { groupedBy, isShown, NEVER, summaries } from "./summary.js";

/** The methods of a study, a block for each problem, as a terminal has them. */
export function showStudy(rows: readonly Row[]): string {
  const blocks = groupedBy(summaries(rows), ({ problem }) => problem).map((methods) => {
    const head = ["method", "plans", "optimal", "mean above", "worst", "median s", "longest s"];
    const shown = methods.filter(isShown);
    const lines = shown.map(({ method, applicable, plans, optimal, gaps, seconds }) => [
      methodName(method),
      `${count(plans)} of ${count(applicable)}`,
      applicable === 0 ? nothing() : percent(optimal / applicable),
      gaps === null ? nothing() : aboveText(gaps.mean),
      gaps === null ? nothing() : aboveText(gaps.worst),
      seconds === null ? nothing() : significant(seconds.median, 2),
      seconds === null ? nothing() : significant(seconds.most, 2),
    ]);
    const others = methods.filter((one) => !isShown(one)).map(({ method }) => method);
    const beside = others.length === 0 ? "" : `\n\n${paint.dim(`${others.join(", ")}: ${NEVER}`)}`;
    return `${paint.bold(methods[0]?.problem ?? "")}\n\n${table(head, lines, "lrrrrrr")}${beside}`;
  });
  return blocks.join("\n\n");
}
