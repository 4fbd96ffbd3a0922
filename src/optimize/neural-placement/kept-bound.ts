import type { Program } from "../../program/program.js";
import { BestBound } from "../table-placement/best-bound.js";
import type { BoundProof } from "../table-placement/bounds/bound-proof.js";
import type { TimeBudget } from "../time/time-budget.js";

/** A {@link BestBound} that keeps back the time which the verdict will need to check its proof once more. */
export class KeptBound extends BestBound {
  readonly #budget: TimeBudget;

  constructor(program: Program, budget: TimeBudget) {
    super(program);
    this.#budget = budget;
  }

  override offer(proof: BoundProof): void {
    const before = { certificate: this.certificate, milliseconds: this.milliseconds };
    super.offer(proof);
    if (this.certificate !== before.certificate) this.#budget.keep((this.milliseconds - before.milliseconds) / 1000);
  }
}
