import { EXACT_METHOD } from "../plan-file/method-names.js";
import { nothing, paint, table } from "../terminal/table.js";
import { methodName } from "../text/optimality.js";
import { aboveText, count, percent, significant } from "../text/units.js";
import type { Row } from "./row.js";
import { groupedBy, isShown, type MethodSummary, NEVER, summaries } from "./summary.js";

/** A table in cells, as the page, the Markdown and LaTeX have it. */
export interface Cells {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
  /** A column a letter: `l` for words, `r` for numbers. */
  readonly align: string;
}

/** The methods of a kind of instances. */
export interface MethodsTable extends Cells {
  /** What is said below it of methods that are left out; `null` where none is. */
  readonly never: string | null;
}

/** What the columns of a {@link methodsTable} are. */
export const METHODS_CAPTION =
  "Plans that keep to all limits, of the instances that a method applies to; optimal: proved by the exact one, of the others at the proved bound; how far above that bound they are";

const HEAD = ["method", "plans", "optimal", "mean above", "median", "worst"];

/** Without seconds nothing in it depends on the clock. */
export function methodsTable(methods: readonly MethodSummary[], withSeconds: boolean): MethodsTable {
  const share = (value: number | undefined) => (value === undefined ? "·" : aboveText(value));
  const lines = methods
    .filter(isShown)
    .map(({ method, applicable, plans, optimal, gaps, seconds }) => [
      methodName(method),
      `${count(plans)} of ${count(applicable)}`,
      applicable === 0 ? "·" : `${count(optimal)} (${percent(optimal / applicable)})${provedWord(method)}`,
      share(gaps?.mean),
      share(gaps?.median),
      share(gaps?.worst),
      ...(withSeconds
        ? [seconds?.median, seconds?.most].map((each) => (each === undefined ? "·" : significant(each, 2)))
        : []),
    ]);
  const others = methods.filter((one) => !isShown(one)).map(({ method }) => method);
  return {
    head: [...HEAD, ...(withSeconds ? ["median s", "longest s"] : [])],
    lines,
    align: withSeconds ? "lrrrrrrr" : "lrrrrr",
    never: others.length === 0 ? null : `${others.join(", ")}: ${NEVER}.`,
  };
}

function provedWord(method: string): string {
  return method === EXACT_METHOD ? ", proved" : "";
}

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
