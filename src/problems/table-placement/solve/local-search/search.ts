import { type Random, seededRandom } from "../../../../exact/random.js";
import type { Without } from "../../../../search/strategies.js";
import { UNITS } from "../../../../search/work.js";
import { floorOf, pooledChoice } from "./aggregated-relaxation.js";
import { anneal } from "./anneal.js";
import { annealByPairs } from "./anneal-pairs.js";
import { longestFirst, ORDERS, type Order } from "./construct.js";
import { Descent } from "./descend.js";
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
export class Search {
  readonly #state: State;
  readonly #descent: Descent;
  readonly #random: Random;
  readonly #best: Best;
  /** No largest cost is below it, up to rounding. */
  readonly #floor: number;
  readonly #severalOptions: boolean;
  /** On one host what is packed is first, and exchanges do for that. */
  readonly #hasRuins: boolean;
  readonly #seed: number;
  /** Which of two cycles anneals by pairs: on several nodes options are first, on one what is packed; −1: none. */
  readonly #pairsAt: number;
  readonly #has: (part: (typeof LOCAL_SEARCH_STRATEGIES)[number]) => boolean;
  #roundsLeft: number;

  constructor(
    layout: Layout,
    { seed, maxRounds, without }: { readonly seed: number; readonly maxRounds: number; readonly without: Without },
    best: Best,
  ) {
    this.#has = (part) => !without.has(part);
    this.#state = new State(layout);
    this.#descent = new Descent(this.#state, without);
    this.#random = seededRandom(seed);
    this.#best = best;
    this.#floor = floorOf(layout);
    this.#seed = seed;
    const hasPairs = layout.deviceCount > 1 && this.#has("annealing by pairs");
    this.#pairsAt = hasPairs ? Number(layout.gpusPerNode < layout.deviceCount) : -1;
    this.#severalOptions = layout.units.some(({ options }) => options.length > 1);
    this.#hasRuins = this.#severalOptions && layout.gpusPerNode < layout.deviceCount && this.#has("ruins");
    this.#roundsLeft = maxRounds;
  }

  run(starts: readonly Snapshot[]): void {
    const state = this.#state;
    const best = this.#best;
    this.#weigh(1);
    state.target = this.#floor;
    for (const start of starts) {
      if (best.isOver()) return;
      state.restore(start);
      if (best.offer(state)) this.#descent.run(best);
    }
    if (best.snapshot === null) this.#construct();
    else state.restore(best.snapshot);
    for (let cycle = 0; this.#roundsLeft > 0 && !best.isOver(); cycle++) {
      // The first goes on from the best or nearest; then every third from the best, the others from anew.
      const isNew = this.#has("fresh starts") && cycle > 0 && (cycle % 3 > 0 || best.snapshot === null);
      if (isNew) this.#startAnew();
      else if (best.snapshot !== null) state.restore(best.snapshot);
      this.#cycle(isNew, (cycle + this.#seed) % 2 === this.#pairsAt);
    }
  }

