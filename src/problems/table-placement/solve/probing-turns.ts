import { optionTotals } from "../../../../models/table-placement/aggregated-relaxation.js";
import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { ShouldStop, Work } from "../../../search/work.js";
import { JUST_BELOW } from "./base-tree/base-ladder.js";
import { memoryDuals } from "./bounds/memory-prices.js";
import type { Prober } from "./bounds/prober.js";
import { type Probed, Probing } from "./probing.js";
import {
  FIRST_CUTS_SHARE,
  MAX_CUTS_SHARE,
  PROBING_SHARE,
  WORTH_BEGINNING_ANEW,
  WORTH_PROBING_AGAIN,
} from "./work-shares.js";

/** Turns of probing just below the best placement, and of branch and cut on what it left, as shares of all work. */
export class ProbingTurns {
  readonly #isOneHost: boolean;
  readonly #probing: Probing;
  readonly #work: Work;
  readonly #all: number;
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
    this.#isOneHost = problem.nodes === 1;
    this.#probing = new Probing(problem, direct);
    this.#work = work;
    this.#all = all;
    this.memoryBinds = memoryDuals(problem, optionTotals(problem)).hbm > 0;
    this.#cutShare = this.memoryBinds ? 2 * FIRST_CUTS_SHARE : FIRST_CUTS_SHARE;
  }

  get prober(): Prober {
    return this.#probing.prober;
  }

  /** Whether a turn may bring anything, after so many rounds. */
  applies(value: number, rounds: number): boolean {
    // With ample memory it closes something on one host alone, and nothing of what closes in the first round.
    const isWorthIt = this.memoryBinds || (this.#isOneHost && rounds > 0);
    return isWorthIt && (this.#isCutting || value !== this.#cutAt);
  }

  /** `isNew`: options were decided, and what was begun with fewer findings is better begun anew. */
  async below(value: number): Promise<Probed & { readonly isNew: boolean }> {
    const isNew = this.#probedAt === null || value < WORTH_PROBING_AGAIN * this.#probedAt;
    this.#cutAt = value;
    let probing: ShouldStop | null = null;
    if (isNew) {
      this.#probedAt = value;
      probing = this.#work.slice(this.#probingShare * this.#all);
      this.#probingShare /= 2;
    }
    const cutting = () => this.#work.slice(this.#cutShare * this.#all);
    const probed = await this.#probing.below(value * (1 - JUST_BELOW), probing, cutting);
    this.#isCutting = probed.isOpen && this.memoryBinds;
    if (this.#isCutting) this.#cutShare = Math.min(2 * this.#cutShare, MAX_CUTS_SHARE);
    return { ...probed, isNew: isNew && this.prober.decidedShare >= WORTH_BEGINNING_ANEW };
  }
}
