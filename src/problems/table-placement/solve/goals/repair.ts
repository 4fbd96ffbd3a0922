import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../exact/random.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { Measure } from "./goal-in-doubles.js";
import { RandomMoves } from "./random-moves.js";
import { SearchState } from "./search-state.js";

export interface RepairOptions {
  readonly seed: number;
  /** Random moves in all. */
  readonly steps: number;
  readonly shouldStop: ShouldStop;
}

/** Prices of what is broken, each twice the one before: the last is worth the bytes of all tables. */
const PRICES = 24;

/** Times that it is done again with some tables back home, from so many prices below the one that was enough. */
const AGAIN = 8;
const HOMEWARD = 0.25;
const KICKED = 0.1;
const CHEAPER = 3;

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 256;

/**
 * From where tables are now to a placement that breaks nothing, moving few bytes: random moves that lower bytes plus a price for
 * what is broken, which rises from next to nothing, so that the moves that mend most for their bytes come first. `null`
 * where it found none.
 */
export function repaired(
  problem: PlacementProblem,
  measure: Measure,
  now: Placement,
  { seed, steps, shouldStop }: RepairOptions,
): Placement | null {
  const random = seededRandom(seed);
  const moves = new RandomMoves(problem, random, now);
  const state = new SearchState(problem, measure, now);
  const all = problem.tables.reduce((sum, { options }) => sum + leastBytes(options), 0);
  let best: Placement | null = null;
  let least = Number.POSITIVE_INFINITY;
  const look = () => {
    if (state.penalty > 0 || state.value >= least) return;
    least = state.value;
    best = { choices: state.choices.slice() };
  };
  look();
  const step = (price: number, energy: number): number => {
    const isGuided = random.integer(2) === 0 && state.penalty > 0;
    const move = isGuided ? moves.unloading(state) : moves.next(state.choices);
    if (move === null) return energy;
    const back = state.make(move);
    const next = state.value + price * state.penalty;
    if (next < energy) {
      look();
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
        if (k % STEPS_PER_LOOK === 0 && shouldStop(STEPS_PER_LOOK * UNITS.move)) return best;
        energy = step(price, energy);
      }
      if (state.penalty > 0) continue;
      first = Math.max(1, level - CHEAPER);
      break;
    }
    if (best === null) {
      // Stuck: some tables go somewhere else, and what is broken stays dear.
      for (let kick = 0; kick < problem.tables.length * KICKED; kick++) state.make(moves.next(state.choices) ?? []);
      first = PRICES - CHEAPER;
      continue;
    }
    // Some of what was moved goes home.
    const { choices } = best as Placement;
    state.make(choices.map((choice, t) => [t, random.next() < HOMEWARD ? (now.choices[t] ?? choice) : choice]));
  }
  return best;
}

function leastBytes(options: PlacementProblem["tables"][number]["options"]): number {
  return options.reduce((least, { shards }) => {
    const bytes = shards.reduce((sum, { hbmBytes, hostBytes }) => sum + hbmBytes + hostBytes, 0);
    return Math.min(least, bytes);
  }, Number.POSITIVE_INFINITY);
}
