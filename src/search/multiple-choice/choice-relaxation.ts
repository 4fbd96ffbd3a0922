import { Rational } from "../../exact/rational.js";
import type { Box, View } from "../../proof/kernel/view.js";
import type { Candidate, Relaxation, RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import { exactAnswer } from "../exact-simplex/exact-answer.js";
import { solveExactLinear } from "../exact-simplex/solve.js";
import { type ChoiceProblem, fits, ratio, slotBounds } from "./choice-problem.js";
import { fillAt, type PricedFilling, solveByPrice } from "./price-search.js";

type Solved = Extract<PricedFilling, { status: "optimal" }>;

/** State of a fixed charge in a box. */
type ChargeState = "open" | "paid" | "banned";

/**
 * The relaxation of a multiple-choice knapsack with one capacity, for branch and bound. The price of memory comes from
 * {@link solveByPrice}; with several objective sums their weights come from the dual of the larger-of-two, a concave
 * function of one variable, maximised by cutting planes. A fixed charge that is still open costs nothing here: it is
 * the first thing to branch on.
 */
export function choiceRelaxation(problem: ChoiceProblem): Relaxation {
  const { view, sums } = problem;
  return {
    solve: (box) => solve(problem, box),
    // The weights of several sums are doubles here; what they leave open by rounding is settled exactly.
    ...(sums.length > 1 ? { refine: (box, answer) => refineExactly(view, box, answer) } : {}),
    rounding: (cutoff) => 1e-13 * Math.abs(cutoff),
  };
}

function refineExactly(view: View, box: Box, answer: RelaxationAnswer): RelaxationAnswer | null {
  const exact = solveExactLinear(view, box, answer.kind === "solved" ? answer.point : null);
  return exact && exactAnswer(exact, (j) => view.integer[j]);
}

function solve(problem: ChoiceProblem, box: Box): RelaxationAnswer {
  const { lower, upper } = slotBounds(problem, box);
  const states = problem.charges.map(({ column, paid }): ChargeState => {
    if (column === -1) return paid ? "paid" : "banned";
    if ((box.lower[column] as Rational).sign() > 0) return "paid";
    return (box.upper[column] as Rational).sign() > 0 ? "open" : "banned";
  });
  const allowed = Float64Array.from(upper);
  problem.charges.forEach(({ due }, c) => {
    if (states[c] === "banned")
      due.forEach((isDue, k) => {
        if (isDue === 1) allowed[k] = 0;
      });
  });
  const weights = chooseWeights(problem, lower, allowed, states);
  if (weights === null) return { kind: "infeasible", multipliers: infeasibility(problem, lower, upper, states) };
  const { weight, fillings } = weights;
  const { cost, chosen, mixed } = fillings;
  const multipliers = new Map<number, Rational>();
  multipliers.set(problem.roles.memoryRow, exactPrice(problem, weight, chosen).negate());
  problem.roles.channels?.rows.forEach((row, s) => {
    const share = Rational.fromNumber(weight);
    multipliers.set(row, (s === 0 ? share : Rational.one.subtract(share)).negate());
  });
  problem.charges.forEach(({ row, due }, c) => {
    if (states[c] === "banned") multipliers.set(row, ban(problem, cost, chosen.price, lower, allowed, upper, due));
  });
  const hint = offStepColumn(problem, fillings, lower, allowed);
  return {
    ...(hint === null ? {} : { branch: hint }),
    kind: "solved",
    point: spread(problem, box, mixed, states, 0.5),
    multipliers,
    candidates: candidatesOf(problem, box, fillings.tried, states),
  };
}

/**
 * Where to branch when some groups move by other memory steps than the group that fills the capacity. Groups that share
 * its step need no branching: once only they are open, all memory left over comes in whole steps, the row is rounded to
 * them and the relaxation is whole. So the others are decided first, the one nearest to indifference before the rest.
 */
function offStepColumn(
  problem: ChoiceProblem,
  { cost, chosen }: Fillings,
  lower: Float64Array,
  upper: Float64Array,
): { column: number; at: number } | null {
  if (chosen.indifferent === null) return null;
  const [giver, taker] = chosen.indifferent;
  const step = (problem.exactMemory[taker] as bigint) - (problem.exactMemory[giver] as bigint);
  if (step === 0n) return null;
  let best: { column: number; at: number } | null = null;
  let least = Number.POSITIVE_INFINITY;
  let sharing = 0;
  for (let g = 0; g < problem.groupCount; g++) {
    const open: number[] = [];
    for (let k = problem.starts[g] as number; k < (problem.starts[g + 1] as number); k++) {
      if ((upper[k] as number) > (lower[k] as number)) open.push(k);
    }
    const first = open[0];
    if (first === undefined) continue;
    const memory = problem.exactMemory[first] as bigint;
    if (open.every((k) => ((problem.exactMemory[k] as bigint) - memory) % step === 0n)) {
      sharing++;
      continue;
    }
    // The cheapest move off the group's filling, as a branching that takes it away.
    for (const to of open) {
      const at = chosen.under[to] as number;
      if (at >= (upper[to] as number)) continue;
      for (const from of open) {
        if (from === to || (chosen.under[from] as number) <= (lower[from] as number)) continue;
        const change =
          (cost[to] as number) -
          (cost[from] as number) +
          chosen.price * ((problem.memory[to] as number) - (problem.memory[from] as number));
        if (change < least) {
          least = change;
          best = { column: problem.columns[to] as number, at };
        }
      }
    }
  }
  return sharing > 1 ? best : null;
}

/** What the chosen weights of the objective sums lead to. */
interface Fillings {
  readonly cost: Float64Array;
  readonly chosen: Solved;
  readonly mixed: Float64Array;
  readonly tried: readonly Solved[];
}

/**
 * The weight of the first objective sum (the second has the rest) at which the relaxation's bound is largest: 1 where
 * there is one sum. Each filling x gives the line weight·f₁(x) + (1 − weight)·f₂(x) above the dual; the lines of the
 * best fillings on both sides are intersected until they no longer move.
 */
function chooseWeights(
  problem: ChoiceProblem,
  lower: Float64Array,
  upper: Float64Array,
  states: readonly ChargeState[],
): { weight: number; fillings: Fillings } | null {
  const at = (weight: number) => {
    const cost = weightedCost(problem, weight);
    const solved = solveByPrice(problem, cost, lower, upper);
    if (solved.status === "infeasible") return null;
    return { weight, cost, solved, values: problem.sums.map((_, s) => sumValue(problem, s, solved.mixed, states)) };
  };
  type Trial = NonNullable<ReturnType<typeof at>>;
  const result = ({ weight, cost, solved }: Trial, mixed: Float64Array, tried: readonly Solved[]) => ({
    weight,
    fillings: { cost, chosen: solved, mixed, tried },
  });
  const slope = ({ values }: Trial) => (values[0] as number) - (values[1] as number);
  const first = at(1);
  if (first === null) return null;
  if (problem.sums.length === 1 || slope(first) >= 0) return result(first, first.solved.mixed, [first.solved]);
  const second = at(0) as Trial;
  if (slope(second) <= 0) return result(second, second.solved.mixed, [second.solved, first.solved]);
  // Between `high` (first sum too small: less weight on it is needed) and `low` (too large) the maximum lies.
  let high = first;
  let low = second;
  let best = second;
  let bestBound = Number.NEGATIVE_INFINITY;
  const tried = [first.solved, second.solved];
  for (let round = 0; round < 80; round++) {
    const weight = crossing(low.values, high.values);
    if (!(weight > low.weight && weight < high.weight)) break;
    const middle = at(weight) as Trial;
    tried.unshift(middle.solved);
    const [one, two] = middle.values as [number, number];
    const bound = weight * one + (1 - weight) * two;
    const ceiling = weight * (low.values[0] as number) + (1 - weight) * (low.values[1] as number);
    if (bound > bestBound) {
      bestBound = bound;
      best = middle;
    }
    if (bound >= ceiling - Math.abs(ceiling) * 1e-15) break;
    if (one >= two) low = middle;
    else high = middle;
  }
  const share = slope(high) === slope(low) ? 0 : -slope(low) / (slope(high) - slope(low));
  const mixed = low.solved.mixed.map((value, k) => value + share * ((high.solved.mixed[k] as number) - value));
  return result(best, mixed, tried.slice(0, 6));
}

/** Where weight·a₁ + (1 − weight)·a₂ = weight·b₁ + (1 − weight)·b₂. */
export function crossing(a: readonly number[], b: readonly number[]): number {
  const [a1, a2] = a as [number, number];
  const [b1, b2] = b as [number, number];
  return (b2 - a2) / (a1 - a2 - b1 + b2);
}

/** Cost of a unit in each slot, with the first objective sum weighted by `weight` and the second by the rest. */
export function weightedCost({ sums, slotCount }: ChoiceProblem, weight: number): Float64Array {
  const [first, second] = sums;
  if (second === undefined) return (first as ChoiceProblem["sums"][number]).cost;
  const cost = new Float64Array(slotCount);
  for (let k = 0; k < slotCount; k++) {
    cost[k] = weight * (first?.cost[k] as number) + (1 - weight) * (second.cost[k] as number);
  }
  return cost;
}

/** Value of an objective sum, with the charges that are paid for certain. */
function sumValue(problem: ChoiceProblem, s: number, filling: Float64Array, states: readonly ChargeState[]): number {
  const { cost, constant, chargeCost } = problem.sums[s] as ChoiceProblem["sums"][number];
  let value = constant;
  for (let k = 0; k < filling.length; k++) value += (cost[k] as number) * (filling[k] as number);
  states.forEach((state, c) => {
    if (state === "paid" && problem.charges[c]?.column !== -1) value += chargeCost[c] as number;
  });
  return value;
}

/** The price of memory as the exact ratio of the two slots that meet there, where the weights are exact too. */
function exactPrice(problem: ChoiceProblem, weight: number, { price, indifferent }: Solved): Rational {
  if (indifferent === null) return Rational.fromNumber(price);
  const [a, b] = indifferent;
  let difference = Rational.zero;
  problem.sums.forEach(({ form }, s) => {
    const share = problem.sums.length === 1 ? 1 : s === 0 ? weight : 1 - weight;
    const change =
      coefficientOf(form, problem.columns[a] as number) - coefficientOf(form, problem.columns[b] as number);
    difference = difference.add(Rational.of(change, form.denominator).multiply(Rational.fromNumber(share)));
  });
  const memory = Rational.of(
    (problem.exactMemory[b] as bigint) - (problem.exactMemory[a] as bigint),
    problem.memoryDenominator,
  );
  if (memory.sign() === 0) return Rational.fromNumber(price);
  const exact = difference.divide(memory);
  return exact.sign() > 0 ? exact : Rational.fromNumber(price);
}

function coefficientOf(form: { columns: readonly number[]; coefficients: readonly bigint[] }, column: number): bigint {
  let from = 0;
  let to = form.columns.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((form.columns[middle] as number) < column) from = middle + 1;
    else to = middle;
  }
  return form.columns[from] === column ? (form.coefficients[from] as bigint) : 0n;
}

