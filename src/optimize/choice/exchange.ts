import type { Box } from "../../proof/view.js";
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

const MOST_UNITS = 64;
const MOST_RESULTS = 24;

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
  for (const { first, second } of found) {
    const changed = Float64Array.from(filling);
    for (const move of [...first.moves, ...second.moves]) {
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
        const most = Math.min(available, room, MOST_UNITS, reducedCost > 0 ? worth / reducedCost : MOST_UNITS);
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

/** Nothing, one move, or two moves in different groups. */
interface Combination {
  readonly moves: readonly Move[];
  readonly memory: number;
  readonly cost: number;
}

function pairsOf(moves: readonly Move[], worth: number): Combination[] {
  const combinations: Combination[] = [{ moves: [], memory: 0, cost: 0 }];
  moves.forEach((move, k) => {
    combinations.push({ moves: [move], memory: move.memory, cost: move.cost });
    for (let l = k + 1; l < moves.length; l++) {
      const other = moves[l] as Move;
      // Sorted by reduced cost: from here on every partner is too dear.
      if (move.reducedCost + other.reducedCost > worth) break;
      if (move.group === other.group) continue;
      combinations.push({
        moves: [move, other],
        memory: move.memory + other.memory,
        cost: move.cost + other.cost,
      });
    }
  });
  return combinations.sort((a, b) => a.memory - b.memory);
}

/** The cheapest pairs of combinations whose memory fits into the slack, best first. */
function bestCombinations(combinations: readonly Combination[], slack: number) {
  const cheapestUpTo: number[] = [];
  combinations.forEach(({ cost }, k) => {
    const before = cheapestUpTo[k - 1];
    cheapestUpTo.push(before !== undefined && (combinations[before] as Combination).cost <= cost ? before : k);
  });
  const found: { cost: number; first: Combination; second: Combination }[] = [];
  let partner = combinations.length - 1;
  for (const first of combinations) {
    while (partner >= 0 && (combinations[partner] as Combination).memory + first.memory > slack) partner--;
    if (partner < 0) break;
    const second = combinations[cheapestUpTo[partner] as number] as Combination;
    const cost = first.cost + second.cost;
    const worst = found.at(-1);
    if (cost >= 0 || (found.length === MOST_RESULTS && worst !== undefined && cost >= worst.cost)) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1] as { cost: number }).cost > cost) at--;
    found.splice(at, 0, { cost, first, second });
    if (found.length > MOST_RESULTS) found.pop();
  }
  return found;
}

function withinBounds(problem: ChoiceProblem, box: Box, filling: Float64Array): boolean {
  const { lower, upper } = slotBounds(problem, box);
  return filling.every((value, k) => value >= (lower[k] as number) && value <= (upper[k] as number));
}
