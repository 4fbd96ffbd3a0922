import type { DirectProgram } from "../../../models/table-placement/direct-program.js";
import { deviceCount, type PlacementProblem } from "../../../models/table-placement/problem.js";
import { Rational } from "../../exact/rational.js";
import type { BoundProof } from "./bounds/bound-proof.js";
import { claimOfGrains, patternProof } from "./bounds/pattern-proof.js";
import type { Grain } from "./grain.js";
import { type CoverAnswer, coverWithin, type PatternPool, type Refusal } from "./patterns/cover.js";
import type { PatternModel } from "./patterns/model.js";

/** Where a search for the best pattern bound stands. */
export interface PatternSearch {
  /** No placement has a largest cost of at most this (shown by `refusal`). */
  readonly refused: number;
  readonly refusal: Refusal | null;
  /** Between what is refused and what patterns can place, fractionally, there is nothing left to ask about. */
  readonly complete: boolean;
}

export interface PatternOptions {
  readonly shouldStop: () => boolean;
  /** Relative width at which the search ends. */
  readonly precision: number;
}

/** Visits that one search for the best pattern may take. */
const MOST_VISITS = 30_000_000;

/** Column generation for one problem: limits on cost share their patterns. */
export class PatternBounds {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #model: PatternModel;
  readonly #grain: Grain | null;
  readonly #pool: PatternPool;
  /** At this limit on cost patterns can place everything, fractionally: no pattern bound reaches further. */
  #reached = Number.POSITIVE_INFINITY;

  constructor(problem: PlacementProblem, direct: DirectProgram, model: PatternModel, grain: Grain | null) {
    this.#problem = problem;
    this.#direct = direct;
    this.#model = model;
    this.#grain = grain;
    this.#pool = model.classes.map(() => []);
  }

  /** Whether memory alone rules every placement out. */
  memory(shouldStop: () => boolean): BoundProof | null {
    const weights = this.#weights(Number.POSITIVE_INFINITY);
    const answer = this.#cover(weights, Number.POSITIVE_INFINITY, shouldStop);
    if (answer.kind !== "impossible") return null;
    return patternProof(this.#direct, this.#model, answer.refusal, null, this.#grain);
  }

  /**
   * The greatest limit on cost, between `low` (refused already) and `high` (the largest cost of a known placement), at which
   * patterns cannot place everything.
   */
  search(low: number, high: number, { shouldStop, precision }: PatternOptions): PatternSearch {
    let refused = low;
    let refusal: Refusal | null = null;
    let reached = Math.min(this.#reached, this.#below(high));
    // Just below the known placement first: where that is refused, it is optimal.
    let limit = reached === this.#reached ? this.#between(refused, reached, precision) : reached;
    for (; limit > refused; limit = this.#between(refused, reached, precision)) {
      const answer = this.#cover(this.#weights(limit), limit, shouldStop);
      if (answer.kind === "impossible") {
        refused = limit;
        refusal = answer.refusal;
      } else if (answer.kind === "possible") {
        reached = limit;
        this.#reached = limit;
      } else return { refused, refusal, complete: false };
    }
    return { refused, refusal, complete: true };
  }

  /** What a refusal proves. */
  proof(refused: number, refusal: Refusal): BoundProof {
    return patternProof(this.#direct, this.#model, refusal, this.claim(refused), this.#grain);
  }

  /** The largest cost is at least this where a limit is refused. */
  claim(refused: number): Rational {
    const grain = this.#grain;
    if (grain === null) return Rational.fromNumber(refused);
    return claimOfGrains(grain, BigInt(Math.round(refused / grain.approximate)) + 1n);
  }

  /** The greatest limit worth asking about that is below a known value. */
  #below(value: number): number {
    const grain = this.#grain;
    if (grain === null) return value * (1 - 1e-10);
    return (Math.round(value / grain.approximate) - 1) * grain.approximate;
  }

  #between(low: number, high: number, precision: number): number {
    const grain = this.#grain;
    const middle = (low + high) / 2;
    if (high - low <= precision * high) return low;
    if (grain === null) return middle;
    const grains = Math.round(middle / grain.approximate);
    const [from, to] = [Math.round(low / grain.approximate), Math.round(high / grain.approximate)];
    return grains > from && grains < to ? grains * grain.approximate : low;
  }

  #cover(weights: Float64Array, limit: number, shouldStop: () => boolean): CoverAnswer {
    return coverWithin(this.#model, this.#pool, weights, limit, { shouldStop, mostVisits: MOST_VISITS });
  }

  /** What leaving a shard unplaced costs: its share of a device's cost and memory. */
  #weights(limit: number): Float64Array {
    const devices = deviceCount(this.#problem);
    const memory = this.#problem.hbmBytes.reduce((sum, bytes) => sum + bytes, 0) / devices;
    return Float64Array.from(this.#model.orbits, ({ cost, hbm }) => cost / limit + (0.3 * hbm) / memory + 1e-6);
  }
}
