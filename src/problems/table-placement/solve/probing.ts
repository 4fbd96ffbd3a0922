import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { ShouldStop } from "../../../search/work.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { Prober } from "./bounds/prober.js";
import { reduceOptions } from "./bounds/reduction.js";
import { type ReducedBox, reducedBox } from "./bounds/reduction-steps.js";
import { branchAndCut } from "./branch-and-cut.js";

/** Above so many columns that are left branch and cut on several hosts comes to nothing. */
const MAX_CUT_COLUMNS = 200;

/** What probing, and branch and cut on what it left, came to. */
export interface Probed {
  readonly proof: BoundProof | null;
  readonly found: Placement | null;
  readonly nodes: number;
  /** Branch and cut has more to do. */
  readonly isOpen: boolean;
}

/** Reduction by bounds, probing on options and hosts, and branch and cut on what is left, one after the other. */
export class Probing {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly prober: Prober;

  constructor(problem: PlacementProblem, direct: DirectProgram) {
    this.#problem = problem;
    this.#direct = direct;
    this.prober = new Prober(direct);
  }

  /**
   * Of placements below a limit on cost; without `probing` by what is known of higher limits. `cutting` begins the share
   * of branch and cut.
   */
  async below(limit: number, probing: ShouldStop | null, cutting: () => ShouldStop): Promise<Probed> {
    const direct = this.#direct;
    const claim = Rational.fromNumber(limit);
    const { reduced, steps } = reducedBox(this.#problem, direct, reduceOptions(this.#problem, limit), claim);
    const { before, after, isRefuted } =
      probing === null ? this.prober.known(reduced, claim) : await this.prober.probe(reduced, claim, probing);
    steps.push(...before);
    if (isRefuted) return { proof: { claim, steps: [...steps, ...after] }, found: null, nodes: 0, isOpen: false };
    if (this.#problem.nodes > 1 && openColumns(reduced) > MAX_CUT_COLUMNS)
      return { proof: null, found: null, nodes: 0, isOpen: false };
    const cut = await branchAndCut(direct, reduced.save(), claim, cutting());
    const proof = cut.bound === null ? null : { claim: cut.bound, steps: [...steps, ...cut.steps, ...after] };
    return { proof, found: cut.found, nodes: cut.nodes, isOpen: !cut.isComplete };
  }
}

function openColumns({ box: { lower, upper } }: ReducedBox): number {
  return lower.filter((low, j) => low === null || upper[j]?.equals(low) !== true).length;
}
