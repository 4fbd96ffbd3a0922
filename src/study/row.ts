import { Rational } from "../exact/rational.js";
import { aboveBound } from "../plan-file/above-bound.js";
import { EXACT_METHOD } from "../plan-file/method-names.js";
import type { JobLine } from "./job.js";

/** What a line of a job came to, checked. */
export interface CheckedLine {
  readonly line: JobLine;
  /**
   * Of the plan file; `breaks-limits`, `none` and `not-applicable` of a method without a plan that counts; `missing` where the
   * line is not done.
   */
  readonly status: string;
  readonly value: number | null;
  readonly bound: number | null;
  /** As integers or fractions; `null` also where the goal is not the objective of the problem. */
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** What the value is in, as plans of the instance share it. */
  readonly unit: string;
  /** What values are of: only those of one goal are compared. */
  readonly goal: string;
  /** Whether the result was derived again from the instance; `null` where there is nothing to derive. */
  readonly verified: boolean | null;
  /** Why there is no plan, or what its check found. */
  readonly reason: string;
  /** The time limit ended it: another run may get further. */
  readonly stopped: boolean;
  readonly seconds: { readonly solve: number; readonly prove: number } | null;
}

/** A line beside the bound that was proved for its instance. */
export interface Row extends CheckedLine {
  /** From 1, as in the job file. */
  readonly number: number;
  /** The largest bound proved for its instance, by whichever line. */
  readonly provedBound: number | null;
  /** (value − provedBound) / provedBound; `null` where there are not both, or the bound is below 0. */
  readonly above: number | null;
  /** Its instance is proved to have no plan. */
  readonly noneExists: boolean;
  /** The value is below a proved bound, or there is one where none can be: one of both is wrong. */
  readonly contradicts: boolean;
  /** Whose proof it is held against. */
  readonly provedBy: CheckedLine | null;
}

/** Every line beside the bound of its instance. */
export function rowsOf(checked: readonly CheckedLine[]): readonly Row[] {
  const bounds = new Map<string, CheckedLine>();
  /** Of lines without a plan no goal is known: those of their instance's own. */
  const byInstance = new Map<string, CheckedLine>();
  for (const one of checked) {
    if (one.line.method !== EXACT_METHOD || one.verified !== true || one.bound === null) continue;
    const known = bounds.get(keyOf(one));
    if (
      known === undefined ||
      exactly(one.exact.bound, one.bound).compare(exactly(known.exact.bound, known.bound)) > 0
    ) {
      bounds.set(keyOf(one), one);
      byInstance.set(one.line.instance.sha256, one);
    }
  }
  const infeasible = new Map(
    checked
      .filter(({ status, verified }) => status === "infeasible" && verified)
      .map((one) => [one.line.instance.sha256, one]),
  );
  return checked.map((one, k) => {
    const best = counts(one) ? bounds.get(keyOf(one)) : byInstance.get(one.line.instance.sha256);
    const none = infeasible.get(one.line.instance.sha256);
    const noneExists = none !== undefined;
    const contradicts = noneExists && counts(one);
    const provedBy = none ?? best ?? null;
    const row = {
      ...one,
      number: k + 1,
      provedBound: best?.bound ?? null,
      above: null,
      noneExists,
      contradicts,
      provedBy,
    };
    if (best === undefined || !counts(one)) return row;
    const bound = exactly(best.exact.bound, best.bound);
    const value = exactly(one.exact.value, one.value);
    const isBelow = value.compare(bound) < 0;
    return { ...row, above: bound.sign() < 0 ? null : aboveBound(value, bound), contradicts: contradicts || isBelow };
  });
}

/** Whether there is a plan that keeps to all limits, and was derived again. */
export function counts({ value, verified, status }: CheckedLine): boolean {
  return value !== null && verified === true && status !== "breaks-limits";
}

function keyOf({ line, goal }: CheckedLine): string {
  return `${line.instance.sha256} ${goal}`;
}

/** As exact as a file has it. */
export function exactly(exact: string | null, nearest: number | null): Rational {
  return exact === null ? Rational.fromNumber(nearest ?? 0) : Rational.parse(exact);
}
