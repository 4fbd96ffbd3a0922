import { doubleNear, Rational } from "../../../exact/rational.js";
import { columnOf, firstClasses, type Ladder } from "../../../program/ladder/ladder.js";
import type { Multipliers } from "../../../proof/kernel/bound.js";
import type { ViewRow } from "../../../proof/kernel/view.js";
import type { SearchSpace } from "../../../search/branch-and-bound/space.js";
import type { ChoiceRoles } from "../../../search/class-knapsack/roles.js";
import { type ChoiceProblem, choiceProblem, exactMemoryOf } from "../../../search/multiple-choice/choice-problem.js";
import { combinations, type Move, type Prices, type Room, type SlotChange } from "./combinations.js";

/** A multiple-choice knapsack with a second capacity, and what its resources cost at the relaxation's optimum. */
export interface TwoCapacities {
  readonly problem: ChoiceProblem;
  /** Use of the second capacity by a unit in each slot, as integers over `hostDenominator`. */
  readonly host: readonly bigint[];
  readonly hostCapacity: bigint;
  readonly hostDenominator: bigint;
  readonly prices: Prices;
  /** The chain of each group, and the tier of each slot. */
  readonly chainOf: Int32Array;
  readonly tierOf: Int32Array;
}

/**
 * Reads both capacities off a space, a part of a ladder whose fixed charges are decided, with the multipliers of the
 * part's rows.
 */
export function twoCapacities(
  ladder: Ladder,
  space: SearchSpace,
  roles: ChoiceRoles & { readonly hostRow: number },
  multipliers: Multipliers,
): TwoCapacities {
  const { view, program } = space;
  const problem = choiceProblem(space, roles);
  const slotOf = new Map([...problem.columns].map((column, slot) => [column, slot]));
  const host: bigint[] = new Array(problem.slotCount).fill(0n);
  const row = view.rows.get(roles.hostRow) as ViewRow | undefined;
  row?.form.columns.forEach((column, k) => {
    host[slotOf.get(column) as number] = row.form.coefficients[k] as bigint;
  });
  const priceOf = (index: number | undefined): number =>
    index === undefined ? 0 : 0 - (multipliers.get(index) ?? Rational.zero).toNumber();
  const hostDenominator = row?.form.denominator ?? 1n;
  const [first, second] = roles.channels?.rows ?? [];
  const firsts = firstClasses(ladder);
  const chainOf = new Int32Array(problem.groupCount);
  const tierOf = new Int32Array(problem.slotCount);
  for (let group = 0; group < problem.groupCount; group++) {
    for (let slot = problem.starts[group] as number; slot < (problem.starts[group + 1] as number); slot++) {
      const column = view.columns[problem.columns[slot] as number] as number;
      const place = columnOf(ladder, program.columns[column]?.name as string);
      if (place === null) continue;
      tierOf[slot] = place.tier;
      chainOf[group] = firsts.findLastIndex((start) => start <= place.unitClass);
    }
  }
  return {
    problem,
    host,
    hostCapacity: (row?.upper as Rational | undefined)?.multiply(Rational.of(hostDenominator)).floor() ?? 0n,
    hostDenominator,
    prices: {
      memory: priceOf(roles.memoryRow),
      host: priceOf(roles.hostRow),
      weights: roles.channels === null ? [1, 0] : [priceOf(first), priceOf(second)],
    },
    chainOf,
    tierOf,
  };
}

/** Whole units nearest to a fractional filling: each group's total stays what it is. */
export function rounded({ groupCount, starts, totals }: ChoiceProblem, filling: Float64Array): Float64Array {
  const whole = filling.map((value) => Math.floor(value + 1e-6));
  for (let g = 0; g < groupCount; g++) {
    const start = starts[g] as number;
    const slots = Array.from({ length: (starts[g + 1] as number) - start }, (_, k) => start + k);
    let left = (totals[g] as number) - slots.reduce((sum, k) => sum + (whole[k] as number), 0);
    slots.sort((a, b) => fraction(filling, whole, b) - fraction(filling, whole, a));
    for (const slot of slots) {
      if (left <= 0) break;
      whole[slot] = (whole[slot] as number) + 1;
      left--;
    }
    // Rounding of doubles: what is still missing goes to where most is.
    if (left !== 0) whole[slots[0] as number] = (whole[slots[0] as number] as number) + left;
  }
  return whole;
}

function fraction(filling: Float64Array, whole: Float64Array, slot: number): number {
  return (filling[slot] as number) - (whole[slot] as number);
}

