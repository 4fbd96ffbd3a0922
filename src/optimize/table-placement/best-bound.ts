import { Rational } from "../../exact/rational.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import { type Certificate, CertificateError } from "../../proof/certificate.js";
import { checkCertificate } from "../../proof/check.js";
import type { BoundProof } from "./bounds/bound-proof.js";

/** The best bound of a program that the checker has accepted. */
export class BestBound {
  readonly #program: Program;
  #claim: Rational | null = null;
  #certificate: Certificate | null = null;
  #milliseconds = 0;

  constructor(program: Program) {
    this.#program = program;
  }

  /** Nothing has an objective below this: zero before anything is proved, as costs are not negative. */
  get value(): Rational {
    return this.#claim ?? Rational.zero;
  }

  get certificate(): Certificate | null {
    return this.#certificate;
  }

  get isInfeasible(): boolean {
    return this.#certificate?.claim.kind === "infeasible";
  }

  /** What checking has taken. */
  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Takes a bound once the checker has accepted it, if it is better. */
  offer({ claim, steps }: BoundProof): void {
    if (this.#certificate !== null && claim !== null && claim.compare(this.value) <= 0) return;
    const certificate: Certificate = {
      format: "shardproof-certificate 1",
      program: programHash(this.#program),
      claim: claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim.toString() },
      steps,
    };
    const started = performance.now();
    try {
      checkCertificate(this.#program, certificate);
      this.#claim = claim;
      this.#certificate = certificate;
    } catch (error) {
      // A proof that does not hold is no proof; what is known without it stays.
      if (!(error instanceof CertificateError)) throw error;
    }
    this.#milliseconds += performance.now() - started;
  }
}
