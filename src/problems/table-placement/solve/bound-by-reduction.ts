import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { Rational } from "../../../exact/rational.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { reducedLimit, reduceOptions } from "./bounds/reduction.js";
import { reducedBound } from "./bounds/reduction-steps.js";
import { LOST_TO_ROUNDING } from "./work-shares.js";

/** What is known of a search, and who is told of a bound. */
interface Bounded {
  readonly direct: DirectProgram;
  readonly bound: Rational;
  add(proof: BoundProof): void;
}

/** The largest limit that leaving out options refutes, below a placement of a value. */
export function boundByReduction(problem: PlacementProblem, search: Bounded, value: number): void {
  const reached = reducedLimit(problem, search.bound.toNumber(), value);
  for (const lost of LOST_TO_ROUNDING) {
    const limit = reached * (1 - lost);
    if (limit <= search.bound.toNumber()) break;
    search.add(reducedBound(problem, search.direct, reduceOptions(problem, limit), limit));
  }
}
