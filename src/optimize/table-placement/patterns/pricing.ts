import type { DeviceClass, Part } from "./model.js";
import { budgetFor, flatten, type Offer, offersAt, type TableOffers } from "./offers.js";
import { type Budget, bestWeights, COARSE, lagrangianValue, type Weights } from "./price-weights.js";

/** What one device holds. */
export interface Pattern {
  /** Parts of different tables. */
  readonly parts: readonly Part[];
  readonly cost: number;
  readonly value: number;
}

/** The best patterns of a class of devices at given prices. */
export interface Priced {
  /** Best first. */
  readonly patterns: readonly Pattern[];
  /** No pattern is worth more: the best pattern's value and the tolerance, or `above`, if the search was complete. */
  readonly most: number;
  readonly complete: boolean;
  /** The prices of cost and memory by which the search left most branches, the most useful first. */
  readonly weights: readonly Weights[];
  readonly visits: number;
}

export interface PricingLimits {
  readonly mostVisits: number;
  /** How many patterns to bring home. */
  readonly mostPatterns: number;
  /** Patterns that are worth no more than this are of no interest. */
  readonly above: number;
  /** Look for the best pattern alone, and leave every branch that is better than the best so far by this at most. */
  readonly tolerance: number;
  readonly shouldStop: () => boolean;
  /** End with the first pattern of interest. */
  readonly isFirstEnough?: boolean;
}

/** Below this many visits the weights of partly full devices are not worth their time. */
const FEW_VISITS = 5000;

/** How full devices are for which further weights are found, and at how many depths of the search. */
const ROOMS = [0.1, 0.3, 0.6, 1];
const DEPTHS = 8;

/** Visits between two questions whether to stop. */
const STOP_EVERY = 16_384;

/** The most weights that a search hands on. */
const MOST_WEIGHTS = 24;

/** Rounding that a double sum of costs or bytes may have gathered; patterns over the limit by less are let through. */
const SLACK = 1e-12;

/**
 * The pattern of greatest value: a knapsack with up to three limits and one choice per table. Depth first, the tables
 * whose choice matters most first; a branch is left when the Lagrangian bound of the weights, less what the choices so far
 * fall short of it, is no better than what is known.
 */
export function pricePatterns(
  { parts, hbm, host }: Pick<DeviceClass, "parts" | "hbm" | "host">,
  apart: readonly (readonly number[])[],
  prices: Float64Array,
  costLimit: number,
  limits: PricingLimits,
): Priced {
  const budget = budgetFor(parts, { cost: costLimit * (1 + SLACK), hbm, host });
  const choices = offersAt(parts, prices, budget);
  const flat = flatten(choices);
  const weights = bestWeights(flat, budget);
  const bound = lagrangianValue(flat, budget, weights);
  return new Search(choices, apart, budget, weights, bound, limits).run();
}

/** An option with what it falls short of the choice's best; the empty option has no part. */
interface Ranked {
  readonly part: Part | null;
  readonly value: number;
  readonly penalty: number;
}

class Search {
  readonly #choices: readonly RankedChoice[];
  /** For each table the sets of tables that it must be apart from. */
  readonly #sets: readonly (readonly number[])[];
  readonly #setUsed: Uint8Array;
  readonly #budget: Budget;
  readonly #weights: Weights;
  readonly #bound: number;
  readonly #limits: PricingLimits;
  /** Value that the choices from here on can add at most. */
  readonly #valueLeft: Float64Array;
  /** At each depth, weights for devices that are partly full: deep down the first are no good any more. */
  readonly #further: readonly (readonly SuffixWeights[])[];
  readonly #chosen: (Part | null)[] = [];
  readonly #found: Pattern[] = [];
  #best = 0;
  #visits = 0;

