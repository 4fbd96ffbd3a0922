import type { DirectProgram } from "../../../../models/table-placement/direct-program.js";
import { type PatternModel, patternModel } from "../../../../models/table-placement/pattern-model.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { Rational } from "../../../exact/rational.js";
import type { ShouldStop } from "../../../search/work.js";
import { SolverError } from "../../../solvers/solver-error.js";
import { claimOfGranules, patternProof } from "./bounds/pattern-proof.js";
import type { ReductionStep } from "./bounds/reduction-steps.js";
import type { Granule } from "./cost-granularity.js";
import { coverWithin, type Farkas, type PatternPool } from "./patterns/feasibility-master.js";
import type { PlacementState } from "./placement-state.js";

/**
 * What column generation may take at once, as a share of all work: little at first; twice as much after a better bound,
 * half after none.
 */
const PATTERN_SHARE = 0.08;
const MAX_PATTERN_SHARE = 0.3;

/** The most of it that one limit on cost may take before a lower one is asked about. */
const PER_LIMIT = 0.2;

/** A bound that leaves less than this of a placement's largest cost may well be reached. */
const NEAR = 0.01;

/** The first step upwards, as a part of what there is to gain, and how steps grow and fall back. */
const FIRST_STEP = 0.25;
const GROWTH = 1.5;
const BACK = 3;

/** Partial patterns that a search for the best pattern keeps at each table. */
const WIDTH = 200_000;

/** A model that limits on cost are asked of, which share their patterns. */
interface Begun {
  readonly model: PatternModel;
  readonly pool: PatternPool;
  /** Steps of a proof that leave out the options that the model does not know. */
  readonly reductions: readonly ReductionStep[];
  /** Whether a limit was refused: further ones are near. */
  hasRefused: boolean;
  /** How far above the last limit refused the next one is. */
  step: number | null;
  /** At this limit on cost patterns can place everything, fractionally: no pattern bound reaches further. */
  reached: number;
}

/** Turns of column generation over patterns of devices, as shares of all work. */
export class PatternTurns {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #grain: Granule | null;
  /** Of all options; what is begun may be of fewer. */
  #model: PatternModel | null | undefined;
  #begun: Begun | null = null;
  #refused = 0;
  #isExhausted = false;
  #share = PATTERN_SHARE;

