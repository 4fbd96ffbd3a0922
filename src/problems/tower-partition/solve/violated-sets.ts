import { type ElementSet, timesIn } from "./dual-values.js";
import type { ClusterUse } from "./master.js";

/** A cut counts as violated by more than this: of three elements, and of other sets. */
const SUBSET_ROW_TOLERANCE = 1e-3;
const TOLERANCE = 0.02;

/** A set that is so far from being violated is not improved. */
const HOPELESS = -0.3;

/** Elements that a set has at most: what it divides, times three, less one; or, where that is more, so many. */
const MAX_MULTIPLES = 3;
const MAX_ELEMENTS = 25;

interface Found {
  readonly set: ElementSet;
  readonly excess: number;
}

/**
 * The 3-subset rows C that a fractional partition violates, Σ_S [|S ∩ C| ≥ 2]·x_S > 1, the most violated first, at most
 * `limit` of them. With m_ij the share of two elements together, the sum is m_ab + m_ac + m_bc less twice the share of
 * all three.
 */
export function violatedSubsetRows(
  elements: number,
  usage: readonly ClusterUse[],
  limit: number,
): readonly ElementSet[] {
  const { together, having } = sharesOf(elements, usage);
  const found: Found[] = [];
  for (let a = 0; a < elements; a++) {
    for (let b = a + 1; b < elements; b++) {
      const first = together[a * elements + b] as number;
      for (let c = b + 1; c < elements; c++) {
        const pairs = first + (together[a * elements + c] as number) + (together[b * elements + c] as number);
        if (pairs <= 1 + SUBSET_ROW_TOLERANCE) continue;
        const touched = new Set([...(having[a] as number[]), ...(having[b] as number[])]);
        const set = { elements: [a, b, c], divisor: 2 };
        let sum = 0;
        for (const u of touched) {
          const { cluster, times } = usage[u] as ClusterUse;
          sum += times * timesIn(set, cluster.elements);
        }
        if (sum > 1 + SUBSET_ROW_TOLERANCE) found.push({ set, excess: sum - 1 });
      }
    }
  }
  return mostViolated(found, limit);
}

/**
 * Sets C and divisors d with Σ_S ⌊|S ∩ C| / d⌋·x_S > ⌊|C| / d⌋ for a fractional partition x, the most violated first,
 * at most
 * `limit`. Sets grow from each element by those that are most together with what they have, or that raise the sum most;
 * the best are improved by exchanging elements. d goes from 2 up to the largest cluster's size.
 */
export function violatedSets(elements: number, usage: readonly ClusterUse[], limit: number): readonly ElementSet[] {
  const fractional = usage.filter(({ times }) => times < 1 - 1e-6);
  const largest = fractional.reduce((most, { cluster }) => Math.max(most, cluster.elements.length), 0);
  const growing = new GrowingSet(elements, fractional);
  const found = new Map<string, Found>();
  for (let divisor = 2; divisor <= largest; divisor++) {
    const most = Math.min(Math.max(MAX_MULTIPLES * divisor - 1, MAX_ELEMENTS), elements - 1);
    for (let first = 0; first < elements; first++) {
      if (!growing.isFractional(first)) continue;
      growing.begin(first);
      while (growing.size < most && growing.growBy(divisor)) {
        if (growing.size % divisor !== divisor - 1 || growing.size < divisor) continue;
        if (growing.excess(divisor) < HOPELESS) continue;
        growing.improve(divisor);
        const excess = growing.excess(divisor);
        if (excess <= TOLERANCE) continue;
        const set = { elements: growing.elements, divisor };
        found.set(`${divisor}:${set.elements.join()}`, { set, excess });
      }
    }
  }
  return mostViolated([...found.values()], limit);
}

function mostViolated(found: readonly Found[], limit: number): readonly ElementSet[] {
  return found
    .toSorted((a, b) => b.excess - a.excess)
    .slice(0, limit)
    .map(({ set }) => set);
}

/** By element, the clusters in use that have it; by two elements, the share of them together. */
function sharesOf(all: number, usage: readonly ClusterUse[]) {
  const having: number[][] = Array.from({ length: all }, () => []);
  const together = new Float64Array(all * all);
  usage.forEach(({ cluster, times }, u) => {
    for (const i of cluster.elements) {
      (having[i] as number[]).push(u);
      for (const j of cluster.elements) together[i * all + j] = (together[i * all + j] as number) + times;
    }
  });
  return { having, together };
}

