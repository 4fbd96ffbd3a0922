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
  for (let level = 1; level <= PRICES && best === null; level++) {
    const price = all * 2 ** (level - PRICES);
    let energy = state.value + price * state.penalty;
    for (let step = 0; step < steps / PRICES; step++) {
      if (step % STEPS_PER_LOOK === 0 && shouldStop(STEPS_PER_LOOK * UNITS.move)) return best;
      const move = moves.next(state.choices);
      if (move === null) continue;
      const back = state.make(move);
      const next = state.value + price * state.penalty;
      if (next < energy) {
        energy = next;
        look();
      } else state.make(back);
    }
  }
  return best;
}

function leastBytes(options: PlacementProblem["tables"][number]["options"]): number {
  return options.reduce((least, { shards }) => {
    const bytes = shards.reduce((sum, { hbmBytes, hostBytes }) => sum + hbmBytes + hostBytes, 0);
    return Math.min(least, bytes);
  }, Number.POSITIVE_INFINITY);
}
