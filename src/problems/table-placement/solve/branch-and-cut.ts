import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { Step } from "../../../proof/certificate.js";
import type { Box } from "../../../proof/kernel/view.js";
import { Incumbent } from "../../../search/branch-and-bound/incumbent.js";
import { branchAndBound } from "../../../search/branch-and-bound/search.js";
import { SearchSpace } from "../../../search/branch-and-bound/space.js";
import { withRelaxation } from "../../../search/exact-milp/lp-relaxation.js";
import type { ShouldStop } from "../../../search/work.js";
import { placedPoint } from "./placed-point.js";

/** What looking for a placement below a claim in what a box leaves came to. */
export interface BranchAndCut {
  /** A placement below the claim. */
  readonly found: Placement | null;
  /** They prove that there is none; `null` where it is not known. */
  readonly steps: readonly Step[] | null;
}

/** Rounds of cuts. */
const CUT_ROUNDS = 20;

/** Branch and bound with cuts over what a box leaves of the program, below a claim. */
export async function branchAndCut(
  direct: DirectProgram,
  box: Box,
  claim: Rational,
  shouldStop: ShouldStop,
): Promise<BranchAndCut> {
  const { program } = direct;
  const whole = SearchSpace.of(program);
  const root = { space: whole.within(box).reduced(), steps: [], unfixed: whole.programBounds(), cutoff: claim };
  const incumbent = new Incumbent(program, (point) => placedPoint(direct, point), claim);
  const { complete, steps } = await withRelaxation(program, shouldStop, (open) =>
    branchAndBound(whole, incumbent, open, {
      gap: Rational.zero,
      maxNodes: Number.POSITIVE_INFINITY,
      shouldStop: () => shouldStop(),
      propagate: true,
      cutRounds: CUT_ROUNDS,
      root,
      ...(direct.follows === undefined ? {} : { follows: direct.follows }),
    }),
  );
  const found = incumbent.point === null ? null : direct.recover(incumbent.point);
  return { found, steps: complete && found === null ? steps : null };
}
