import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import type { Grouping } from "../../../../src/program/grouping/grouping.js";
import type { Ladder } from "../../../../src/program/ladder/ladder.js";
import { readLp } from "../../../../src/program/lp/read.js";
import type { Program } from "../../../../src/program/program.js";
import { type Certificate, CertificateError, type Claim } from "../../../../src/proof/certificate.js";
import { checkCertificate, hashOf } from "../../../../src/proof/check.js";
import { tryEveryInteger } from "../../../fuzz/oracle/every-integer.js";

/** A claim that is false, with steps that a checker without one of its side conditions would take for a proof. */
export interface FalseProof {
  /** The side condition. */
  readonly condition: string;
  /** The smallest program that breaks it, in LP format without its first and last line; minimised. */
  readonly program: string;
  /** The bound, `null` for a claim of infeasibility. */
  readonly claim: string | null;
  readonly steps: readonly unknown[];
  readonly lattice?: Certificate["lattice"];
  /** In the refusal. */
  readonly says: string;
}

/** One test for each: the claim is false by brute force, and the certificate is refused. */
export function refuseEach(proofs: readonly FalseProof[]): void {
  for (const { condition, program: text, claim, steps, lattice, says } of proofs) {
    test(condition, () => {
      const program = readLp(`Minimize\n${text}\nEnd\n`, "side-condition.lp");
      expect(isFalse(program, claim), "the claim is false").toBe(true);
      const certificate = certificateOf(program, claim, steps);
      expect(refusalOf(program, lattice === undefined ? certificate : { ...certificate, lattice })).toContain(says);
    });
  }
}

/** A certificate of whatever steps. */
export function certificateOf(
  program: Program | Ladder | Grouping,
  claim: string | null,
  steps: readonly unknown[],
): Certificate {
  const made: Claim = claim === null ? { kind: "infeasible" } : { kind: "bound", bound: claim };
  return {
    format: "shardproof-certificate 1",
    program: hashOf(program),
    claim: made,
    steps: steps as Certificate["steps"],
  };
}

/** Why a certificate is refused; what is accepted, and any other error, fails the test. */
export function refusalOf(program: Program | Ladder | Grouping, certificate: Certificate): string {
  try {
    checkCertificate(program, certificate);
  } catch (error) {
    if (error instanceof CertificateError) return error.message;
    throw error;
  }
  throw new Error("the certificate was accepted");
}

function isFalse(program: Program, claim: string | null): boolean {
  const box = program.columns
    .filter(({ integer }) => integer)
    .map(({ lower, upper }) => [lower?.ceil() ?? -9n, upper?.floor() ?? 9n] as const);
  const truth = tryEveryInteger(program, box);
  if (truth.status === "infeasible") return false;
  return claim === null || truth.value.compare(Rational.parse(claim)) < 0;
}
