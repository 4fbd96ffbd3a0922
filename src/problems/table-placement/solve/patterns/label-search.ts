import type { Part } from "../../../../../models/table-placement/pattern-model.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import type { PricedPart } from "../core/pattern-lp.js";
import type { Budget, Weights } from "./dual-weights.js";
import { LabelLayer } from "./label-stage.js";

/** What one table offers a device, of which at most one is taken. */
export interface TableOffers {
  readonly table: number;
  readonly offers: readonly PricedPart<Part>[];
}

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
  /** The prices of cost and memory by which the search left most partial patterns, the most useful first. */
  readonly weights: readonly Weights[];
}

export interface PricingLimits {
  /** Partial patterns that are kept at each table. */
  readonly width: number;
  /** How many patterns to bring home. */
  readonly mostPatterns: number;
  /** Patterns that are worth no more than this are of no interest. */
  readonly above: number;
  /** Look for the best pattern alone, and leave what is better than the best so far by this at most. */
  readonly tolerance?: number;
  readonly shouldStop: ShouldStop;
  /** End with the first pattern of interest. */
  readonly isFirstEnough?: boolean;
  /**
   * Prices of cost and memory to leave partial patterns by, beside the best ones of the empty device. Default: found
   * anew.
   */
  readonly weights?: readonly Weights[];
}

/** Candidates between two questions whether to stop. */
const STOP_EVERY = 16_384;

/** The most weights that a search hands on, and the least share of what they left out. */
const MAX_WEIGHTS = 24;
const MIN_SHARE = 0.005;

/** Patterns that gain less than this part of what the best gains are not looked for. */
const MIN_PART = 0.6;

/** Groups of tables that must be apart are kept as bits. */
const MAX_GROUPS = 31;

/** Weights with what the tables from each on add at most beyond what they use. */
interface SuffixBound extends Weights {
  readonly left: Float64Array;
  /** Partial patterns left because of it. */
  pruned: number;
}

/** Where a pattern ends: see `LabelSearch`. */
interface Found {
  readonly depth: number;
  readonly label: number;
  readonly value: number;
  readonly last?: number;
}

/** What patterns are looked for in. */
export interface PricingTask {
  /** In the order in which they are gone through. */
  readonly tables: readonly TableOffers[];
  readonly apart: readonly (readonly number[])[];
  readonly budget: Budget;
  /** The best prices of the empty device, and the bound that they give. */
  readonly root: Weights;
  readonly bound: number;
  readonly weights: readonly Weights[];
}

/** Label setting: see `dualPatterns`. */
export class LabelSearch {
  readonly #task: PricingTask;
  readonly #limits: PricingLimits;
  readonly #bounds: SuffixBound[];
  /** Patterns of interest: the layer and label that they end with, and what is taken of the table after these, if anything. */
  readonly #found: Found[] = [];
  readonly #layers: LabelLayer[] = [];
  #best: number;
  #candidates = 0;
  #isStopped = false;

  /** `best`: what a pattern that is known is worth. */
  constructor(task: PricingTask, limits: PricingLimits, best = 0) {
    [this.#task, this.#limits, this.#best] = [task, limits, best];
    const { tables, root, weights } = task;
    this.#bounds = [root, ...weights].map((one) => ({ ...one, left: suffixBounds(tables, one), pruned: 0 }));
  }

  /** Asks whether to stop, and says what was done since. */
  #isOver(): boolean {
    const units = this.#candidates * UNITS.label;
    this.#candidates = 0;
    return this.#limits.shouldStop(units);
  }

