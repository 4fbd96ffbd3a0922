import type { Outcome } from "./run-row.js";

/** A row as it was run, or as the frozen file has it. */
export interface Measured extends Outcome {
  /** The limit that it was run with. */
  readonly limitSeconds: number;
  /** Whether `verify` accepted the plan file, or the solution. */
  readonly checked: boolean;
}

/** What is known of each row, by its name. */
export type Measurements = Readonly<Record<string, Measured>>;

export interface Worse {
  readonly name: string;
  readonly why: string;
}

/** A gap may be so many times the frozen one, and so much more. */
const RATIO = 1.25;
const SLACK = 0.0005;

/**
 * The rows of `frozen` that are worse `now`: not there, run with another limit, not accepted by `verify`, no longer proved,
 * with a gap above 1.25 times the frozen one and 0.05 %, or with a value and a bound that contradict the frozen ones.
 */
export function worseRows(frozen: Measurements, now: Measurements): readonly Worse[] {
  return Object.entries(frozen).flatMap(([name, before]) => {
    const why = whyWorse(before, now[name]);
    return why === null ? [] : [{ name, why }];
  });
}

function whyWorse(before: Measured, now: Measured | undefined): string | null {
  if (now === undefined) return "was not run";
  if (now.limitSeconds !== before.limitSeconds) {
    return `ran ${now.limitSeconds} s, the frozen one ${before.limitSeconds} s`;
  }
  if (!now.checked) return "verify does not accept it";
  if (isSettled(before) && now.status !== before.status) return `was ${before.status}, is ${now.status}`;
  if (contradicts(before, now)) {
    return `value ${now.value} and bound ${now.bound} contradict ${before.value} and ${before.bound}`;
  }
  const [was, is] = [gapOf(before), gapOf(now)];
  return is > RATIO * was + SLACK ? `gap ${percent(was)} → ${percent(is)}` : null;
}

function isSettled({ status }: Measured): boolean {
  return status === "proved" || status === "infeasible";
}

/** Both say that the optimum is between their value and bound; where no number is in both intervals, one of them is wrong. */
function contradicts(before: Measured, now: Measured): boolean {
  if (before.conditional || now.conditional) return false;
  const [a, b] = [intervalOf(before), intervalOf(now)];
  return a !== null && b !== null && (a[1] < b[0] || b[1] < a[0]);
}

function intervalOf({ value, bound }: Measured): readonly [number, number] | null {
  return value === null || bound === null ? null : [Math.min(value, bound), Math.max(value, bound)];
}

/** Infinite where there is no plan, or no bound. */
function gapOf({ status, gap }: Measured): number {
  return status === "infeasible" ? 0 : (gap ?? Number.POSITIVE_INFINITY);
}

export function percent(gap: number | null): string {
  if (gap === null || !Number.isFinite(gap)) return "-";
  return gap === 0 ? "0" : `${Number((100 * gap).toPrecision(3))} %`;
}