  constructor(
    choices: readonly TableOffers[],
    apart: readonly (readonly number[])[],
    budget: Budget,
    weights: Weights,
    bound: number,
    limits: PricingLimits,
  ) {
    this.#budget = budget;
    this.#weights = weights;
    this.#bound = bound;
    this.#limits = limits;
    const ranked = choices.map(({ table, offers }) => ({ table, ranked: this.#rank(offers) }));
    // What fills most of a device is decided first: of what is left the Lagrangian bound is good.
    ranked.sort((a, b) => fillOf(b.ranked, budget) - fillOf(a.ranked, budget) || a.table - b.table);
    this.#further = limits.mostVisits <= FEW_VISITS ? ranked.map(() => []) : furtherWeights(ranked, budget);
    this.#choices = ranked;
    this.#sets = ranked.map(({ table }) => apart.flatMap((group, set) => (group.includes(table) ? [set] : [])));
    this.#setUsed = new Uint8Array(apart.length);
    this.#valueLeft = new Float64Array(ranked.length + 1);
    for (let c = ranked.length - 1; c >= 0; c--) {
      const top = Math.max(...(ranked[c]?.ranked ?? []).map(({ value }) => value));
      this.#valueLeft[c] = (this.#valueLeft[c + 1] as number) + top;
    }
  }

  run(): Priced {
    const complete = this.#visit(0, this.#bound, 0, this.#budget.cost, this.#budget.hbm, this.#budget.host);
    const patterns = this.#found.toSorted((a, b) => b.value - a.value).slice(0, this.#limits.mostPatterns);
    return {
      patterns,
      most: complete ? Math.min(this.#bound, this.#threshold()) : this.#bound,
      complete,
      weights: this.#useful(),
      visits: this.#visits,
    };
  }

  #useful(): Weights[] {
    const all = [...new Set(this.#further.flat())].filter(({ pruned }) => pruned > 0);
    const total = all.reduce((sum, { pruned }) => sum + pruned, 0);
    const kept = all
      .toSorted((a, b) => b.pruned - a.pruned)
      .filter(({ pruned }, k) => k < MOST_WEIGHTS && pruned * 200 > total)
      .map(({ cost, hbm, host }): Weights => ({ cost, hbm, host }));
    return [this.#weights, ...kept];
  }

  #rank(offers: readonly Offer[]): Ranked[] {
    const { cost, hbm, host } = this.#weights;
    const left = offers.map(({ part, value }) => ({
      part: part as Part | null,
      value,
      left: value - cost * part.cost - hbm * part.hbm - host * part.host,
    }));
    left.push({ part: null, value: 0, left: 0 });
    const best = Math.max(...left.map((option) => option.left));
    return left
      .map((option) => ({ part: option.part, value: option.value, penalty: best - option.left }))
      .sort((a, b) => a.penalty - b.penalty || b.value - a.value);
  }

  /** `false` when the limit on visits was reached. */
  #visit(depth: number, bound: number, value: number, cost: number, hbm: number, host: number): boolean {
    const choice = this.#choices[depth];
    if (choice === undefined) {
      if (value > this.#best) this.#best = value;
      this.#keep(value);
      return this.#limits.isFirstEnough !== true || this.#found.length === 0;
    }
    const threshold = this.#threshold();
    for (const one of this.#further[depth] as readonly SuffixWeights[]) {
      const { cost: a, hbm: b, host: c, left } = one;
      if (value + a * cost + b * hbm + (c === 0 ? 0 : c * host) + (left[depth] as number) > threshold) continue;
      one.pruned++;
      return true;
    }
    const { ranked } = choice;
    for (let k = 0; k < ranked.length; k++) {
      const option = ranked[k] as Ranked;
      const rest = bound - option.penalty;
      if (rest <= this.#threshold()) break;
      if (++this.#visits > this.#limits.mostVisits) return false;
      if (this.#visits % STOP_EVERY === 0 && this.#limits.shouldStop()) return false;
      const { part } = option;
      if (part === null) {
        if (value + (this.#valueLeft[depth + 1] as number) <= this.#threshold()) continue;
        this.#chosen[depth] = null;
        if (!this.#visit(depth + 1, rest, value, cost, hbm, host)) return false;
        continue;
      }
      if (part.cost > cost || part.hbm > hbm || part.host > host) continue;
      const next = value + option.value;
      if (next + (this.#valueLeft[depth + 1] as number) <= this.#threshold()) continue;
      if (!this.#enter(depth)) continue;
      this.#chosen[depth] = part;
      const goOn = this.#visit(depth + 1, rest, next, cost - part.cost, hbm - part.hbm, host - part.host);
      this.#leave(depth);
      if (!goOn) return false;
    }
    return true;
  }

  /** Marks the table's `apart` sets; `false` where one is taken. */
  #enter(depth: number): boolean {
    const sets = this.#sets[depth] as readonly number[];
    if (sets.some((set) => this.#setUsed[set] === 1)) return false;
    for (const set of sets) this.#setUsed[set] = 1;
    return true;
  }

  #leave(depth: number): void {
    for (const set of this.#sets[depth] as readonly number[]) this.#setUsed[set] = 0;
  }

  /** What a pattern must be worth more than to be of interest. */
  #threshold(): number {
    const { tolerance, above } = this.#limits;
    return Math.max(this.#best + tolerance, above);
  }

  #keep(value: number): void {
    const { mostPatterns, above } = this.#limits;
    if (value <= above) return;
    const parts = this.#chosen.slice(0, this.#choices.length).filter((part) => part !== null);
    this.#found.push({ parts, cost: parts.reduce((sum, part) => sum + part.cost, 0), value });
    if (this.#found.length < 8 * mostPatterns) return;
    this.#found.sort((a, b) => b.value - a.value);
    this.#found.length = mostPatterns;
  }
}

interface RankedChoice {
  readonly table: number;
  readonly ranked: readonly Ranked[];
}

/** Weights with the Lagrangian value of the choices from each depth on. */
interface SuffixWeights extends Weights {
  readonly left: Float64Array;
  /** Branches left because of it. */
  pruned: number;
}

function furtherWeights(ranked: readonly RankedChoice[], budget: Budget): SuffixWeights[][] {
  const step = Math.ceil(ranked.length / DEPTHS);
  const perDepth: SuffixWeights[][] = [];
  for (let depth = 0; depth < ranked.length; depth++) {
    if (depth % step !== 0) {
      perDepth.push(perDepth[depth - 1] as SuffixWeights[]);
      continue;
    }
    const suffix = flatten(
      ranked.slice(depth).map(({ table, ranked: list }) => ({
        table,
        offers: list.flatMap(({ part, value }) => (part === null ? [] : [{ part, value }])),
      })),
    );
    perDepth.push(
      ROOMS.flatMap((ofCost) =>
        ROOMS.map((ofMemory): SuffixWeights => {
          const room = { cost: ofCost * budget.cost, hbm: ofMemory * budget.hbm, host: ofMemory * budget.host };
          const weights = bestWeights(suffix, room, COARSE);
          return { ...weights, left: suffixValues(ranked, weights), pruned: 0 };
        }),
      ),
    );
  }
  return perDepth;
}

function suffixValues(ranked: readonly RankedChoice[], weights: Weights): Float64Array {
  const left = new Float64Array(ranked.length + 1);
  for (let c = ranked.length - 1; c >= 0; c--) {
    let best = 0;
    for (const { part, value } of ranked[c]?.ranked ?? []) {
      if (part === null) continue;
      const rest = value - weights.cost * part.cost - weights.hbm * part.hbm - weights.host * part.host;
      if (rest > best) best = rest;
    }
    left[c] = (left[c + 1] as number) + best;
  }
  return left;
}

/** The greatest share of a device that a part of the choice fills. */
function fillOf(ranked: readonly Ranked[], budget: Budget): number {
  return Math.max(
    ...ranked.map(({ part }) => (part === null ? 0 : Math.max(part.cost / budget.cost, part.hbm / budget.hbm))),
  );
}