/** A set that takes and exchanges elements, and how much of it each cluster in use has. */
class GrowingSet {
  readonly #usage: readonly ClusterUse[];
  readonly #having: readonly (readonly number[])[];
  readonly #together: Float64Array;
  readonly #all: number;
  readonly #inside: Uint8Array;
  readonly #counts: Int32Array;
  /** By element, Σ of its shares with the elements inside. */
  readonly #pull: Float64Array;
  #size = 0;

  constructor(all: number, usage: readonly ClusterUse[]) {
    this.#all = all;
    this.#usage = usage;
    const { having, together } = sharesOf(all, usage);
    [this.#having, this.#together] = [having, together];
    this.#inside = new Uint8Array(all);
    this.#counts = new Int32Array(usage.length);
    this.#pull = new Float64Array(all);
  }

  get size(): number {
    return this.#size;
  }

  /** Rising. */
  get elements(): readonly number[] {
    return [...this.#inside.keys()].filter((element) => this.#inside[element] === 1);
  }

  isFractional(element: number): boolean {
    return (this.#having[element] as readonly number[]).length > 0;
  }

  begin(first: number): void {
    this.#inside.fill(0);
    this.#counts.fill(0);
    this.#pull.fill(0);
    this.#size = 0;
    this.#put(first, 1);
  }

  /** Σ ⌊|S ∩ C| / d⌋·x_S − ⌊|C| / d⌋. */
  excess(divisor: number): number {
    let sum = -Math.floor(this.#size / divisor);
    for (let u = 0; u < this.#counts.length; u++) {
      sum += Math.floor((this.#counts[u] as number) / divisor) * (this.#usage[u] as ClusterUse).times;
    }
    return sum;
  }

  /**
   * Takes the element that raises the sum most, among equals the one most together with those inside; whether there is
   * one.
   */
  growBy(divisor: number): boolean {
    let best = -1;
    let [most, pull] = [-1, 0];
    for (let element = 0; element < this.#all; element++) {
      const own = this.#pull[element] as number;
      if (this.#inside[element] === 1 || own <= 1e-9) continue;
      const raised = this.#raisedBy(element, divisor);
      if (raised < most - 1e-9 || (raised < most + 1e-9 && own <= pull)) continue;
      best = element;
      [most, pull] = [raised, own];
    }
    if (best === -1) return false;
    this.#put(best, 1);
    return true;
  }

  /** Exchanges an element inside for one outside as long as that raises the sum. */
  improve(divisor: number): void {
    for (let rounds = 0; rounds < this.#size; rounds++) {
      let best: readonly [number, number] | null = null;
      let most = 1e-6;
      for (const out of this.elements) {
        this.#count(out, -1);
        const lost = this.#raisedBy(out, divisor);
        for (let element = 0; element < this.#all; element++) {
          if (this.#inside[element] === 1 || (this.#pull[element] as number) <= 1e-9) continue;
          const gain = this.#raisedBy(element, divisor) - lost;
          if (gain <= most) continue;
          most = gain;
          best = [out, element];
        }
        this.#count(out, 1);
      }
      if (best === null) return;
      this.#put(best[0], -1);
      this.#put(best[1], 1);
    }
  }

  /** What an element adds to Σ ⌊|S ∩ C| / d⌋·x_S. */
  #raisedBy(element: number, divisor: number): number {
    let sum = 0;
    for (const u of this.#having[element] as readonly number[]) {
      if ((this.#counts[u] as number) % divisor === divisor - 1) sum += (this.#usage[u] as ClusterUse).times;
    }
    return sum;
  }

  #put(element: number, by: 1 | -1): void {
    this.#inside[element] = by === 1 ? 1 : 0;
    this.#size += by;
    this.#count(element, by);
    const row = element * this.#all;
    for (let other = 0; other < this.#all; other++) {
      this.#pull[other] = (this.#pull[other] as number) + by * (this.#together[row + other] as number);
    }
  }

  #count(element: number, by: 1 | -1): void {
    for (const u of this.#having[element] as readonly number[]) this.#counts[u] = (this.#counts[u] as number) + by;
  }
}
