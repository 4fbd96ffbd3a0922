import { firstFrom } from "../../exact/first-from.js";
import { doubleNear } from "../../exact/rational.js";
import type { Box } from "../../proof/kernel/view.js";
import { type ChoiceProblem, exactMemoryOf, pointOf, slotBounds } from "./choice-problem.js";
import { solveByPrice } from "./price-search.js";

/** Some units of a group moved from one slot to another, against the cheapest filling at the price of memory. */
interface Option {
  readonly from: number;
  readonly to: number;
  readonly units: number;
  readonly memory: number;
  /** Change of cost + price · memory: what it costs beyond the relaxation's bound. */
  readonly reducedCost: number;
}

/** Fillings of half of the groups: their memory and reduced cost, and which options they are made of. */
interface Half {
  readonly groups: readonly number[];
  readonly memory: Float64Array;
  readonly reduced: Float64Array;
  /** For each state the state it extends and the option that it adds. */
  readonly previous: Int32Array;
  readonly option: Int32Array;
  readonly depth: Uint16Array;
  readonly count: number;
}

/** The group that fills up what memory the others leave, unit by unit, at no reduced cost. */
interface SplitClass {
  readonly group: number;
  /** Taking a unit from `giver` to `taker` needs `step` more memory. */
  readonly giver: number;
  readonly taker: number;
  readonly step: number;
}

const MAX_OPTIONS = 400;
const MAX_STATES = 60_000;
const MAX_RESULTS = 16;
const ROUNDS = 12;

/**
 * Looks for the best filling of a small multiple-choice knapsack (what reduced costs left open), as a hint.
 *
 * At the relaxation's price one group is indifferent between two slots: it can use up any memory left over, but for
 * less than one of its steps. So the other groups are to be moved off their cheapest fillings such that little memory
 * is left modulo that step, at little reduced cost. All their fillings within a reduced cost of `room / 2^k` are
 * listed, k falling, in two halves sorted by memory modulo the step, and met in the middle with running minima. The
 * first k that gives a filling better than its own limit has given the best one; the search ends as well when the lists
 * grow too long. Returns points of the view, best first.
 */
export function coreSearch(
  problem: ChoiceProblem,
  box: Box,
  cost: Float64Array,
  room: number,
): readonly Float64Array[] {
  const { lower, upper } = slotBounds(problem, box);
  const solved = solveByPrice(problem, cost, lower, upper);
  if (solved.status === "infeasible" || solved.indifferent === null || !(room > 0)) return [];
  const { price, under, indifferent } = solved;
  const splitClass = splitClassOf(problem, indifferent);
  // Where three slots meet at the price, the two that were picked may differ in cost alone and fill nothing up.
  if (!(splitClass.step > 0)) return [];
  const slack = doubleNear(problem.exactCapacity - exactMemoryOf(problem, under), problem.memoryDenominator);
  for (let round = ROUNDS; round >= 0; round--) {
    const limit = room / 2 ** round;
    const options = Array.from({ length: problem.groupCount }, (_, g) =>
      g === splitClass.group ? [] : optionsOf(problem, g, cost, price, under, lower, upper, limit),
    );
    const sides = halves(options);
    const first = listFillings(sides[0], options, limit);
    const second = listFillings(sides[1], options, limit);
    const pairs = meet(first, second, slack, price, splitClass.step, limit);
    const fillings = pairs
      .map(([a, b]) =>
        fillingOf(under, lower, upper, splitClass, slack, options, [
          [first, a],
          [second, b],
        ]),
      )
      .filter((filling) => filling !== null);
    if (fillings.length > 0) return fillings.map((filling) => pointOf(problem, box, filling));
    if (first.count === MAX_STATES || second.count === MAX_STATES) return [];
  }
  return [];
}

function splitClassOf(problem: ChoiceProblem, [giver, taker]: readonly [number, number]): SplitClass {
  let group = 0;
  while ((problem.starts[group + 1] as number) <= giver) group++;
  return { group, giver, taker, step: (problem.memory[taker] as number) - (problem.memory[giver] as number) };
}

/** The filling that two states stand for, with the filler taking up the memory they leave; `null` where it cannot. */
function fillingOf(
  under: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  splitClass: SplitClass,
  slack: number,
  options: readonly (readonly Option[])[],
  states: readonly (readonly [Half, number])[],
): Float64Array | null {
  const filling = Float64Array.from(under);
  let left = slack;
  for (const [half, state] of states) {
    left -= half.memory[state] as number;
    for (let at = state; at > 0; at = half.previous[at] as number) {
      const group = half.groups[(half.depth[at] as number) - 1] as number;
      const { from, to, units } = (options[group] as Option[])[half.option[at] as number] as Option;
      filling[from] = (filling[from] as number) - units;
      filling[to] = (filling[to] as number) + units;
    }
  }
  const units = Math.floor(left / splitClass.step);
  filling[splitClass.giver] = (filling[splitClass.giver] as number) - units;
  filling[splitClass.taker] = (filling[splitClass.taker] as number) + units;
  for (const slot of [splitClass.giver, splitClass.taker]) {
    const value = filling[slot] as number;
    if (value < (lower[slot] as number) || value > (upper[slot] as number)) return null;
  }
  return filling;
}

