import type { Rational } from "../../../../exact/rational.js";
import type { Step } from "../../../../proof/certificate.js";

/** A claim about the direct program and the steps that prove it, not checked yet. */
export interface BoundProof {
  /** No placement's largest cost is below this; `null`: there is no placement. */
  readonly claim: Rational | null;
  readonly steps: readonly Step[];
}
