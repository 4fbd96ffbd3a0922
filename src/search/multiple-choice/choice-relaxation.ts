import { firstFrom } from "../../exact/first-from.js";
import { Rational } from "../../exact/rational.js";
import type { Box, View } from "../../proof/kernel/view.js";
import type { Candidate, Relaxation, RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import { exactAnswer } from "../exact-simplex/exact-answer.js";
import { solveExactLinear } from "../exact-simplex/solve.js";
import { bestWeight, shareOfHigh, type Weighted } from "../larger-of-two.js";
import { type ChoiceProblem, fits, pointOf, slotBounds } from "./choice-problem.js";
import { fillAt, type PricedFilling, solveByPrice } from "./price-search.js";

type Solved = Extract<PricedFilling, { status: "optimal" }>;

/**
 * The relaxation of a multiple-choice knapsack with one capacity, for branch and bound. The price of memory comes from
 * {@link solveByPrice}; with several objective sums their weights from {@link bestWeight}.
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
  const fillings = chooseWeights(problem, lower, upper);
  if (fillings === null) return { kind: "infeasible", multipliers: infeasibility(problem, lower, upper) };
  const { weight, solved, mixed } = fillings;
  const multipliers = new Map<number, Rational>();
  multipliers.set(problem.roles.memoryRow, exactPrice(problem, weight, solved).negate());
  problem.roles.channels?.rows.forEach((row, s) => {
    const share = Rational.fromNumber(weight);
    multipliers.set(row, (s === 0 ? share : Rational.one.subtract(share)).negate());
  });
  const hint = offStepColumn(problem, fillings, lower, upper);
  return {
    ...(hint === null ? {} : { branch: hint }),
    kind: "solved",
    point: pointOf(problem, box, mixed),
    multipliers,
    candidates: candidatesOf(problem, box, fillings.tried),
  };
}

/**
 * Where to branch when some groups move by other memory steps than the group that fills the capacity. Groups that share
 * its step need no branching: once only they are open, all memory left over comes in whole steps, the row is rounded to
 * them and the relaxation is whole. So the others are decided first, the one nearest to indifference before the rest.
 */
function offStepColumn(
  problem: ChoiceProblem,
  { cost, solved }: Trial,
  lower: Float64Array,
  upper: Float64Array,
): { column: number; at: number } | null {
  if (solved.indifferent === null) return null;
  const [giver, taker] = solved.indifferent;
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
      const at = solved.under[to] as number;
      if (at >= (upper[to] as number)) continue;
      for (const from of open) {
        if (from === to || (solved.under[from] as number) <= (lower[from] as number)) continue;
        const change =
          (cost[to] as number) -
          (cost[from] as number) +
          solved.price * ((problem.memory[to] as number) - (problem.memory[from] as number));
        if (change < least) {
          least = change;
          best = { column: problem.columns[to] as number, at };
        }
      }
    }
  }
  return sharing > 1 ? best : null;
}

/** The cheapest filling at a weight of the first objective sum. */
interface Trial extends Weighted {
  readonly cost: Float64Array;
  readonly solved: Solved;
}

/** What the chosen weight leads to. */
interface Fillings extends Trial {
  /** The relaxation's optimum. */
  readonly mixed: Float64Array;
  /** The last first, but for those at the ends. */
  readonly tried: readonly Solved[];
}

/** Fillings tried last that give candidates. */
const MAX_TRIED = 6;

/** The weight of the first objective sum at which the relaxation's bound is largest: 1 where there is one sum. */
function chooseWeights(problem: ChoiceProblem, lower: Float64Array, upper: Float64Array): Fillings | null {
  const tried: Solved[] = [];
  const at = (weight: number): Trial | null => {
    const cost = weightedCost(problem, weight);
    const solved = solveByPrice(problem, cost, lower, upper);
    if (solved.status === "infeasible") return null;
    tried.unshift(solved);
    return { weight, cost, solved, values: sumValues(problem, solved.mixed) };
  };
  const first = at(1);
  if (first === null) return null;
  if (problem.sums.length === 1) return { ...first, mixed: first.solved.mixed, tried };
  const bound = ({ weight, values }: Trial) => weight * (values[0] as number) + (1 - weight) * (values[1] as number);
  const { best, low, high } = bestWeight(first, at as (weight: number) => Trial, bound);
  const share = shareOfHigh(low, high);
  const mixed = low.solved.mixed.map((value, k) => value + share * ((high.solved.mixed[k] as number) - value));
  return { ...best, mixed, tried: tried.slice(0, MAX_TRIED) };
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

/** What the objective sums of a filling come to. */
function sumValues({ sums }: ChoiceProblem, filling: Float64Array): readonly number[] {
  return sums.map(({ cost, constant }) => {
    let value = constant;
    for (let k = 0; k < filling.length; k++) value += (cost[k] as number) * (filling[k] as number);
    return value;
  });
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
  const from = firstFrom(form.columns.length, (k) => (form.columns[k] as number) >= column);
  return form.columns[from] === column ? (form.coefficients[from] as bigint) : 0n;
}

/** Multipliers that show a box infeasible: one on the memory row, none where groups alone cannot be filled. */
function infeasibility(
  problem: ChoiceProblem,
  lower: Float64Array,
  upper: Float64Array,
): ReadonlyMap<number, Rational> {
  const groupsFit = fillAt(problem, new Float64Array(problem.slotCount), lower, upper, 1) !== null;
  return new Map(groupsFit ? [[problem.roles.memoryRow, Rational.of(-1n)]] : []);
}

function candidatesOf(problem: ChoiceProblem, box: Box, tried: readonly Solved[]): readonly Candidate[] {
  const fillings = new Set<Float64Array>();
  for (const { rounded, under, over } of tried) {
    fillings.add(rounded);
    fillings.add(under);
    if (over !== null && problem.sums.length > 1 && fits(problem, over)) fillings.add(over);
  }
  return [...fillings]
    .map((filling) => ({
      point: pointOf(problem, box, filling),
      objective: Math.max(...sumValues(problem, filling)),
    }))
    .sort((a, b) => a.objective - b.objective);
}