/** Ways to move units of a group from one slot to another at a reduced cost below `limit`, cheapest first. */
function optionsOf(
  problem: ChoiceProblem,
  g: number,
  cost: Float64Array,
  price: number,
  under: Float64Array,
  lower: Float64Array,
  upper: Float64Array,
  limit: number,
): Option[] {
  const start = problem.starts[g] as number;
  const end = problem.starts[g + 1] as number;
  const found: Option[] = [];
  for (let from = start; from < end; from++) {
    const available = (under[from] as number) - (lower[from] as number);
    for (let to = start; available > 0 && to < end; to++) {
      const room = (upper[to] as number) - (under[to] as number);
      if (to === from || room <= 0) continue;
      const memory = (problem.memory[to] as number) - (problem.memory[from] as number);
      const reducedCost = (cost[to] as number) - (cost[from] as number) + price * memory;
      const affordable = reducedCost > 0 ? limit / reducedCost : MAX_OPTIONS;
      const most = Math.min(available, room, affordable, MAX_OPTIONS);
      for (let units = 1; units <= most; units++) {
        found.push({ from, to, units, memory: units * memory, reducedCost: units * Math.max(0, reducedCost) });
      }
    }
  }
  return found.sort((a, b) => a.reducedCost - b.reducedCost).slice(0, MAX_OPTIONS);
}

/** Splits the groups that have options so that both halves have about as many combinations. */
function halves(options: readonly (readonly Option[])[]): [number[], number[]] {
  const order = options
    .map((list, g) => ({ g, weight: Math.log1p(list.length) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const sides: [number[], number[]] = [[], []];
  const weights = [0, 0];
  for (const { g, weight } of order) {
    const side = (weights[0] as number) <= (weights[1] as number) ? 0 : 1;
    sides[side].push(g);
    weights[side] = (weights[side] as number) + weight;
  }
  return sides;
}

/** All combinations of options of the given groups with reduced cost below `room`; state 0 changes nothing. */
function listFillings(groups: readonly number[], options: readonly (readonly Option[])[], room: number): Half {
  const memory = new Float64Array(MAX_STATES);
  const reduced = new Float64Array(MAX_STATES);
  const previous = new Int32Array(MAX_STATES);
  const option = new Int32Array(MAX_STATES);
  const depth = new Uint16Array(MAX_STATES);
  let count = 1;
  groups.forEach((g, position) => {
    const list = options[g] as readonly Option[];
    const before = count;
    for (let state = 0; state < before; state++) {
      const left = room - (reduced[state] as number);
      for (let o = 0; o < list.length && count < MAX_STATES; o++) {
        const added = list[o] as Option;
        if (added.reducedCost >= left) break;
        memory[count] = (memory[state] as number) + added.memory;
        reduced[count] = (reduced[state] as number) + added.reducedCost;
        previous[count] = state;
        option[count] = o;
        depth[count] = position + 1;
        count++;
      }
    }
  });
  return { groups, memory, reduced, previous, option, depth, count };
}

/**
 * The pairs of states, one of each half, that leave the least: reduced cost plus price · ((slack − memory) mod step),
 * below `limit`, best first. For a state of the first half the partners with the remainder it can still use sit before
 * a position in the second half's order, those that need one more step of the filler behind it.
 */
function meet(
  first: Half,
  second: Half,
  slack: number,
  price: number,
  step: number,
  limit: number,
): readonly (readonly [number, number])[] {
  const remainder = (memory: number) => memory - Math.floor(memory / step) * step;
  const residues = second.memory.subarray(0, second.count).map(remainder);
  const order = new Uint32Array(second.count).map((_, k) => k);
  order.sort((a, b) => (residues[a] as number) - (residues[b] as number));
  const sorted = Float64Array.from(order, (state) => residues[state] as number);
  const worth = Float64Array.from(
    order,
    (state) => (second.reduced[state] as number) - price * (residues[state] as number),
  );
  const bestBefore = new Uint32Array(order.length);
  const bestBehind = new Uint32Array(order.length);
  for (let k = 0; k < order.length; k++) {
    const last = k === 0 ? k : (bestBefore[k - 1] as number);
    bestBefore[k] = (worth[last] as number) <= (worth[k] as number) ? last : k;
  }
  for (let k = order.length - 1; k >= 0; k--) {
    const next = k === order.length - 1 ? k : (bestBehind[k + 1] as number);
    bestBehind[k] = (worth[next] as number) <= (worth[k] as number) ? next : k;
  }
  const found: { excess: number; pair: readonly [number, number] }[] = [];
  const consider = (state: number, k: number, excess: number) => {
    if (excess >= limit || (found.length === MAX_RESULTS && excess >= (found.at(-1)?.excess as number))) return;
    let at = found.length;
    while (at > 0 && (found[at - 1] as { excess: number }).excess > excess) at--;
    found.splice(at, 0, { excess, pair: [state, order[k] as number] });
    if (found.length > MAX_RESULTS) found.pop();
  };
  for (let state = 0; state < first.count; state++) {
    const left = remainder(slack - (first.memory[state] as number));
    const from = firstFrom(sorted.length, (k) => (sorted[k] as number) > left);
    const base = (first.reduced[state] as number) + price * left;
    if (from > 0) {
      const k = bestBefore[from - 1] as number;
      consider(state, k, base + (worth[k] as number));
    }
    if (from < sorted.length) {
      const k = bestBehind[from] as number;
      consider(state, k, base + price * step + (worth[k] as number));
    }
  }
  return found.map(({ pair }) => pair);
}