/** A multiplier that makes every slot under a banned charge dearer than anything the optimum uses. */
function ban(
  { groupCount, starts, memory, view }: ChoiceProblem,
  cost: Float64Array,
  price: number,
  lower: Float64Array,
  allowed: Float64Array,
  upper: Float64Array,
  due: Uint8Array,
): Rational {
  let needed = 0;
  let everything = 0;
  for (let g = 0; g < groupCount; g++) {
    let largest = 0;
    let dearest = Number.NEGATIVE_INFINITY;
    let cheapestDue = Number.POSITIVE_INFINITY;
    for (let k = starts[g] as number; k < (starts[g + 1] as number); k++) {
      if (upper[k] === lower[k]) continue;
      const key = (cost[k] as number) + price * (memory[k] as number);
      largest = Math.max(largest, Math.abs(key) * (upper[k] as number));
      if (due[k] === 1) cheapestDue = Math.min(cheapestDue, key);
      else if ((allowed[k] as number) > (lower[k] as number)) dearest = Math.max(dearest, key);
    }
    everything += largest;
    if (dearest > cheapestDue) needed = Math.max(needed, dearest - cheapestDue);
  }
  // Beyond what closes the gap inside groups, enough that reduced-cost fixing clears the slots away.
  return Rational.fromNumber(
    2 * needed + everything + Math.abs(ratio(view.constant.numerator, view.constant.denominator)),
  ).negate();
}

