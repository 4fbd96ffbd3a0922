import { columnCount, type Ladder, unitClassCount } from "../../../program/ladder/ladder.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { PlanProof } from "./plan-file.js";

/** How large a proof and the program that it is of are. */
export function proofOf({
  certificate,
  ladder,
}: {
  readonly certificate: Certificate;
  readonly ladder: Ladder;
}): PlanProof {
  return {
    classes: unitClassCount(ladder),
    columns: columnCount(ladder),
    steps: certificate.steps.length,
    branchings: certificate.steps.filter((step) => "branch" in step).length,
  };
}
