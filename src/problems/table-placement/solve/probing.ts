import { optionTotals } from "../../../../models/table-placement/aggregated-relaxation.js";
import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { ShouldStop, Work } from "../../../search/work.js";
import { JUST_BELOW } from "./base-tree/base-ladder.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { memoryDuals } from "./bounds/memory-prices.js";
import { Prober } from "./bounds/prober.js";
import { reduceOptions } from "./bounds/reduction.js";
import { type ReducedBox, reducedBox } from "./bounds/reduction-steps.js";
import { branchAndCut } from "./branch-and-cut.js";

/** Above so many columns that are left branch and cut on several hosts comes to nothing. */
const MAX_CUT_COLUMNS = 200;

/** Options are probed again where the best placement has come down to this part of what it was: what was found still holds. */
const WORTH_PROBING_AGAIN = 0.99;

/** Of options and hosts, the share that probing is to decide for trees to begin anew. */
const WORTH_BEGINNING_ANEW = 0.05;

/** What probing on options may take at first, as a share of all work, and half as much each time after. */
const PROBING_SHARE = 0.2;

/** What branch and cut gets of what probing left, as a share of all work: where memory binds twice, and doubled each time. */
const FIRST_CUTS_SHARE = 0.05;
const MAX_CUTS_SHARE = 0.4;

/** What probing, and branch and cut on what it left, came to. */
interface Probed {
  readonly proof: BoundProof | null;
  readonly found: Placement | null;
  readonly nodes: number;
  /** Branch and cut has more to do. */
  readonly isOpen: boolean;
}

/** Turns of probing just below the best placement, and of branch and cut on what it left, as shares of all work. */
export class Probing {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #work: Work;
  readonly #all: number;
  readonly prober: Prober;
  /** Whether more memory would be worth anything to all devices together. */
  readonly memoryBinds: boolean;
  #probingShare = PROBING_SHARE;
  #cutShare: number;
  /** The values of the placements below which options were probed, and branch and cut was run. */
  #probedAt: number | null = null;
  #cutAt: number | null = null;
  /** Branch and cut is to go on. */
  #isCutting = false;

  constructor(problem: PlacementProblem, direct: DirectProgram, work: Work, all: number) {
    [this.#problem, this.#direct, this.#work, this.#all] = [problem, direct, work, all];
    this.prober = new Prober(direct);
    this.memoryBinds = memoryDuals(problem, optionTotals(problem)).hbm > 0;
    this.#cutShare = this.memoryBinds ? 2 * FIRST_CUTS_SHARE : FIRST_CUTS_SHARE;
  }

  /** Whether a turn may bring anything, after so many rounds. */
  applies(value: number, rounds: number): boolean {
    // With ample memory it closes something on one host alone, and nothing of what closes in the first round.
    const isWorthIt = this.memoryBinds || (this.#problem.nodes === 1 && rounds > 0);
    return isWorthIt && (this.#isCutting || value !== this.#cutAt);
  }

  /** `isNew`: options were decided, and what was begun with fewer findings is better begun anew. */
  async turn(value: number): Promise<Probed & { readonly isNew: boolean }> {
    const isNew = this.#probedAt === null || value < WORTH_PROBING_AGAIN * this.#probedAt;
    this.#cutAt = value;
    let probing: ShouldStop | null = null;
    if (isNew) {
      this.#probedAt = value;
      probing = this.#work.slice(this.#probingShare * this.#all);
      this.#probingShare /= 2;
    }
    const probed = await this.below(value * (1 - JUST_BELOW), probing);
    this.#isCutting = probed.isOpen && this.memoryBinds;
    if (this.#isCutting) this.#cutShare = Math.min(2 * this.#cutShare, MAX_CUTS_SHARE);
    return { ...probed, isNew: isNew && this.prober.decidedShare >= WORTH_BEGINNING_ANEW };
  }

  /**
   * Reduction by bounds, probing on options and hosts, and branch and cut on what is left, one after the other, of placements below
   * a limit on cost; without `probing` by what is known of higher limits.
   */
  async below(limit: number, probing: ShouldStop | null): Promise<Probed> {
    const [problem, direct] = [this.#problem, this.#direct];
    const claim = Rational.fromNumber(limit);
    const { reduced, steps } = reducedBox(problem, direct, reduceOptions(problem, limit), claim);
    const { before, after, isRefuted } =
      probing === null ? this.prober.known(reduced, claim) : await this.prober.probe(reduced, claim, probing);
    steps.push(...before);
    if (isRefuted) return { proof: { claim, steps: [...steps, ...after] }, found: null, nodes: 0, isOpen: false };
    if (problem.nodes > 1 && openColumns(reduced) > MAX_CUT_COLUMNS)
      return { proof: null, found: null, nodes: 0, isOpen: false };
    const cut = await branchAndCut(direct, reduced.save(), claim, this.#work.slice(this.#cutShare * this.#all));
    const proof = cut.bound === null ? null : { claim: cut.bound, steps: [...steps, ...cut.steps, ...after] };
    return { proof, found: cut.found, nodes: cut.nodes, isOpen: !cut.isComplete };
  }
}

function openColumns({ box: { lower, upper } }: ReducedBox): number {
  return lower.filter((low, j) => low === null || upper[j]?.equals(low) !== true).length;
}
