import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { provedProgram, type WrittenProof } from "../../../../models/table-placement/proved-program.js";
import type { Rational } from "../../../exact/rational.js";
import { readCertificate } from "../../../proof/certificate.js";
import { Verdict } from "../../../proof/verdict.js";
import { onAsWritten, type PlacementOutcome } from "./proof-on.js";

/**
 * A proof that a file has, checked on its program, which is built anew; without a placement it is of there being none. Throws what
 * {@link provedProgram}, `readCertificate` and `Verdict.of` throw.
 */
export function checkedProof(
  problem: PlacementProblem,
  written: WrittenProof,
  placement: Placement | null,
  gap: Rational,
): PlacementOutcome {
  const certificate = readCertificate(written.certificate);
  const built = provedProgram(problem, written);
  const verdict = Verdict.of(built.program, certificate, placement && built.pointOf(placement), gap);
  return { verdict, certificate, on: onAsWritten(built, written) };
}
