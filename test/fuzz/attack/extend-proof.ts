import { type Certificate, CertificateError, type Claim, type Step } from "../../../src/proof/certificate.js";
import { checkCertificate, hashOf } from "../../../src/proof/check.js";

type Subject = Parameters<typeof checkCertificate>[0];

/** Makes the next step of a proof, and is told which ones were taken. */
export interface Proposer {
  /** `refusals`: how many proposals were refused since a step was taken. */
  propose(refusals: number): Step;
  take(step: Step): void;
}

export interface Limits {
  /** Steps that a proof may have. */
  readonly steps: number;
  /** Proposals refused in a row before the adversary gives up. */
  readonly refusals: number;
}

/** What an adversary found. */
export interface Attempt {
  /** An accepted certificate's steps, `null` where none was found. */
  readonly accepted: readonly Step[] | null;
  /** The steps that the checker took before. */
  readonly taken: readonly Step[];
  readonly checks: number;
}

/**
 * Looks for steps that the checker takes for a proof of a claim, whatever the claim: step by step, each tried again with
 * another one as long as the checker refuses at it. Nothing else of the checker is used than at which step it refuses.
 */
export function extendProof(
  subject: Subject,
  claim: Claim,
  proposer: Proposer,
  limits: Limits,
  lattice?: Certificate["lattice"],
): Attempt {
  const taken: Step[] = [];
  const around = { format: "shardproof-certificate 1", program: hashOf(subject), claim } as const;
  let checks = 0;
  for (let refusals = 0; taken.length < limits.steps && refusals < limits.refusals; ) {
    const step = proposer.propose(refusals);
    const steps = [...taken, step];
    checks++;
    const refusedAt = refusalOf(subject, { ...around, ...(lattice === undefined ? {} : { lattice }), steps });
    if (refusedAt === null) return { accepted: steps, taken, checks };
    if (refusedAt <= steps.length) {
      refusals++;
      continue;
    }
    // What is missing comes after it: the step itself was taken.
    taken.push(step);
    proposer.take(step);
    refusals = 0;
  }
  return { accepted: null, taken, checks };
}

/** The number of the step at which a certificate is refused, `null` where it is accepted. Any other error is thrown. */
function refusalOf(subject: Subject, certificate: Certificate): number | null {
  try {
    checkCertificate(subject, certificate);
    return null;
  } catch (error) {
    if (error instanceof CertificateError) return error.step;
    throw error;
  }
}
