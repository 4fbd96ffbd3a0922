import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Without } from "../../../../search/strategies.js";
import { UNITS } from "../../../../search/work.js";
import { floorOf, pooledChoice } from "./aggregated-relaxation.js";
import { anneal } from "./anneal.js";
import { annealByPairs } from "./anneal-pairs.js";
import { longestFirst, ORDERS, type Order } from "./construct.js";
import { descentOf } from "./descend.js";
import type { Best } from "./incumbent.js";
import type { Layout } from "./layout.js";
import { ruinAndRecreate } from "./recreate.js";
import { type Snapshot, State } from "./state.js";

/** Steps of one annealing: short ones, from many states, come to better plans than long ones. */
const STEPS = 30_000;
/** Units of work that there always are for a first plan. */
const MOMENT = 50;
/** A cycle is as many annealings as bring its plan on, and this many in vain. */
const IN_VAIN = 5;
/** Descents from the shuffled best plan of a cycle after each annealing. */
const DESCENTS = 8;
/** Shares of the pooled memory at which options are chosen for the first plans. */
const SHARES = [1, 0.95, 0.88, 0.8, 0.65];

/** First temperatures, drawn between: energies are relative to the average load. The last are a twentieth of the first. */
const WARM = { least: 0.01, most: 0.06 };
const HOT = { least: 0.06, most: 0.3 };
const LAST = 0.05;
/** Annealing by pairs, which every other cycle has, begins colder: what is dealt anew is near what can be held. */
const COLDER = 0.1;
const PAIR_STEPS = 3000;
/** How readily options are tried, in the even share of regret; the last leaves out hardly any. */
const SCALES = [0.25, 0.5, 1, 8];

/** Parts of local search that can be left out. */
export const LOCAL_SEARCH_STRATEGIES = [
  "chosen options",
  "odds of options",
  "annealing",
  "annealing by pairs",
  "exchanges of several",
  "reopened units",
  "ruins",
  "shuffles",
  "kicks",
  "fresh starts",
] as const;

