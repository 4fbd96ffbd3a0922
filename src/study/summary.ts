import { EXACT_METHOD } from "../plan-file/method-names.js";
import { counts, type Row } from "./row.js";

/** What a method came to on the instances of one problem. */
export interface MethodSummary {
  readonly problem: string;
  readonly method: string;
  readonly lines: number;
  readonly missing: number;
  /** Lines with a plan that keeps to all limits. */
  readonly plans: number;
  /** Lines where a plan was proved, of the exact method; of others, where their value is the bound that was proved. */
  readonly optimal: number;
  /** Lines that are done, whose instance has a plan, and that the method applies to: what the others are shares of. */
  readonly applicable: number;
  /** Of those, without a plan that counts: it found none, or one that breaks a limit. */
  readonly none: number;
  readonly notApplicable: number;
  /** (value − bound) / bound over the lines that have both; `null` where none has. */
  readonly gaps: {
    readonly count: number;
    readonly mean: number;
    readonly median: number;
    readonly worst: number;
  } | null;
  readonly seconds: { readonly median: number; readonly most: number; readonly sum: number } | null;
}

/** By problem and method, in the order of the job. */
export function summaries(rows: readonly Row[]): readonly MethodSummary[] {
  return groupedBy(rows, ({ line }) => JSON.stringify([line.instance.problem, line.method])).map((group) => {
    const [{ line }] = group as [Row, ...Row[]];
    const withStatus = (...statuses: readonly string[]) =>
      group.filter(({ status }) => statuses.includes(status)).length;
    const gaps = group.flatMap(({ above }) => (above === null ? [] : [above])).sort((a, b) => a - b);
    const seconds = group.flatMap((row) => (row.seconds === null ? [] : [row.seconds.solve + row.seconds.prove]));
    seconds.sort((a, b) => a - b);
    const isOptimal = ({ status, above, verified }: Row) =>
      line.method === EXACT_METHOD ? status === "proved" && verified === true : above === 0;
    return {
      problem: line.instance.problem,
      method: line.method,
      lines: group.length,
      missing: withStatus("missing"),
      plans: group.filter(counts).length,
      optimal: group.filter(isOptimal).length,
      applicable: group.filter(isApplicable).length,
      none: group.filter((row) => isApplicable(row) && !counts(row)).length,
      notApplicable: withStatus("not-applicable"),
      gaps:
        gaps.length === 0
          ? null
          : { count: gaps.length, mean: sum(gaps) / gaps.length, median: middle(gaps), worst: gaps.at(-1) as number },
      seconds:
        seconds.length === 0 ? null : { median: middle(seconds), most: seconds.at(-1) as number, sum: sum(seconds) },
    };
  });
}

function isApplicable({ status, noneExists }: Row): boolean {
  return status !== "missing" && status !== "not-applicable" && !noneExists;
}

/** Whether a method is in tables: one that applies to none of the instances is named below them. */
export function isShown({ lines, notApplicable }: MethodSummary): boolean {
  return notApplicable < lines;
}

/** The lines where a method is farthest above the bound, worst first. */
export function worstRows(rows: readonly Row[], most: number): readonly Row[] {
  return rows
    .filter(({ above }) => above !== null && above > 0)
    .sort((a, b) => (b.above ?? 0) - (a.above ?? 0))
    .slice(0, most);
}

/** The rows of each problem, in the order of the job. */
export function byProblem(
  rows: readonly Row[],
): readonly { readonly problem: string; readonly rows: readonly Row[] }[] {
  return groupedBy(rows, ({ line }) => line.instance.problem).map((group) => {
    return { problem: (group[0] as Row).line.instance.problem, rows: group };
  });
}

/** Groups in the order of their first members. */
export function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The median of numbers in rising order. */
function middle(rising: readonly number[]): number {
  const half = (rising.length - 1) / 2;
  return ((rising[Math.floor(half)] as number) + (rising[Math.ceil(half)] as number)) / 2;
}
