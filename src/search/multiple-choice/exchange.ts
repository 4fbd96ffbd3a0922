import type { Box } from "../../proof/kernel/view.js";
import type { RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import { type ChoiceProblem, exactMemoryOf, fits, ratio, slotBounds } from "./choice-problem.js";

/** Move of some units of one group from one slot to another. */
interface Move {
  readonly group: number;
  readonly from: number;
  readonly to: number;
  readonly units: number;
  readonly memory: number;
  readonly cost: number;
  readonly reducedCost: number;
}

const MAX_UNITS = 64;
const MAX_RESULTS = 24;

/**
 * Looks for exchanges that use up the memory a rounded relaxation leaves over: moves of a few units between slots that
 * are nearly indifferent at the price of memory (at most `mostMoves`, the cheapest) are combined in twos, and the twos in
 * twos (sorted by memory, with a running minimum of cost), so that of 500 moves some 10¹⁰ combinations are searched in
 * the time of sorting 10⁵. Returns the best points found, in the view's columns, best first; only with one objective sum.
 */
export function exchange(
  problem: ChoiceProblem,
  box: Box,
  answer: Extract<RelaxationAnswer, { kind: "solved" }>,
  mostMoves: number,
): readonly Float64Array[] {
  const best = answer.candidates[0];
  const memoryMultiplier = answer.multipliers.get(problem.roles.memoryRow);
  if (best === undefined || memoryMultiplier === undefined || problem.sums.length > 1) return [];
  const price = -memoryMultiplier.toNumber();
  if (price === 0) return [];
  const filling = Float64Array.from(problem.columns, (column) => best.point[column] as number);
  const slack = ratio(problem.exactCapacity - exactMemoryOf(problem, filling), problem.memoryDenominator);
  const moves = usefulMoves(problem, box, filling, price, price * slack).slice(0, mostMoves);
  const pairs = pairsOf(moves, price * slack);
  const found = bestCombinations(pairs, slack);
  const points: Float64Array[] = [];
  for (const { moves: places } of found) {
    const changed = Float64Array.from(filling);
    for (const place of places) {
      const move = moves[place] as Move;
      changed[move.from] = (changed[move.from] as number) - move.units;
      changed[move.to] = (changed[move.to] as number) + move.units;
    }
    if (!withinBounds(problem, box, changed) || !fits(problem, changed)) continue;
    const point = best.point.slice();
    problem.columns.forEach((column, k) => {
      point[column] = changed[k] as number;
    });
    points.push(point);
  }
  return points;
}

/** Moves whose reduced cost does not already cost more than all the memory left over is worth, cheapest first. */
function usefulMoves(problem: ChoiceProblem, box: Box, filling: Float64Array, price: number, worth: number): Move[] {
  const { lower, upper } = slotBounds(problem, box);
  const [{ cost }] = problem.sums as [ChoiceProblem["sums"][number]];
  const moves: Move[] = [];
  for (let g = 0; g < problem.groupCount; g++) {
    for (let from = problem.starts[g] as number; from < (problem.starts[g + 1] as number); from++) {
      const available = (filling[from] as number) - (lower[from] as number);
      if (available === 0) continue;
      for (let to = problem.starts[g] as number; to < (problem.starts[g + 1] as number); to++) {
        const room = (upper[to] as number) - (filling[to] as number);
        if (to === from || room === 0) continue;
        const memory = (problem.memory[to] as number) - (problem.memory[from] as number);
        const costChange = (cost[to] as number) - (cost[from] as number);
        const reducedCost = costChange + price * memory;
        const most = Math.min(available, room, MAX_UNITS, reducedCost > 0 ? worth / reducedCost : MAX_UNITS);
        for (let units = 1; units <= most; units++) {
          moves.push({
            group: g,
            from,
            to,
            units,
            memory: units * memory,
            cost: units * costChange,
            reducedCost: units * reducedCost,
          });
        }
      }
    }
  }
  return moves.sort((a, b) => a.reducedCost - b.reducedCost);
}

/**
 * Combinations of no move, one, or two of different groups, by rising memory. Parallel arrays, for there are up to 10⁵ of
 * them; a move of −1 is none.
 */
interface Pairs {
  readonly first: Int16Array;
  readonly second: Int16Array;
  readonly memory: Float64Array;
  readonly cost: Float64Array;
}

function pairsOf(moves: readonly Move[], worth: number): Pairs {
  const most = 1 + (moves.length * (moves.length + 1)) / 2;
  const first = new Int16Array(most).fill(-1);
  const second = new Int16Array(most).fill(-1);
  const memory = new Float64Array(most);
  const cost = new Float64Array(most);
  let count = 1;
  for (let k = 0; k < moves.length; k++) {
    const move = moves[k] as Move;
    first[count] = k;
    memory[count] = move.memory;
    cost[count++] = move.cost;
    for (let l = k + 1; l < moves.length; l++) {
      const other = moves[l] as Move;
      // Sorted by reduced cost: from here on every partner is too dear.
      if (move.reducedCost + other.reducedCost > worth) break;
      if (move.group === other.group) continue;
      first[count] = k;
      second[count] = l;
      memory[count] = move.memory + other.memory;
      cost[count++] = move.cost + other.cost;
    }
  }
  const order = risingOrder(memory.subarray(0, count));
  return {
    first: Int16Array.from(order, (k) => first[k] as number),
    second: Int16Array.from(order, (k) => second[k] as number),
    memory: Float64Array.from(order, (k) => memory[k] as number),
    cost: Float64Array.from(order, (k) => cost[k] as number),
  };
}

/** Bits for the place of a value in {@link risingOrder}: 500 moves make 125,251 pairs. */
const PLACE = 2 ** 17;

/** The places of values in rising order: each value, in steps of a 2⁻³⁵th of their range, is sorted as one number with its place. */
function risingOrder(values: Float64Array): Int32Array {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const scale = most > least ? 2 ** 35 / (most - least) : 0;
  const keys = values.map((value, place) => Math.round((value - least) * scale) * PLACE + place).sort();
  return Int32Array.from(keys, (key) => key % PLACE);
}

/** Two pairs together. */
interface Combination {
  readonly cost: number;
  readonly moves: readonly number[];
}

/** The cheapest two pairs whose memory fits into the slack, best first. */
function bestCombinations({ first, second, memory, cost }: Pairs, slack: number): readonly Combination[] {
  const cheapestUpTo = new Int32Array(cost.length);
  for (let k = 1; k < cost.length; k++) {
    const before = cheapestUpTo[k - 1] as number;
    cheapestUpTo[k] = (cost[before] as number) <= (cost[k] as number) ? before : k;
  }
  const found: Combination[] = [];
  let partner = cost.length - 1;
  for (let k = 0; k < cost.length; k++) {
    while (partner >= 0 && (memory[partner] as number) + (memory[k] as number) > slack) partner--;
    if (partner < 0) break;
    const other = cheapestUpTo[partner] as number;
    const together = (cost[k] as number) + (cost[other] as number);
    const worst = found.at(-1);
    if (together >= 0 || (found.length === MAX_RESULTS && worst !== undefined && together >= worst.cost)) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1] as Combination).cost > together) at--;
    const moves = [first[k], second[k], first[other], second[other]].filter((move) => move !== -1) as number[];
    found.splice(at, 0, { cost: together, moves });
    if (found.length > MAX_RESULTS) found.pop();
  }
  return found;
}

function withinBounds(problem: ChoiceProblem, box: Box, filling: Float64Array): boolean {
  const { lower, upper } = slotBounds(problem, box);
  return filling.every((value, k) => value >= (lower[k] as number) && value <= (upper[k] as number));
}