  /** Plans by longest processing time first, in several orders and choices of options. */
  #construct(): void {
    const state = this.#state;
    const { layout } = state;
    const best = this.#best;
    const isChosen = this.#severalOptions && this.#has("chosen options");
    const choices = isChosen ? [null, ...SHARES.map((share) => this.#choice(share, null))] : [null];
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
        if (state.isFeasible()) this.#descent.run(best);
        if (state.measure() >= least) continue;
        least = state.energy;
        nearest = state.save();
      }
    }
    if (best.snapshot !== null) state.restore(best.snapshot);
    else if (nearest !== null) state.restore(nearest);
  }

  /** Options at a share of the pooled memory, none with a shard that a better plan than the best cannot have. */
  #choice(share: number, random: Random | null): Int32Array {
    const limit = Math.min(this.#best.largest, 1.2 * this.#floor);
    return pooledChoice(this.#state.layout, share, limit, random).options;
  }

  /**
   * How likely options are tried. In a plan of largest cost z the regrets of the options (see `pooledChoice`) add up to at
   * most devices · (z − floor); those of a few times a unit's even share of that are tried freely, others ever less.
   */
  #odds(): Float64Array {
    const { layout } = this.#state;
    const { largest } = this.#best;
    if (!this.#severalOptions || largest === Number.POSITIVE_INFINITY || !this.#has("odds of options"))
      return new Float64Array(layout.peak.length).fill(1);
    const { regret } = pooledChoice(layout, 1, largest * (1 - 1e-12), null);
    const share = (layout.deviceCount * (largest - this.#floor)) / layout.units.length;
    const scale = share * (SCALES[this.#random.integer(SCALES.length)] as number);
    return regret.map((value) => Math.exp(-value / scale));
  }

  /** Longest first with options chosen at a random share of the memory and under disturbed costs. */
  #startAnew(): void {
    const state = this.#state;
    const random = this.#random;
    const options = this.#severalOptions ? this.#choice(0.9 + 0.1 * random.next(), random) : null;
    this.#weigh(1);
    state.target = this.#floor;
    longestFirst(state, ORDERS[random.integer(ORDERS.length)] as Order, options);
  }

  /** Annealing towards ever lower targets, from the present state, until several rounds in a row bring nothing. */
  #cycle(isNew: boolean, byPairs: boolean): void {
    const state = this.#state;
    const own = this.#best.inside();
    own.offer(state);
    const odds = this.#odds();
    let reach = 0.5;
    let heat = isNew ? HOT : WARM;
    for (let inVain = 0; inVain < IN_VAIN && this.#roundsLeft > 0 && !own.isOver(); this.#roundsLeft--) {
      const before = own.largest;
      if (own.snapshot === null) {
        // Without a plan, memory alone counts every other time.
        this.#weigh(2 ** Math.min(inVain, 6));
        state.target = Math.max(this.#floor, state.largest()) * 1.1;
        if (inVain % 2 === 1) state.costWeight = 0;
      } else {
        this.#weigh(1);
        state.target = before - reach * (before - this.#floor);
      }
      state.measure();
      const from = heat.least * (heat.most / heat.least) ** this.#random.next();
      heat = WARM;
      if (byPairs) annealByPairs(state, { ...schedule(from * COLDER), steps: PAIR_STEPS, odds }, this.#random, own);
      else if (this.#has("annealing")) anneal(state, { ...schedule(from), steps: STEPS, odds }, this.#random, own);
      if (state.isFeasible()) this.#descent.run(own);
      if (this.#hasRuins) {
        ruinAndRecreate(state, this.#floor, this.#random, own, () => this.#descent.run(own));
      }
      this.#polish(own);
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
  #polish(best: Best): void {
    const state = this.#state;
    if (best.snapshot === null) return;
    const end = state.save();
    state.restore(best.snapshot);
    for (let k = 0; k < DESCENTS && !best.isOver(); k++) {
      if (!this.#has(k % 2 === 0 ? "shuffles" : "kicks")) continue;
      if (k % 2 === 0) this.#descent.shuffle(4 * state.layout.units.length, this.#random);
      else this.#descent.kick(20, this.#random);
      const snapshot: Snapshot = best.snapshot;
      this.#descent.run(best);
      if (k % 2 === 1 && best.snapshot === snapshot) state.restore(snapshot);
    }
    state.restore(end);
  }

  /** Energies relative to averages: a device over its memory by a share weighs `memory` times one over its load by that. */
  #weigh(memory: number): void {
    const state = this.#state;
    const { layout } = state;
    const each = (capacity: Float64Array): number =>
      memory / Math.max(1, capacity.reduce((sum, bytes) => sum + bytes, 0) / capacity.length);
    const { snapshot, largest } = this.#best;
    state.costWeight = 1 / ((snapshot === null ? this.#floor : largest) || 1);
    state.hbmWeight.fill(each(layout.hbmCapacity));
    for (const [m, { capacity }] of layout.further.entries()) state.furtherWeight[m] = each(capacity);
    state.apartWeight = 0.3 * memory;
  }
}

/** Temperatures of one annealing that begins at this one. */
function schedule(from: number): { readonly from: number; readonly to: number } {
  return { from, to: LAST * from };
}