/** Searches until the best says that it is over, or for so many rounds. */
export function search(
  layout: Layout,
  starts: readonly Snapshot[],
  { seed, maxRounds, without }: { readonly seed: number; readonly maxRounds: number; readonly without: Without },
  best: Best,
): void {
  const has = (part: (typeof LOCAL_SEARCH_STRATEGIES)[number]) => !without.has(part);
  const state = new State(layout);
  const descent = descentOf(state, without);
  const random = seededRandom(seed);
  // No largest cost is below it, up to rounding.
  const floor = floorOf(layout);
  const hasHosts = layout.gpusPerNode < layout.deviceCount;
  // Which of two cycles anneals by pairs: on several nodes options are first, on one what is packed; −1: none.
  const pairsAt = layout.deviceCount > 1 && has("annealing by pairs") ? Number(hasHosts) : -1;
  const severalOptions = layout.units.some(({ options }) => options.length > 1);
  // On one host what is packed is first, and exchanges do for that.
  const hasRuins = severalOptions && hasHosts && has("ruins");
  let roundsLeft = maxRounds;
  weigh(1);
  state.target = floor;
  for (const start of starts) {
    if (best.isOver()) return;
    state.restore(start);
    if (best.offer(state)) descent.run(best);
  }
  if (best.snapshot === null) construct();
  else state.restore(best.snapshot);
  for (let round = 0; roundsLeft > 0 && !best.isOver(); round++) {
    // The first goes on from the best or nearest; then every third from the best, the others from anew.
    const isNew = has("fresh starts") && round > 0 && (round % 3 > 0 || best.snapshot === null);
    if (isNew) startAnew();
    else if (best.snapshot !== null) state.restore(best.snapshot);
    cycle(isNew, (round + seed) % 2 === pairsAt);
  }

  /** Plans by longest processing time first, in several orders and choices of options. */
  function construct(): void {
    const isChosen = severalOptions && has("chosen options");
    const choices = isChosen ? [null, ...SHARES.map((share) => choice(share, null))] : [null];
    let nearest: Snapshot | null = null;
    let least = Number.POSITIVE_INFINITY;
    const each = layout.peak.length * layout.deviceCount * UNITS.placing;
    let units = 0;
    for (const options of choices) {
      for (const order of ORDERS) {
        units += each;
        // However late it is, there is a moment to find a first plan.
        if (best.isOver(each) && (best.snapshot !== null || units > MOMENT)) return;
        longestFirst(state, order, options);
        best.offer(state);
        if (state.isFeasible()) descent.run(best);
        if (state.measure() >= least) continue;
        least = state.energy;
        nearest = state.save();
      }
    }
    if (best.snapshot !== null) state.restore(best.snapshot);
    else if (nearest !== null) state.restore(nearest);
  }

  /** Options at a share of the pooled memory, none with a shard that a better plan than the best cannot have. */
  function choice(share: number, disturbed: Random | null): Int32Array {
    const limit = Math.min(best.largest, 1.2 * floor);
    return pooledChoice(state.layout, share, limit, disturbed).options;
  }

  /**
   * How likely options are tried. In a plan of largest cost z the regrets of the options (see `pooledChoice`) add up to at
   * most devices · (z − floor); those of a few times a unit's even share of that are tried freely, others ever less.
   */
  function oddsOfOptions(): Float64Array {
    const { largest } = best;
    if (!severalOptions || largest === Number.POSITIVE_INFINITY || !has("odds of options"))
      return new Float64Array(layout.peak.length).fill(1);
    const { regret } = pooledChoice(layout, 1, largest * (1 - 1e-12), null);
    const share = (layout.deviceCount * (largest - floor)) / layout.units.length;
    const scale = share * (SCALES[random.integer(SCALES.length)] as number);
    return regret.map((value) => Math.exp(-value / scale));
  }

  /** Longest first with options chosen at a random share of the memory and under disturbed costs. */
  function startAnew(): void {
    const options = severalOptions ? choice(0.9 + 0.1 * random.next(), random) : null;
    weigh(1);
    state.target = floor;
    longestFirst(state, ORDERS[random.integer(ORDERS.length)] as Order, options);
  }

  /** Annealing towards ever lower targets, from the present state, until several rounds in a row bring nothing. */
  function cycle(isNew: boolean, byPairs: boolean): void {
    const own = best.inside();
    own.offer(state);
    const odds = oddsOfOptions();
    let reach = 0.5;
    let heat = isNew ? HOT : WARM;
    for (let inVain = 0; inVain < IN_VAIN && roundsLeft > 0 && !own.isOver(); roundsLeft--) {
      const before = own.largest;
      if (own.snapshot === null) {
        // Without a plan, memory alone counts every other time.
        weigh(2 ** Math.min(inVain, 6));
        state.target = Math.max(floor, state.largest()) * 1.1;
        if (inVain % 2 === 1) state.costWeight = 0;
      } else {
        weigh(1);
        state.target = before - reach * (before - floor);
      }
      state.measure();
      const from = heat.least * (heat.most / heat.least) ** random.next();
      heat = WARM;
      if (byPairs) annealByPairs(state, { ...schedule(from * COLDER), steps: PAIR_STEPS, odds }, random, own);
      else if (has("annealing")) anneal(state, { ...schedule(from), steps: STEPS, odds }, random, own);
      if (state.isFeasible()) descent.run(own);
      if (hasRuins) {
        ruinAndRecreate(state, floor, random, own, () => descent.run(own));
      }
      polish(own);
      if (own.largest < before * (1 - 1e-9)) {
        inVain = 0;
        reach = Math.min(0.5, reach * 1.5);
      } else {
        inVain++;
        reach *= 0.5;
      }
    }
  }

  /** Descents from the best plan, shuffled below its largest cost or kicked above it, in turn. */
  function polish(own: Best): void {
    if (own.snapshot === null) return;
    const end = state.save();
    state.restore(own.snapshot);
    for (let k = 0; k < DESCENTS && !own.isOver(); k++) {
      if (!has(k % 2 === 0 ? "shuffles" : "kicks")) continue;
      if (k % 2 === 0) descent.shuffle(4 * state.layout.units.length, random);
      else descent.kick(20, random);
      const snapshot: Snapshot = own.snapshot;
      descent.run(own);
      if (k % 2 === 1 && own.snapshot === snapshot) state.restore(snapshot);
    }
    state.restore(end);
  }

  /** Energies relative to averages: a device over its memory by a share weighs `memory` times one over its load by that. */
  function weigh(memory: number): void {
    const each = (capacity: Float64Array): number =>
      memory / Math.max(1, capacity.reduce((sum, bytes) => sum + bytes, 0) / capacity.length);
    const { snapshot, largest } = best;
    state.costWeight = 1 / ((snapshot === null ? floor : largest) || 1);
    state.hbmWeight.fill(each(layout.hbmCapacity));
    for (const [m, { capacity }] of layout.further.entries()) state.furtherWeight[m] = each(capacity);
    state.apartWeight = 0.3 * memory;
  }
}

/** Temperatures of one annealing that begins at this one. */
function schedule(from: number): { readonly from: number; readonly to: number } {
  return { from, to: LAST * from };
}
