import { Rational } from "../exact/rational.js";
import { evaluate, type Violation } from "../program/evaluate.js";
import { evaluateGrouping } from "../program/grouping/evaluate.js";
import { type Grouping, isGrouping } from "../program/grouping/grouping.js";
import { evaluateLadder, type LadderPoint } from "../program/ladder/evaluate.js";
import { isLadder, type Ladder } from "../program/ladder/ladder.js";
import type { Program } from "../program/program.js";
import type { Certificate } from "./certificate.js";
import { type CheckedCertificate, checkCertificate, hashOf, type Provable } from "./check.js";
import { holdAgainst } from "./hold-against.js";

/** A point: one rational per column, a ladder's point, or the group of each item of a grouping. */
export type PointOf<P extends Provable> = P extends Grouping
  ? readonly number[]
  : P extends Ladder
    ? LadderPoint
    : readonly Rational[];

type Point = PointOf<Provable>;

/** A point handed over as feasible breaks the program. */
export class InfeasiblePointError extends Error {
  override readonly name = "InfeasiblePointError";
  readonly violations: readonly Violation[];

  constructor(violations: readonly Violation[]) {
    const first = violations[0] as Violation;
    const amount = first.amount.toNumber();
    super(`the point breaks ${violations.length} conditions, first ${first.kind} of "${first.name}" by ${amount}`);
    this.violations = violations;
  }
}

/**
 * What is known for certain of a program, every number an exact rational. A verdict can only be made by
 * {@link Verdict.of}, which checks the certificate and evaluates the point itself, or by {@link Verdict.ofChecked} from
 * what the checker has accepted: this is the one place in the program where the word `proved` comes from.
 *
 * - `proved`: the point is feasible and the gap between its value and the checked bound is at most the gap asked for;
 * - `feasible`: the point is feasible, the checked bound leaves a wider gap;
 * - `infeasible`: the certificate shows that there is no feasible point.
 */
export class Verdict {
  readonly status: "proved" | "feasible" | "infeasible";
  readonly value: Rational | null;
  readonly bound: Rational | null;
  /** |value − bound| / |value|; relative to |bound| where the value is zero; 0 where they agree; `null` if infeasible. */
  readonly gap: Rational | null;
  readonly checked: CheckedCertificate;

  private constructor(
    status: Verdict["status"],
    value: Rational | null,
    bound: Rational | null,
    gap: Rational | null,
    checked: CheckedCertificate,
  ) {
    this.status = status;
    this.value = value;
    this.bound = bound;
    this.gap = gap;
    this.checked = checked;
  }

  /**
   * Checks a certificate and a point (`null` with a certificate of infeasibility). `checkTime` as in `checkCertificate`.
   *
   * Throws `CertificateError` when the certificate does not hold, {@link InfeasiblePointError} when the point breaks
   * the program, `ContradictionError` when it is better than what the certificate proves, and `RangeError` when the point is
   * missing.
   */
  static of<P extends Provable>(
    program: P,
    certificate: Certificate,
    point: PointOf<P> | null,
    requestedGap: Rational,
    checkTime?: () => void,
  ): Verdict {
    return Verdict.#judge(program, checkCertificate(program, certificate, checkTime), point, requestedGap);
  }

  /**
   * The verdict of a certificate that was checked already in this run, so that a long one is not walked twice.
   *
   * Throws as {@link Verdict.of} does, and `RangeError` where the certificate was checked for another program.
   */
  static ofChecked(
    program: Program,
    checked: CheckedCertificate,
    point: readonly Rational[] | null,
    requestedGap: Rational,
  ): Verdict {
    if (hashOf(program) !== checked.programHash) {
      throw new RangeError("the certificate was checked for another program");
    }
    return Verdict.#judge(program, checked, point, requestedGap);
  }

  static #judge(program: Provable, checked: CheckedCertificate, point: Point | null, requestedGap: Rational): Verdict {
    if (point === null) {
      if (checked.bound !== null) throw new RangeError("a bound needs a feasible point beside it");
      return new Verdict("infeasible", null, null, null, checked);
    }
    const { objective: value, violations } = worth(program, point);
    if (violations.length > 0) throw new InfeasiblePointError(violations);
    const maximises = !isGrouping(program) && !isLadder(program) && program.objective.sense === "maximize";
    const { bound, certificate } = checked;
    const sense = maximises ? "maximize" : "minimize";
    holdAgainst(
      [{ what: "a feasible point", plan: point }],
      [{ bound, sense, worth: () => value, proof: { certificate } }],
    );
    if (bound === null) throw new RangeError("a point was given beside a proof that there is none");
    const gap = relativeGap(value, bound);
    return new Verdict(statusAt(gap, requestedGap), value, bound, gap, checked);
  }
}

/** What a point is worth in exact arithmetic, and what it breaks. */
function worth(
  program: Provable,
  point: Point,
): { readonly objective: Rational; readonly violations: readonly Violation[] } {
  if (isGrouping(program)) return evaluateGrouping(program, point as readonly number[]);
  return isLadder(program)
    ? evaluateLadder(program, point as LadderPoint)
    : evaluate(program, point as readonly Rational[]);
}

/** What a feasible point is called whose gap to a bound that was checked is `gap`. */
export function statusAt(gap: Rational, requestedGap: Rational): "proved" | "feasible" {
  return gap.compare(requestedGap) <= 0 ? "proved" : "feasible";
}

/** |value − bound| / |value|, exact; relative to |bound| where the value is zero; 0 where both agree. */
export function relativeGap(value: Rational, bound: Rational): Rational {
  const difference = value.subtract(bound).absolute();
  if (difference.sign() === 0) return Rational.zero;
  return difference.divide(value.sign() === 0 ? bound.absolute() : value.absolute());
}