  run(): Priced {
    const { width, mostPatterns } = this.#limits;
    let complete = this.#task.apart.length <= MAX_GROUPS;
    let layer = LabelLayer.empty(this.#task.budget);
    this.#layers.push(layer);
    for (let depth = 0; depth < this.#task.tables.length; depth++) {
      const candidates = this.#extend(layer, depth);
      if (this.#isStopped) complete = false;
      const kept = candidates.undominated();
      if (kept.count > width) complete = false;
      layer = kept.best(width);
      this.#layers.push(layer);
      this.#note(layer, depth + 1);
      if (this.#isStopped || (this.#limits.isFirstEnough === true && this.#found.length > 0)) {
        complete = false;
        break;
      }
    }
    this.#isOver();
    this.#found.sort((a, b) => b.value - a.value);
    const patterns = this.#found.slice(0, mostPatterns).map((one) => this.#pattern(one));
    const reached = Math.max(this.#best + (this.#limits.tolerance ?? 0), this.#limits.above);
    const most = complete ? Math.min(this.#task.bound, reached) : this.#task.bound;
    return { patterns, most, complete, weights: this.#useful() };
  }

  /** All ways to go on with a table, or without it, that may come to something of interest. */
  #extend(layer: LabelLayer, depth: number): LabelLayer {
    const { table, offers } = this.#task.tables[depth] as TableOffers;
    const groups = this.#task.apart.reduce((bits, group, g) => (group.includes(table) ? bits | (1 << g) : bits), 0);
    const next = new LabelLayer(2 * layer.count);
    for (let k = 0; k < layer.count; k++) {
      this.#candidates += offers.length + 1;
      if (this.#candidates > STOP_EVERY) {
        if (this.#isOver()) {
          this.#isStopped = true;
          return next;
        }
      }
      const cost = layer.cost(k);
      const hbm = layer.hbm(k);
      const host = layer.host(k);
      const value = layer.value(k);
      const met = layer.groups(k);
      this.#offer(next, depth, cost, hbm, host, value, k, -1, met);
      if ((met & groups) !== 0) continue;
      for (let o = 0; o < offers.length; o++) {
        const { part, value: more } = offers[o] as TableOffers["offers"][number];
        if (part.cost > cost || part.hbm > hbm || part.host > host) continue;
        const left = cost - part.cost;
        this.#offer(next, depth, left, hbm - part.hbm, host - part.host, value + more, k, o, met | groups);
      }
    }
    return next;
  }

  #offer(
    next: LabelLayer,
    depth: number,
    cost: number,
    hbm: number,
    host: number,
    value: number,
    parent: number,
    offer: number,
    groups: number,
  ): void {
    if (value > this.#best) {
      this.#best = value;
      // With a tolerance nothing else may follow that keeps its label.
      if (this.#limits.tolerance !== undefined && value > this.#limits.above) {
        this.#found.push({ depth, label: parent, value, last: offer });
      }
    }
    const threshold = this.#threshold();
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < this.#bounds.length; k++) {
      const one = this.#bounds[k] as SuffixBound;
      const bound =
        value +
        (one.left[depth + 1] as number) +
        one.cost * cost +
        one.hbm * hbm +
        (one.host === 0 ? 0 : one.host * host);
      if (bound <= threshold) {
        one.pruned++;
        return;
      }
      if (bound < least) least = bound;
    }
    next.push(cost, hbm, host, value, least, parent, offer, groups);
  }

  /** What a pattern must be worth more than to be of interest. */
  #threshold(): number {
    const { above, tolerance, isFirstEnough } = this.#limits;
    if (tolerance !== undefined) return Math.max(this.#best + tolerance, above);
    if (isFirstEnough === true || this.#best <= above) return above;
    return above + MIN_PART * (this.#best - above);
  }

  /** Notes the labels of a layer that are patterns of interest and new in it. */
  #note(layer: LabelLayer, depth: number): void {
    const { above, mostPatterns, tolerance } = this.#limits;
    if (tolerance !== undefined) return;
    for (let k = 0; k < layer.count; k++) {
      const value = layer.value(k);
      if (value > above && layer.offer(k) !== -1) this.#found.push({ depth, label: k, value });
    }
    if (this.#found.length < 8 * mostPatterns) return;
    this.#found.sort((a, b) => b.value - a.value);
    this.#found.length = mostPatterns;
  }

  #pattern({ depth, label, value, last = -1 }: Found): Pattern {
    const parts: Part[] = [];
    let at = label;
    if (last !== -1) parts.push(this.#task.tables[depth]?.offers[last]?.part as Part);
    for (let d = depth; d > 0; d--) {
      const layer = this.#layers[d] as LabelLayer;
      const offer = layer.offer(at);
      if (offer !== -1) parts.push(this.#task.tables[d - 1]?.offers[offer]?.part as Part);
      at = layer.parent(at);
    }
    return { parts: parts.reverse(), cost: parts.reduce((sum, { cost }) => sum + cost, 0), value };
  }

  #useful(): Weights[] {
    const total = this.#bounds.reduce((sum, { pruned }) => sum + pruned, 0);
    const kept = this.#bounds
      .slice(1)
      .filter(({ pruned }) => pruned > MIN_SHARE * total)
      .sort((a, b) => b.pruned - a.pruned)
      .slice(0, MAX_WEIGHTS)
      .map(({ cost, hbm, host }): Weights => ({ cost, hbm, host }));
    return [this.#task.root, ...kept];
  }
}

function suffixBounds(tables: readonly TableOffers[], { cost, hbm, host }: Weights): Float64Array {
  const left = new Float64Array(tables.length + 1);
  for (let t = tables.length - 1; t >= 0; t--) {
    let best = 0;
    for (const { part, value } of tables[t]?.offers ?? []) {
      const rest = value - cost * part.cost - hbm * part.hbm - host * part.host;
      if (rest > best) best = rest;
    }
    left[t] = (left[t + 1] as number) + best;
  }
  return left;
}
