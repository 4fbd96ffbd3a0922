import type { Rational } from "../../../exact/rational.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";
import type { PlacementProof } from "./plan-file.js";

/** What was proved of a plan: the verdict with what it rests on. */
export interface PlacementOutcome {
  readonly verdict: Verdict;
  readonly certificate: Certificate;
  /** The program is of the placements that cost no more than this; absent: of all. */
  readonly ceiling?: Rational;
  /** Size of the program that the certificate is about. */
  readonly columns: number;
  readonly rows: number;
}

export function proofOf({ certificate, columns, rows, ceiling }: PlacementOutcome): PlacementProof {
  return {
    columns,
    rows,
    ...(ceiling === undefined ? {} : { ceiling: ceiling.toString() }),
    steps: certificate.steps.length,
    branchings: certificate.steps.filter((step) => "branch" in step).length,
  };
}
