import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import type { ShouldStop } from "../../../../search/work.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import type { BaseModel } from "../base-tree/base-model.js";
import { likeDevicesModel } from "../large-shards/like-devices-model.js";
import type { PlacementState } from "../placement-state.js";
import { OptionDive } from "./option-dive.js";

/** What a turn may take, as a share of all work. */
const SHARE = 0.2;

/** Units that a limit may take: more once limits near the placement take as much. */
const FIRST_UNITS = 2000;
const GROWTH = 2;

/** Units after which a relaxation that was not brought to its end is too hard. */
const RELAXATION_UNITS = 3000;

/** How far from the bound to the placement a limit is; nearer to the placement where none was found below it, up to the last part. */
const PART = 0.5;
const LAST_PART = 0.95;

/** What is nearer to the bound is left to others, as a part of the value. */
const LEAST_GAP = 1e-3;

/**
 * Placements by diving over options, below limits between the bound and the best placement. For like devices on one host without bases,
 * whose memory binds.
 */
export class OptionDiveTurns {
  readonly #problem: PlacementProblem;
  readonly #direct: DirectProgram;
  readonly #random: Random;
  #model: BaseModel | null | undefined;
  #part = PART;
  #units = FIRST_UNITS;
  /** The highest limit below which no relaxation has a point, as far as is known. */
  #closed = 0;
  /** Units that went into a relaxation of all options that has not come to its end. */
  #relaxing = 0;
  /** The limit of the last dive: the first one at a limit is not by chance. */
  #dived = 0;
  #isOver = false;

  constructor(problem: PlacementProblem, direct: DirectProgram, seed: number) {
    [this.#problem, this.#direct] = [problem, direct];
    this.#random = seededRandom(seed);
  }

  /** Whether relaxations are too hard to be brought to their end: then there is no diving. */
  get #isHard(): boolean {
    return this.#relaxing >= RELAXATION_UNITS;
  }

  /** Whether there is anything to look for, between a bound and a placement of a value. */
  applies(bound: number, value: number): boolean {
    const isFar = value - Math.max(bound, this.#closed) > LEAST_GAP * value;
    return !this.#isOver && !this.#isHard && isFar && this.#modelFor(value) !== null;
  }

  /** Dives for a share of all work. Where HiGHS ends, it dives no more. */
  async turn(search: PlacementState): Promise<void> {
    const isOver = search.work.slice(SHARE * search.all);
    try {
      while (!isOver()) {
        const [bound, value] = [search.bound.toNumber(), search.incumbent.value?.toNumber() as number];
        if (!this.applies(bound, value)) return;
        const low = Math.max(bound, this.#closed);
        if (await this.#find(search, low + this.#part * (value - low), isOver)) continue;
        if (isOver()) return;
      }
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.#isOver = true;
    }
  }

  /** Whether there is a placement below a limit by now. */
  async #find(search: PlacementState, limit: number, isOver: ShouldStop): Promise<boolean> {
    const { incumbent } = search;
    const isBelow = () => (incumbent.value?.toNumber() as number) < limit;
    const dive = await OptionDive.open(this.#problem, this.#modelFor(limit) as BaseModel, limit);
    try {
      const isOpen = dive.isOpen((units = 0) => {
        this.#relaxing += units;
        return this.#isHard || isOver(units);
      });
      if (isOpen === false) this.#closed = limit;
      if (isOpen !== null) this.#relaxing = 0;
      if (isOpen !== true) return false;
      const slice = search.work.slice(this.#units);
      const shouldStop = (units = 0) => slice(units) || isOver();
      while (!shouldStop() && !isBelow()) {
        const placement = await dive.run(limit === this.#dived ? this.#random : null, shouldStop);
        this.#dived = limit;
        if (placement === null) continue;
        incumbent.offer(this.#direct.pointOf(placement));
        // It is refused for what patterns know nothing of, such as host memory: so would be the next.
        this.#isOver ||= !isBelow();
        if (this.#isOver) break;
      }
    } finally {
      dive.dispose();
    }
    if (!isBelow()) this.#goNearer();
    return isBelow();
  }

  #goNearer(): void {
    this.#part = (1 + this.#part) / 2;
    if (this.#part > LAST_PART) [this.#part, this.#units] = [PART, GROWTH * this.#units];
  }

  #modelFor(value: number): BaseModel | null {
    if (this.#model === undefined) this.#model = likeDevicesModel(this.#problem, this.#direct, value);
    return this.#model;
  }
}