/** Multipliers that show a box infeasible: one on the memory row, and on banned charges enough to outweigh memory. */
function infeasibility(
  problem: ChoiceProblem,
  lower: Float64Array,
  upper: Float64Array,
  states: readonly ChargeState[],
): ReadonlyMap<number, Rational> {
  const multipliers = new Map<number, Rational>();
  const banned = problem.charges.filter((_, c) => states[c] === "banned");
  const allowed = Float64Array.from(upper);
  for (const { due } of banned) {
    due.forEach((isDue, k) => {
      if (isDue === 1) allowed[k] = 0;
    });
  }
  const noCost = new Float64Array(problem.slotCount);
  const groupsFit = fillAt(problem, noCost, lower, allowed, 1) !== null;
  if (groupsFit) multipliers.set(problem.roles.memoryRow, Rational.of(-1n));
  let span = 0;
  for (const value of problem.memory) span = Math.max(span, Math.abs(value));
  for (const { row } of banned) multipliers.set(row, groupsFit ? Rational.fromNumber(-2 * span) : Rational.of(-1n));
  return multipliers;
}

/** A point of the view from a filling; an open charge is `open` where it is due. */
function spread(
  problem: ChoiceProblem,
  box: Box,
  filling: Float64Array,
  states: readonly ChargeState[],
  open: number,
): Float64Array {
  const point = Float64Array.from(box.lower, (value) => (value === null ? 0 : value.toNumber()));
  for (let k = 0; k < filling.length; k++) point[problem.columns[k] as number] = filling[k] as number;
  problem.charges.forEach(({ column, due }, c) => {
    if (column === -1) return;
    if (states[c] !== "open") point[column] = states[c] === "paid" ? 1 : 0;
    else point[column] = filling.some((value, k) => value > 0 && due[k] === 1) ? open : 0;
  });
  return point;
}

function candidatesOf(
  problem: ChoiceProblem,
  box: Box,
  tried: readonly Solved[],
  states: readonly ChargeState[],
): readonly Candidate[] {
  const fillings = new Set<Float64Array>();
  for (const { rounded, under, over } of tried) {
    fillings.add(rounded);
    fillings.add(under);
    if (over !== null && problem.sums.length > 1 && fits(problem, over)) fillings.add(over);
  }
  return [...fillings]
    .map((filling) => ({ point: spread(problem, box, filling, states, 1), objective: chargedValue(problem, filling) }))
    .sort((a, b) => a.objective - b.objective);
}

/** The objective of a whole-numbered filling with every charge that it makes due. */
function chargedValue(problem: ChoiceProblem, filling: Float64Array): number {
  const due = problem.charges.map(
    ({ column, due: isDue }) => column !== -1 && filling.some((value, k) => value > 0 && isDue[k] === 1),
  );
  const values = problem.sums.map(({ cost, constant, chargeCost }) => {
    let value = constant;
    for (let k = 0; k < filling.length; k++) value += (cost[k] as number) * (filling[k] as number);
    due.forEach((isDue, c) => {
      if (isDue) value += chargeCost[c] as number;
    });
    return value;
  });
  return Math.max(...values);
}
