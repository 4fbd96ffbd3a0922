import { Rational } from "../../../exact/rational.js";
import { programHash } from "../../../program/hash.js";
import { type Certificate, CertificateError } from "../../../proof/certificate.js";
import { type CheckedCertificate, checkCertificate } from "../../../proof/check.js";
import { Verdict } from "../../../proof/verdict.js";
import type { TimeBudget } from "../../../search/time/time-budget.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import type { BoundedProgram, KnownPlans } from "./known-plans.js";

/** A bound that the checker has accepted; `claim` is `null` where there is no placement. */
interface Checked {
  readonly bounded: BoundedProgram;
  readonly claim: Rational | null;
  readonly certificate: Certificate;
  readonly checked: CheckedCertificate;
}

/**
 * The best bound of a problem's program, or of another program of the same problem, that the checker has accepted. The one place
 * where bounds are offered, and so where it is seen to it that their programs have all plans that are known.
 */
export class BestBound {
  readonly #built: BoundedProgram;
  readonly #budget: TimeBudget | null;
  readonly #plans: KnownPlans;
  #known: Checked | null = null;
  #milliseconds = 0;
  #lastSeconds = 0;

  /** A check that the budget has no time for is given up, and its bound not taken. */
  constructor(built: BoundedProgram, plans: KnownPlans, budget: TimeBudget | null = null) {
    this.#built = built;
    this.#plans = plans;
    this.#budget = budget;
  }

  /** Nothing has an objective below this: zero before anything is proved, as costs are not negative. */
  get value(): Rational {
    return this.#known?.claim ?? Rational.zero;
  }

  /** The program that the certificate is of. */
  get proved(): BoundedProgram {
    return this.#known?.bounded ?? this.#built;
  }

  get certificate(): Certificate | null {
    return this.#known?.certificate ?? null;
  }

  get isInfeasible(): boolean {
    return this.#known !== null && this.#known.claim === null;
  }

  /** What checking has taken. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** What the certificate says of a point of its program; `null` where nothing is proved, or of points while the point is missing. Throws as `Verdict` does. */
  verdict(point: readonly Rational[] | null, gap: Rational): Verdict | null {
    if (this.#known === null) return null;
    const { bounded, certificate, checked } = this.#known;
    if (point === null && checked.bound !== null) return null;
    this.#plans.requireIn(bounded);
    this.#plans.requireAbove(checked.bound, certificate);
    return Verdict.ofChecked(bounded.program, checked, point, gap);
  }

  /**
   * Takes a bound once the checker has accepted it, if it is better; `bounded`: the program that it is proved on. Throws
   * `ContradictionError` where that leaves out a plan that is known, or one is better than the bound.
   */
  offer({ claim, steps }: BoundProof, bounded = this.#built): void {
    if (this.#known !== null && claim !== null && claim.compare(this.value) <= 0) return;
    // A check goes through the program before it looks at the time.
    if (this.#known !== null && this.#budget?.allowsCheck(this.#lastSeconds) === false) return;
    this.#plans.requireIn(bounded);
    const { program } = bounded;
    const certificate: Certificate = {
      format: "shardproof-certificate 1",
      program: programHash(program),
      claim: claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim.toString() },
      steps,
    };
    const started = performance.now();
    const check = (checkTime?: () => void) => checkCertificate(program, certificate, checkTime);
    try {
      const checked = this.#budget === null ? check() : this.#budget.checked(check);
      if (checked !== null) {
        this.#plans.requireAbove(claim, certificate);
        this.#known = { bounded, claim, certificate, checked };
      }
    } catch (error) {
      // A proof that does not hold is no proof; what is known without it stays.
      if (!(error instanceof CertificateError)) throw error;
    }
    const milliseconds = performance.now() - started;
    this.#lastSeconds = milliseconds / 1000;
    this.#milliseconds += milliseconds;
  }
}