/**
 * Looks for moves of the breaks that turn a filling near the relaxation's optimum into one that keeps both capacities
 * and leaves next to nothing of what they are worth, among the `mostMoves` cheapest of each kind. Returns fillings, the
 * most promising first.
 */
export function exchanged(
  capacities: TwoCapacities,
  filling: Float64Array,
  mostMoves: number,
): readonly Float64Array[] {
  const found = combinations(movesFrom(capacities, filling), roomOf(capacities, filling), capacities.prices, mostMoves);
  return found
    .map((taken) => {
      const changed = Float64Array.from(filling);
      for (const { units, changes } of taken) {
        let left = units;
        for (const { from, to, units: available } of changes) {
          const moved = Math.min(left, available);
          changed[from] = (changed[from] as number) - moved;
          changed[to] = (changed[to] as number) + moved;
          left -= moved;
          if (left === 0) break;
        }
      }
      return changed;
    })
    .filter((changed) => changed.every((value) => value >= 0));
}

/** What a filling leaves of both capacities (below zero: is over them), and how far its two sums are apart. */
function roomOf({ problem, host, hostCapacity, hostDenominator }: TwoCapacities, filling: Float64Array): Room {
  let used = 0n;
  for (let k = 0; k < filling.length; k++) {
    if (filling[k] !== 0) used += (host[k] as bigint) * BigInt(filling[k] as number);
  }
  const [first, second] = problem.sums.map(({ cost, constant }) => {
    let sum = constant;
    for (let k = 0; k < filling.length; k++) sum += (cost[k] as number) * (filling[k] as number);
    return sum;
  });
  return {
    memory: doubleNear(problem.exactCapacity - exactMemoryOf(problem, filling), problem.memoryDenominator),
    host: doubleNear(hostCapacity - used, hostDenominator),
    imbalance: second === undefined ? 0 : (first as number) - second,
  };
}

/** How far a break may move. */
const MAX_UNITS = 64;

/**
 * Moves of the breaks between tiers: on each chain, between each two tiers, the units whose change costs least, one
 * after the other, whatever classes they are on.
 */
function movesFrom(capacities: TwoCapacities, filling: Float64Array): Move[] {
  const { problem, chainOf, tierOf } = capacities;
  const { groupCount, starts } = problem;
  const shifts = new Map<string, SlotChange[]>();
  for (let group = 0; group < groupCount; group++) {
    for (let from = starts[group] as number; from < (starts[group + 1] as number); from++) {
      const units = Math.min(filling[from] as number, MAX_UNITS);
      for (let to = starts[group] as number; units > 0 && to < (starts[group + 1] as number); to++) {
        if (to === from) continue;
        const key = `${chainOf[group]} ${tierOf[from]} ${tierOf[to]}`;
        const changes = shifts.get(key);
        const change = slotChange(capacities, from, to, units);
        if (changes === undefined) shifts.set(key, [change]);
        else changes.push(change);
      }
    }
  }
  const moves: Move[] = [];
  for (const [key, changes] of shifts) {
    const [chain, ...tiers] = key.split(" ") as [string, string, string];
    changes.sort((a, b) => a.reduced - b.reduced);
    const sum = { reduced: 0, memory: 0, host: 0, imbalance: 0 };
    let units = 0;
    for (const { units: available, reduced, memory, host, imbalance } of changes) {
      for (let k = 0; k < available && units < MAX_UNITS; k++) {
        sum.reduced += reduced;
        sum.memory += memory;
        sum.host += host;
        sum.imbalance += imbalance;
        moves.push({ ...sum, units: ++units, place: `${chain} ${tiers.sort().join(" ")}`, changes });
      }
    }
  }
  return moves;
}

/** What a unit's move from one slot to another of its group changes. */
function slotChange(
  { problem: { memory, sums }, host, hostDenominator, prices }: TwoCapacities,
  from: number,
  to: number,
  units: number,
): SlotChange {
  const [first, second] = sums;
  const change = (list: Float64Array | undefined) =>
    list === undefined ? 0 : (list[to] as number) - (list[from] as number);
  const [one, two] = [change(first?.cost), change(second?.cost)];
  const each = {
    memory: change(memory),
    host: doubleNear((host[to] as bigint) - (host[from] as bigint), hostDenominator),
    imbalance: second === undefined ? 0 : one - two,
  };
  const [weightOne, weightTwo] = prices.weights;
  const reduced = weightOne * one + weightTwo * two + prices.memory * each.memory + prices.host * each.host;
  return { ...each, from, to, units, reduced };
}