  constructor(problem: PlacementProblem, direct: DirectProgram, grain: Granule | null) {
    [this.#problem, this.#direct, this.#grain] = [problem, direct, grain];
  }

  /**
   * What column generation works on, built when it is first asked for; `null` where there are too many ways to hold a
   * table.
   */
  get model(): PatternModel | null {
    if (this.#model === undefined) {
      this.#model = patternModel(this.#problem, this.#direct);
      if (this.#model !== null) this.#begin(this.#model);
    }
    return this.#model;
  }

  /** Column generation has nothing more to give. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  /** Begins anew with fewer options, which steps leave out. */
  restrict(open: readonly (readonly boolean[])[], steps: () => readonly ReductionStep[]): boolean {
    const model = patternModel(this.#problem, this.#direct, open);
    if (model === null) return false;
    this.#isExhausted = false;
    this.#begin(model, steps());
    return true;
  }

  #begin(model: PatternModel, reductions: readonly ReductionStep[] = []): void {
    const pool = model.classes.map(() => []);
    this.#begun = { model, pool, reductions, hasRefused: false, step: null, reached: Number.POSITIVE_INFINITY };
  }

  /** Raises the bound, as long as HiGHS lives. */
  async turn(search: PlacementState): Promise<void> {
    try {
      await this.#raise(search, this.#begun as Begun);
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.#isExhausted = true;
    }
  }

  /**
   * Asks for the greatest limit on cost, between those refused already and the largest cost of a known placement, at which patterns
   * cannot place everything; a limit that takes long is given up for a lower one.
   */
  async #raise(search: PlacementState, begun: Begun): Promise<void> {
    const { model, reductions } = begun;
    const share = this.#share * search.all;
    const shouldStop = search.work.slice(share);
    const prove = (farkas: Farkas, claim: Rational | null, steps?: readonly ReductionStep[]) =>
      search.add(patternProof(this.#direct, model, farkas, claim, this.#grain, steps));
    if (search.incumbent.value === null) {
      this.#share = Math.min(2 * this.#share, MAX_PATTERN_SHARE);
      // Whether memory alone rules every placement out.
      const answer = await this.#cover(begun, Number.POSITIVE_INFINITY, shouldStop);
      if (answer.kind === "impossible") prove(answer.farkas, null);
      return;
    }
    const high = search.incumbent.value.toNumber();
    const precision = Math.max(1e-7, 0.1 * search.options.gap.toNumber());
    const low = search.bound.toNumber();
    // With grains a bound of n grains refuses n − 1.
    let refused = Math.max(this.#grain === null ? low : low - this.#grain.approximate, this.#refused);
    let farkas: Farkas | null = null;
    let reached = Math.min(begun.reached, this.#below(high));
    // The last one refused is near: its patterns lead to the next. Only where a placement may well be optimal, all at
    // once.
    const isClose = high - refused <= NEAR * high && reached < begun.reached;
    let step = begun.step === null || isClose ? (isClose ? 1 : FIRST_STEP) * (reached - refused) : begun.step;
    let isHard = false;
    this.#isExhausted = false;
    while (!shouldStop()) {
      // What patterns are known to place need not be asked again.
      const limit = this.#snapped(refused, reached, step, { precision, isKnown: reached === begun.reached });
      if (limit === null) {
        this.#isExhausted = !isHard;
        break;
      }
      // The first refusal takes its time; those near it should not.
      const own = begun.hasRefused ? search.work.slice(PER_LIMIT * share) : shouldStop;
      const answer = await this.#cover(begun, limit, (units) => own(units) || shouldStop());
      if (answer.kind === "impossible") {
        begun.hasRefused = true;
        refused = limit;
        farkas = answer.farkas;
        step = Math.min(GROWTH * step, reached - refused);
      } else {
        if (answer.kind === "possible") {
          reached = limit;
          begun.reached = limit;
        } else isHard = true;
        step = (limit - refused) / BACK;
      }
      begun.step = step;
    }
    // Without a better bound in its time, others have more to give.
    this.#share = Math.min(farkas === null ? this.#share / 2 : 2 * this.#share, MAX_PATTERN_SHARE);
    if (farkas === null) return;
    this.#refused = refused;
    prove(farkas, this.#claim(refused), reductions);
  }

  /** The largest cost is at least this where a limit is refused. */
  #claim(refused: number): Rational {
    const grain = this.#grain;
    if (grain === null) return Rational.fromNumber(refused);
    return claimOfGranules(grain, BigInt(Math.round(refused / grain.approximate)) + 1n);
  }

  /** The greatest limit worth asking about that is below a known value. */
  #below(value: number): number {
    const grain = this.#grain;
    if (grain === null) return value * (1 - 1e-10);
    return (Math.round(value / grain.approximate) - 1) * grain.approximate;
  }

  /**
   * About a step above what is refused, a whole number of granules where there are some; `null` where that is nothing
   * new.
   */
  #snapped(
    refused: number,
    reached: number,
    step: number,
    { precision, isKnown }: { readonly precision: number; readonly isKnown: boolean },
  ): number | null {
    if (step <= precision * reached || reached <= refused) return null;
    const limit = Math.min(reached, refused + step);
    if (this.#grain === null) return limit < reached || !isKnown ? limit : null;
    const { approximate } = this.#grain;
    const granules = Math.max(Math.round(limit / approximate), Math.round(refused / approximate) + 1);
    const most = Math.round(reached / approximate) - (isKnown ? 1 : 0);
    return Math.round(refused / approximate) < most ? Math.min(granules, most) * approximate : null;
  }

  #cover({ model, pool }: Begun, limit: number, shouldStop: ShouldStop) {
    const weights = unplacedWeights(this.#problem, model, limit);
    return coverWithin(model, pool, weights, limit, { shouldStop, width: WIDTH });
  }
}

/** What leaving a shard unplaced costs: its share of a device's cost and memory. */
function unplacedWeights({ hbmBytes }: PlacementProblem, { orbits }: PatternModel, limit: number): Float64Array {
  const memory = hbmBytes.reduce((sum, bytes) => sum + bytes, 0) / hbmBytes.length;
  return Float64Array.from(orbits, ({ cost, hbm }) => cost / limit + (0.3 * hbm) / memory + 1e-6);
}
