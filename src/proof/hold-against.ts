import { ContradictionError } from "../errors/contradiction-error.js";
import type { Rational } from "../exact/rational.js";

/** A plan, or a point of a program, that is at hand. */
export interface Known<Plan> {
  /** Whose it is, as a sentence names it: `the plan of torchrec-dp`. */
  readonly what: string;
  readonly plan: Plan;
}

/** What was proved in exact arithmetic, and of which plans. */
export interface Proved<Plan> {
  /** What it is about, as a sentence names it: `stage 2`. Left out: the problem as a whole. */
  readonly of?: string;
  /** No plan that counts is better; `null`: there is none. */
  readonly bound: Rational | null;
  /** Default: the least is looked for. */
  readonly sense?: "minimize" | "maximize";
  /**
   * What a plan comes to in exact arithmetic; `null` where it does not count, because it breaks a limit of the very problem that the
   * bound is of: memory, moves, what earlier goals leave.
   */
  worth(plan: Plan): Rational | null;
  /** The certificate, and what else says what was proved; goes to the evidence. */
  readonly proof: object;
}

/**
 * Holds all plans at hand against all that was proved: a plan that counts and is better than a bound, or is there where it is
 * proved that there is none, is a fault of this program, whichever of the two is wrong. Equal values agree.
 *
 * Throws {@link ContradictionError}.
 */
export function holdAgainst<Plan>(known: readonly Known<Plan>[], proved: readonly Proved<Plan>[]): void {
  for (const { of, bound, sense = "minimize", worth, proof } of proved) {
    const isBetter = (value: Rational, than: Rational) =>
      (sense === "minimize" ? value.compare(than) : than.compare(value)) < 0;
    let best: { readonly known: Known<Plan>; readonly value: Rational } | null = null;
    for (const one of known) {
      const value = worth(one.plan);
      if (value === null || (bound !== null && !isBetter(value, bound))) continue;
      if (best === null || isBetter(value, best.value)) best = { known: one, value };
    }
    if (best !== null) throw contradictionOf(best.known, best.value, { of, bound, proof });
  }
}

/** Of several plans the best is told. */
function contradictionOf(
  { what, plan }: Known<unknown>,
  value: Rational,
  { of, bound, proof }: { readonly of: string | undefined; readonly bound: Rational | null; readonly proof: object },
): ContradictionError {
  const about = of === undefined ? "" : ` for ${of}`;
  const than = bound === null ? "there is no plan" : `no plan is better than ${exactText(bound)}`;
  return new ContradictionError(
    `${what} comes to ${exactText(value)}, and it is proved${about} that ${than}: one of the two is wrong`,
    {
      known: { what, value: value.toString(), plan: asJson(plan) },
      against: { ...(of === undefined ? {} : { of }), bound: bound?.toString() ?? null, ...proof },
    },
  );
}

/** An integer or a fraction, and about what that is. */
function exactText(value: Rational): string {
  return value.isInteger() ? value.toString() : `${value} (about ${value.toNumber()})`;
}

/** Rationals are written as text. */
function asJson(plan: unknown): unknown {
  return JSON.parse(JSON.stringify(plan));
}
