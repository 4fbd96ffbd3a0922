import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../exact/random.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { Measure } from "./goal-in-doubles.js";
import { RandomMoves } from "./random-moves.js";
import { SearchState } from "./search-state.js";

export interface AnnealOptions {
  readonly seed: number;
  readonly steps: number;
  /** `null`: from a placement by chance. */
  readonly start: Placement | null;
  /** Where tables are now, which random moves lead back to; absent: nowhere that matters. */
  readonly now?: Placement | null;
  /** Nothing is better than this: the search ends there. */
  readonly target: number;
  readonly shouldStop: ShouldStop;
  /** What differences of the value are shares of; absent: the value at the start. */
  readonly scale?: number;
}

/** Temperatures, as shares of the value at the start; what is broken counts so many times that. */
const HOTTEST = 0.08;
const COLDEST = 2e-4;
const WEIGHT = 3;

/** Steps between two looks at the clock. */
const STEPS_PER_LOOK = 256;

/**
 * Simulated annealing over placements, for any goal and every constraint: what a placement breaks is a penalty. It ends by
 * steps and not by the clock, so that equal input gives an equal plan. `null` where it found nothing that breaks nothing.
 */
export function anneal(problem: PlacementProblem, measure: Measure, options: AnnealOptions): Placement | null {
  const { seed, steps, target, shouldStop } = options;
  const random = seededRandom(seed);
  const moves = new RandomMoves(problem, random, options.now);
  const begin = options.start?.choices ?? moves.start();
  if (begin === null) return null;
  const state = new SearchState(problem, measure, { choices: begin });
  const scale = options.scale ?? (state.value || 1);
  let energy = state.value / scale + WEIGHT * state.penalty;
  let best: Placement | null = null;
  let least = Number.POSITIVE_INFINITY;
  const look = () => {
    const { value } = state;
    if (value >= least || state.penalty > 0) return;
    least = value;
    best = { choices: state.choices.slice() };
  };
  look();
  for (let step = 0; step < steps && least > target; step++) {
    if (step % STEPS_PER_LOOK === 0 && shouldStop(STEPS_PER_LOOK * UNITS.move)) break;
    const move = moves.next(state.choices);
    if (move === null) continue;
    const back = state.make(move);
    const next = state.value / scale + WEIGHT * state.penalty;
    const temperature = HOTTEST * (COLDEST / HOTTEST) ** (step / steps);
    if (next <= energy || random.next() < Math.exp((energy - next) / temperature)) {
      energy = next;
      look();
    } else state.make(back);
  }
  return best;
}
