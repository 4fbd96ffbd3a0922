import type { DirectProgram } from "../../../../../models/table-placement/direct-program.js";
import type { PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { type Random, seededRandom } from "../../../../exact/random.js";
import type { ShouldStop } from "../../../../search/work.js";
import { SolverError } from "../../../../solvers/solver-error.js";
import type { BaseModel } from "../base-tree/base-model.js";
import { likeDevicesModel } from "../base-tree/base-model.js";
import type { PlacementState } from "../placement-state.js";
import { OptionDive } from "./option-dive.js";

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

/** A limit that is being asked about. */
interface Asked {
  readonly limit: number;
  readonly dive: OptionDive;
  /** Units that went into its relaxation, and that dives below it have left. */
  relaxing: number;
  diving: number;
  isOpen: boolean;
}

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
  /** Left at the end of a turn, to go on from there. */
  #asked: Asked | null = null;
  /** The highest limit below which no relaxation has a point, as far as is known, or is known too late. */
  #closed = 0;
  #hasOpened = false;
  /** The limit of the last dive: the first one at a limit is not by chance. */
  #dived = 0;
  #isOver = false;

  constructor(problem: PlacementProblem, direct: DirectProgram, seed: number) {
    [this.#problem, this.#direct] = [problem, direct];
    this.#random = seededRandom(seed);
  }

  /** Whether there is anything to look for, between a bound and a placement of a value. */
  applies(bound: number, value: number): boolean {
    const isFar = value - Math.max(bound, this.#closed) > LEAST_GAP * value;
    return !this.#isOver && isFar && this.#modelFor(value) !== null;
  }

  /** Dives until it is over. Where HiGHS ends, it dives no more. */
  async turn(search: PlacementState, isOver: ShouldStop): Promise<void> {
    try {
      while (!isOver()) {
        const asked = await this.#ask(search);
        if (asked === null) return;
        if (!asked.isOpen) this.#relax(asked, isOver);
        if (asked.isOpen) await this.#dive(asked, search, isOver);
      }
    } catch (error) {
      if (!(error instanceof SolverError)) throw error;
      this.#isOver = true;
      this.dispose();
    }
  }

  /** The limit left at the end of the last turn, where it is still between the ends, or a new one; `null` where there is none. */
  async #ask({ bound, incumbent }: PlacementState): Promise<Asked | null> {
    const [least, value] = [bound.toNumber(), incumbent.value?.toNumber() as number];
    if (this.#asked !== null && this.#asked.limit > least && this.#asked.limit <= value) return this.#asked;
    this.dispose();
    if (!this.applies(least, value)) return null;
    const low = Math.max(least, this.#closed);
    const limit = low + this.#part * (value - low);
    const dive = await OptionDive.open(this.#problem, this.#modelFor(limit) as BaseModel, limit);
    this.#asked = { limit, dive, relaxing: 0, diving: this.#units, isOpen: false };
    return this.#asked;
  }

  /** Relaxations that are too hard at the first limits are so at all of them; later ones are near the bound alone. */
  #relax(asked: Asked, isOver: ShouldStop): void {
    const isHard = () => asked.relaxing >= RELAXATION_UNITS;
    const isOpen = asked.dive.isOpen((units = 0) => {
      asked.relaxing += units;
      return isOver(units) || isHard();
    });
    asked.isOpen = isOpen === true;
    this.#hasOpened ||= asked.isOpen;
    if (asked.isOpen || (isOpen === null && !isHard())) return;
    this.#closed = asked.limit;
    this.#isOver ||= isOpen === null && !this.#hasOpened;
    this.dispose();
  }

  async #dive(asked: Asked, { incumbent }: PlacementState, isOver: ShouldStop): Promise<void> {
    const { limit, dive } = asked;
    const isBelow = () => (incumbent.value?.toNumber() as number) < limit;
    const shouldStop = (units = 0) => {
      asked.diving -= units;
      return isOver(units) || asked.diving <= 0;
    };
    while (!shouldStop() && !isBelow()) {
      const placement = await dive.run(limit === this.#dived ? this.#random : null, shouldStop);
      this.#dived = limit;
      if (placement === null) continue;
      incumbent.offer(this.#direct.pointOf(placement));
      // It is refused for what patterns know nothing of, such as host memory: so would be the next.
      this.#isOver ||= !isBelow();
      if (this.#isOver) break;
    }
    if (!this.#isOver && !isBelow() && asked.diving > 0) return;
    if (!isBelow()) this.#goNearer();
    this.dispose();
  }

  #goNearer(): void {
    this.#part = (1 + this.#part) / 2;
    if (this.#part > LAST_PART) [this.#part, this.#units] = [PART, GROWTH * this.#units];
  }

  #modelFor(value: number): BaseModel | null {
    if (this.#model === undefined) this.#model = likeDevicesModel(this.#problem, this.#direct, value);
    return this.#model;
  }

  dispose(): void {
    this.#asked?.dive.dispose();
    this.#asked = null;
  }
}
