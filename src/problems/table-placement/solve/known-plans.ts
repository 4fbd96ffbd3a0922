import type { PlacementProgram } from "../../../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { ContradictionError } from "../../../errors/contradiction-error.js";
import type { Rational } from "../../../exact/rational.js";
import { evaluate } from "../../../program/evaluate.js";
import { programHash } from "../../../program/hash.js";
import type { Program } from "../../../program/program.js";
import type { Certificate } from "../../../proof/certificate.js";
import { holdAgainst } from "../../../proof/hold-against.js";

/** A program that bounds are proved of, with the point that a placement has in it. */
export type BoundedProgram = Pick<PlacementProgram, "program" | "name" | "pointOf" | "ceiling">;

/** What a placement comes to, evaluated without any program; `null` where it breaks a limit. */
export type Judge = (placement: Placement) => Rational | null;

/**
 * Judges by a problem's own words: its limits, and its first goal. Where hosts stand for their devices these say too little: a program
 * of hosts is held against placements on devices instead, where its bound is taken.
 */
export function judgeOf(problem: PlacementProblem): Judge {
  const isOfHosts = problem.tables.some(({ options }) =>
    options.some(({ shards: [need] }) => need?.within !== undefined),
  );
  if (isOfHosts) return () => null;
  return (placement) => {
    const { objective, violations } = evaluatePlacement(problem, placement);
    return violations.length > 0 ? null : objective;
  };
}

interface KnownPlan {
  readonly placement: Placement;
  readonly value: Rational;
}

/**
 * The plans that a search has in hand. A program is derived from the problem by code that is trusted; each of them must
 * have a point in it, feasible and of no more than its own value, before a bound of the program is taken for one of the problem. Only
 * what comes to more than a program's ceiling need not be there: a bound up to the ceiling holds of that whether it is there or not.
 */
export class KnownPlans {
  readonly #judge: Judge;
  readonly #best: () => Placement | null;
  readonly #given: KnownPlan[] = [];
  /** By program, the placements that were found in it. */
  readonly #found = new WeakMap<Program, Set<Placement>>();
  #latest: KnownPlan | null = null;

  /** `best`: the best placement that the search has now, the same object as long as it is the same. */
  constructor(judge: Judge, best: () => Placement | null = () => null) {
    this.#judge = judge;
    this.#best = best;
  }

  /** A plan that was there before the search; one that breaks a limit is passed over. */
  add(placement: Placement): void {
    const value = this.#judge(placement);
    if (value !== null) this.#given.push({ placement, value });
  }

  /** Throws {@link ContradictionError} where the program leaves a plan out that it has to have. */
  requireIn(bounded: BoundedProgram): void {
    for (const plan of [...this.#given, ...this.#bestPlan()]) this.#require(plan, bounded);
  }

  /** The same of a placement that the program has refused, though it is better than `value` (`null`: than nothing). */
  requireRefused(placement: Placement, bounded: BoundedProgram, value: Rational | null): void {
    const own = this.#judge(placement);
    if (own !== null && (value === null || own.compare(value) < 0)) this.#require({ placement, value: own }, bounded);
  }

  /** Throws {@link ContradictionError} where a plan is better than a bound that was proved (`null`: that there is none). */
  requireAbove(bound: Rational | null, certificate: Certificate): void {
    const values = new Map([...this.#given, ...this.#bestPlan()].map(({ placement, value }) => [placement, value]));
    holdAgainst(
      [...values.keys()].map((plan) => ({ what: "a placement at hand", plan })),
      [{ bound, worth: (plan) => values.get(plan) ?? null, proof: { certificate } }],
    );
  }

  #bestPlan(): readonly KnownPlan[] {
    const placement = this.#best();
    if (placement === null) return [];
    if (this.#latest?.placement !== placement) {
      const value = this.#judge(placement);
      this.#latest = value === null ? null : { placement, value };
    }
    return this.#latest === null ? [] : [this.#latest];
  }

  #require({ placement, value }: KnownPlan, bounded: BoundedProgram): void {
    const { program, ceiling } = bounded;
    const found = this.#found.get(program) ?? new Set();
    this.#found.set(program, found);
    if (found.has(placement) || (ceiling !== undefined && value.compare(ceiling) > 0)) return;
    const fault = faultOf(bounded, placement, value);
    if (fault === null) {
      found.add(placement);
      return;
    }
    throw new ContradictionError(
      `a plan that comes to ${value.toNumber()} keeps all limits, and a program that bounds are proved of leaves it out: ${fault}`,
      {
        known: { value: value.toString(), choices: placement.choices },
        against: { program: programHash(program), name: program.name, fault },
      },
    );
  }
}

/** Why a program does not have a placement as it should; `null` where it does. */
function faultOf({ program, pointOf }: BoundedProgram, placement: Placement, value: Rational): string | null {
  let point: readonly Rational[];
  try {
    point = pointOf(placement);
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
  const { objective, violations } = evaluate(program, point);
  const [first] = violations;
  if (first !== undefined) return `its point breaks ${first.kind} of "${first.name}" by ${first.amount.toNumber()}`;
  return objective.compare(value) > 0 ? `its point comes to ${objective.toNumber()}` : null;
}
