import { EXACT_METHOD } from "../plan-file/method-names.js";
import { nothing, paint, table } from "../terminal/table.js";
import { methodName } from "../text/optimality.js";
import { aboveText, count, percent, significant } from "../text/units.js";
import type { Row } from "./row.js";
import { byProblem, isShown, type MethodSummary, summaries } from "./summary.js";

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

/** A column of the methods: its head, and its cell; `null` where a method has none. */
type Column = readonly [head: string, cell: (of: MethodSummary) => string | null];

const COLUMNS: readonly Column[] = [
  ["method", ({ method }) => methodName(method)],
  ["plans", ({ plans, applicable }) => `${count(plans)} of ${count(applicable)}`],
  ["optimal", (of) => optimalShare(of) && `${count(of.optimal)} (${optimalShare(of)})${provedWord(of)}`],
  ["mean above", ({ gaps }) => gaps && aboveText(gaps.mean)],
  ["median", ({ gaps }) => gaps && aboveText(gaps.median)],
  ["worst", ({ gaps }) => gaps && aboveText(gaps.worst)],
  ["median s", ({ seconds }) => seconds && significant(seconds.median, 2)],
  ["longest s", ({ seconds }) => seconds && significant(seconds.most, 2)],
];

/** As a terminal has room for. */
const SHORT = COLUMNS.filter(([head]) => head !== "median").map(
  ([head, cell]): Column => [head, head === "optimal" ? optimalShare : cell],
);

function optimalShare({ applicable, optimal }: MethodSummary): string | null {
  return applicable === 0 ? null : percent(optimal / applicable);
}

function provedWord({ method }: MethodSummary): string {
  return method === EXACT_METHOD ? ", proved" : "";
}

/** Without seconds nothing in it depends on the clock. */
export function methodsTable(methods: readonly MethodSummary[], withSeconds: boolean): MethodsTable {
  return cellsOf(methods, withSeconds ? COLUMNS : COLUMNS.slice(0, -2), "·");
}

function cellsOf(methods: readonly MethodSummary[], columns: readonly Column[], none: string): MethodsTable {
  const others = methods.filter((one) => !isShown(one)).map(({ method }) => method);
  return {
    head: columns.map(([head]) => head),
    lines: methods.filter(isShown).map((one) => columns.map(([, cell]) => cell(one) ?? none)),
    align: `l${"r".repeat(columns.length - 1)}`,
    never: others.length === 0 ? null : `${others.join(", ")}: applies to none of these instances`,
  };
}

/** The methods of a study, a block for each problem, as a terminal has them. */
export function showStudy(rows: readonly Row[]): string {
  const blocks = byProblem(rows).map(({ problem, rows: ofProblem }) => {
    const { head, lines, align, never } = cellsOf(summaries(ofProblem), SHORT, nothing());
    const beside = never === null ? "" : `\n\n${paint.dim(never)}`;
    return `${paint.bold(problem)}\n\n${table(head, lines, align)}${beside}`;
  });
  return blocks.join("\n\n");
}
