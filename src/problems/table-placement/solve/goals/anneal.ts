import type { Placement, PlacementOption, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../exact/random.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { Measure } from "./goal-in-doubles.js";
import { randomMoves } from "./random-moves.js";
import { SearchState } from "./search-state.js";

export interface MovesOptions {
  readonly seed: number;
  /** Random moves in all. */
  readonly steps: number;
  readonly shouldStop: ShouldStop;
}

export interface AnnealOptions extends MovesOptions {
  /** `null`: from a placement by chance. */
  readonly start: Placement | null;
  /** Where tables are now, which random moves lead back to; absent: nowhere that matters. */
  readonly now?: Placement | null;
  /** Nothing is better than this: the search ends there. */
  readonly target: number;
  /** What differences of the value are shares of; absent: the value at the start. */
  readonly scale?: number;
}

/** Temperatures, as shares of the value at the start; what is broken counts so many times that. */
const HOTTEST = 0.08;
const COLDEST = 2e-4;
const WEIGHT = 3;

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 256;

/** Prices of what is broken, each twice the one before: the last is worth the bytes of all tables. */
const PRICES = 24;

/** Times that it is done again with some tables back home, from so many prices below the one that was enough. */
const AGAIN = 8;
const HOMEWARD = 0.25;
const KICKED = 0.1;
const CHEAPER = 3;

/**
 * Simulated annealing over placements, for any goal and every constraint: what a placement breaks is a penalty. It ends by
 * steps and not by the clock, so that equal input gives an equal plan. `null` where it found nothing that breaks nothing.
 */
export function anneal(problem: PlacementProblem, measure: Measure, options: AnnealOptions): Placement | null {
  const { seed, steps, target, shouldStop } = options;
  const random = seededRandom(seed);
  const moves = randomMoves(problem, random, options.now);
  const begin = options.start?.choices ?? moves.start();
  if (begin === null) return null;
  const state = new SearchState(problem, measure, { choices: begin });
  const scale = options.scale ?? (state.value || 1);
  let energy = state.value / scale + WEIGHT * state.penalty;
  const found = new Found(state);
  for (let step = 0; step < steps && found.least > target; step++) {
    if (step % STEPS_PER_LOOK === 0 && shouldStop(STEPS_PER_LOOK * UNITS.move)) break;
    const move = moves.next(state.choices);
    if (move === null) continue;
    const back = state.make(move);
    const next = state.value / scale + WEIGHT * state.penalty;
    const temperature = HOTTEST * (COLDEST / HOTTEST) ** (step / steps);
    if (next <= energy || random.next() < Math.exp((energy - next) / temperature)) {
      energy = next;
      found.look();
    } else state.make(back);
  }
  return found.best;
}

/**
 * From where tables are now to a placement that breaks nothing, moving few bytes: random moves that lower bytes plus a price for
 * what is broken, which rises from next to nothing, so that the moves that mend most for their bytes come first. `null`
 * where it found none.
 */
export function repaired(
  problem: PlacementProblem,
  measure: Measure,
  now: Placement,
  { seed, steps, shouldStop }: MovesOptions,
): Placement | null {
  const random = seededRandom(seed);
  const moves = randomMoves(problem, random, now);
  const state = new SearchState(problem, measure, now);
  const bytesOf = ({ shards }: PlacementOption) =>
    shards.reduce((sum, { hbmBytes, hostBytes }) => sum + hbmBytes + hostBytes, 0);
  const all = problem.tables.reduce((sum, { options }) => sum + Math.min(...options.map(bytesOf)), 0);
  const found = new Found(state);
  const step = (price: number, energy: number): number => {
    const isGuided = random.integer(2) === 0 && state.penalty > 0;
    const move = isGuided ? moves.unloading(state) : moves.next(state.choices);
    if (move === null) return energy;
    const back = state.make(move);
    const next = state.value + price * state.penalty;
    if (next < energy) {
      found.look();
      return next;
    }
    state.make(back);
    return energy;
  };
  const perPrice = steps / PRICES;
  let first = 1;
  for (let round = 0; round <= AGAIN; round++) {
    for (let level = first; level <= PRICES; level++) {
      const price = all * 2 ** (level - PRICES);
      let energy = state.value + price * state.penalty;
      for (let k = 0; k < perPrice; k++) {
        if (k % STEPS_PER_LOOK === 0 && shouldStop(STEPS_PER_LOOK * UNITS.move)) return found.best;
        energy = step(price, energy);
      }
      if (state.penalty > 0) continue;
      first = Math.max(1, level - CHEAPER);
      break;
    }
    if (found.best === null) {
      // Stuck: some tables go somewhere else, and what is broken stays dear.
      for (let kick = 0; kick < problem.tables.length * KICKED; kick++) state.make(moves.next(state.choices) ?? []);
      first = PRICES - CHEAPER;
      continue;
    }
    // Some of what was moved goes home.
    const { choices } = found.best;
    state.make(choices.map((choice, t) => [t, random.next() < HOMEWARD ? (now.choices[t] ?? choice) : choice]));
  }
  return found.best;
}

/** The best placement that a state has been at and that breaks nothing; `null` before there is one. */
class Found {
  readonly #state: SearchState;
  best: Placement | null = null;
  least = Number.POSITIVE_INFINITY;

  constructor(state: SearchState) {
    this.#state = state;
    this.look();
  }

  look(): void {
    const state = this.#state;
    if (state.value >= this.least || state.penalty > 0) return;
    this.least = state.value;
    this.best = { choices: state.choices.slice() };
  }
}
