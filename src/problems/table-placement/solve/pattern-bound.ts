import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import type { PatternModel } from "../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { ShouldStop } from "../../../search/work.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { claimOfGranules, patternProof } from "./bounds/pattern-proof.js";
import type { ReductionStep } from "./bounds/reduction-steps.js";
import type { Granule } from "./cost-granularity.js";
import { type CoverAnswer, coverWithin, type Farkas, type PatternPool } from "./patterns/feasibility-master.js";

/** Where a search for the best pattern bound stands. */
export interface PatternSearch {
  /** No placement has a largest cost of at most this (shown by `refusal`). */
  readonly refused: number;
  readonly farkas: Farkas | null;
  /** Between what is refused and what patterns can place, fractionally, there is nothing left to ask about. */
  readonly complete: boolean;
}

export interface PatternOptions {
  readonly shouldStop: ShouldStop;
  /** Relative width at which the search ends. */
  readonly precision: number;
  /** A slice of work, after which one limit on cost is given up for a lower one. */
  readonly perLimit: () => ShouldStop;
}

/** A bound that leaves less than this of a placement's largest cost may well be reached. */
const NEAR = 0.01;

/** The first step upwards, as a part of what there is to gain, and how steps grow and fall back. */
const FIRST_STEP = 0.25;
const GROWTH = 1.5;
const BACK = 3;

/** Partial patterns that a search for the best pattern keeps at each table. */
const WIDTH = 200_000;

/** Column generation for one problem: limits on cost share their patterns. Throws `SolverError` where HiGHS dies. */
export class PatternBounds {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #model: PatternModel;
  readonly #granule: Granule | null;
  readonly #reductions: readonly ReductionStep[];
  readonly #pool: PatternPool;
  /** Whether a limit was refused: further ones are near. */
  #hasRefused = false;
  /** How far above the last limit refused the next one is. */
  #step: number | null = null;
  /** At this limit on cost patterns can place everything, fractionally: no pattern bound reaches further. */
  #reached = Number.POSITIVE_INFINITY;

  /** `reductions`: steps of a proof that leave out the options that the model does not know. */
  constructor(
    problem: PlacementProblem,
    direct: DirectProgram,
    model: PatternModel,
    granule: Granule | null,
    reductions: readonly ReductionStep[] = [],
  ) {
    this.#reductions = reductions;
    this.#problem = problem;
    this.#direct = direct;
    this.#model = model;
    this.#granule = granule;
    this.#pool = model.classes.map(() => []);
  }

  /** Whether memory alone rules every placement out. */
  async memory(shouldStop: ShouldStop): Promise<BoundProof | null> {
    const answer = await this.#cover(Number.POSITIVE_INFINITY, shouldStop);
    if (answer.kind !== "impossible") return null;
    return patternProof(this.#direct, this.#model, answer.farkas, null, this.#granule);
  }

  /**
   * The greatest limit on cost, between `low` (refused already) and `high` (the largest cost of a known placement), at
   * which patterns cannot place everything.
   */
  async search(low: number, high: number, { shouldStop, precision, perLimit }: PatternOptions): Promise<PatternSearch> {
    let refused = low;
    let farkas: Farkas | null = null;
    let reached = Math.min(this.#reached, this.below(high));
    // The last one refused is near: its patterns lead to the next. Only where a placement may well be optimal, all at
    // once.
    const isClose = high - low <= NEAR * high && reached < this.#reached;
    let step = this.#step === null || isClose ? (isClose ? 1 : FIRST_STEP) * (reached - refused) : this.#step;
    let isHard = false;
    while (!shouldStop()) {
      const limit = this.#snapped(refused, reached, step, precision);
      if (limit === null) return { refused, farkas, complete: !isHard };
      // The first refusal takes its time; those near it should not.
      const own = this.#hasRefused ? perLimit() : shouldStop;
      const answer = await this.#cover(limit, (units) => own(units) || shouldStop());
      if (answer.kind === "impossible") {
        this.#hasRefused = true;
        refused = limit;
        farkas = answer.farkas;
        step = Math.min(GROWTH * step, reached - refused);
      } else {
        if (answer.kind === "possible") {
          reached = limit;
          this.#reached = limit;
        } else isHard = true;
        step = (limit - refused) / BACK;
      }
      this.#step = step;
    }
    return { refused, farkas, complete: false };
  }

  /** What a refusal proves. */
  proof(refused: number, farkas: Farkas): BoundProof {
    return patternProof(this.#direct, this.#model, farkas, this.claim(refused), this.#granule, this.#reductions);
  }

  /** The largest cost is at least this where a limit is refused. */
  claim(refused: number): Rational {
    const granule = this.#granule;
    if (granule === null) return Rational.fromNumber(refused);
    return claimOfGranules(granule, BigInt(Math.round(refused / granule.approximate)) + 1n);
  }

  /** The greatest limit worth asking about that is below a known value. */
  below(value: number): number {
    const granule = this.#granule;
    if (granule === null) return value * (1 - 1e-10);
    return (Math.round(value / granule.approximate) - 1) * granule.approximate;
  }

  /**
   * About a step above what is refused, a whole number of granules where there are some; `null` where that is nothing
   * new.
   */
  #snapped(refused: number, reached: number, step: number, precision: number): number | null {
    if (step <= precision * reached || reached <= refused) return null;
    const limit = Math.min(reached, refused + step);
    // What patterns are known to place need not be asked again.
    const isKnown = reached === this.#reached;
    if (this.#granule === null) return limit < reached || !isKnown ? limit : null;
    const { approximate } = this.#granule;
    const granules = Math.max(Math.round(limit / approximate), Math.round(refused / approximate) + 1);
    const most = Math.round(reached / approximate) - (isKnown ? 1 : 0);
    return Math.round(refused / approximate) < most ? Math.min(granules, most) * approximate : null;
  }

  #cover(limit: number, shouldStop: ShouldStop): Promise<CoverAnswer> {
    const weights = unplacedWeights(this.#problem, this.#model, limit);
    return coverWithin(this.#model, this.#pool, weights, limit, { shouldStop, width: WIDTH });
  }
}

/** What leaving a shard unplaced costs: its share of a device's cost and memory. */
export function unplacedWeights({ hbmBytes }: PlacementProblem, { orbits }: PatternModel, limit: number): Float64Array {
  const memory = hbmBytes.reduce((sum, bytes) => sum + bytes, 0) / hbmBytes.length;
  return Float64Array.from(orbits, ({ cost, hbm }) => cost / limit + (0.3 * hbm) / memory + 1e-6);
}
