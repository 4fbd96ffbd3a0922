import type { PricedSet } from "./priced-units.js";

/**
 * What a cluster pays for the elements that it shares with sets, as it grows and shrinks unit by unit (see
 * `clustersBelow`). Where one element more makes it pay, any m ≤ |C| − d + 1 more make it pay 1 + ⌊(m − 1) / d⌋ times, so
 * that each of them counts for at least the dual value over min(d, |C| − d + 1).
 */
export class SharedSets {
  /** By unit: twice what it counts for at least when it joins. */
  readonly open: Float64Array;
  readonly #sets: readonly PricedSet[];
  /** Of each set: twice what an element counts for where the next one pays. */
  readonly #shares: Float64Array;
  /** By unit: the sets that it has elements of, each followed by how many. */
  readonly #having: readonly (readonly number[])[];
  /** By set: its elements in the cluster, without those that were paid for. */
  readonly #counts: Int32Array;

  constructor(units: number, sets: readonly PricedSet[]) {
    this.open = new Float64Array(units);
    this.#sets = sets;
    this.#counts = new Int32Array(sets.length);
    const having: number[][] = Array.from({ length: units }, () => []);
    this.#shares = Float64Array.from(sets, ({ units: own, counts, divisor, dual }, s) => {
      let elements = 0;
      own.forEach((unit, k) => {
        having[unit]?.push(s, counts[k] as number);
        elements += counts[k] as number;
      });
      return Math.floor((2 * dual) / Math.min(divisor, elements - divisor + 1));
    });
    this.#having = having;
  }

  /** What the cluster pays more when a unit joins it. */
  paidFor(unit: number): number {
    const having = this.#having[unit] as readonly number[];
    let paid = 0;
    for (let at = 0; at < having.length; at += 2) {
      const s = having[at] as number;
      const { divisor, dual } = this.#sets[s] as PricedSet;
      if ((this.#counts[s] as number) + (having[at + 1] as number) >= divisor) paid += dual;
    }
    return paid;
  }

  /** What the cluster of the units at units[from … to − 1] pays, where none is chosen. */
  paidBy(units: ArrayLike<number>, from: number, to: number): number {
    if (this.#sets.length === 0) return 0;
    let paid = 0;
    for (let k = from; k < to; k++) {
      const having = this.#having[units[k] as number] as readonly number[];
      for (let at = 0; at < having.length; at += 2) {
        const s = having[at] as number;
        const { divisor, dual } = this.#sets[s] as PricedSet;
        const count = (this.#counts[s] as number) + (having[at + 1] as number);
        if (count >= divisor) paid += dual;
        this.#counts[s] = count >= divisor ? count - divisor : count;
      }
    }
    this.#counts.fill(0);
    return paid;
  }

  /** A unit joins the cluster (step 1), or leaves it again (−1). */
  move(unit: number, step: 1 | -1): void {
    const having = this.#having[unit] as readonly number[];
    for (let at = 0; at < having.length; at += 2) {
      const s = having[at] as number;
      const { units, divisor } = this.#sets[s] as PricedSet;
      const before = this.#counts[s] as number;
      // A unit has fewer of the set than are paid for at once.
      const count = (before + step * (having[at + 1] as number) + divisor) % divisor;
      this.#counts[s] = count;
      const change = Number(count === divisor - 1) - Number(before === divisor - 1);
      if (change === 0) continue;
      const share = change * (this.#shares[s] as number);
      for (const u of units) this.open[u] = (this.open[u] as number) + share;
    }
  }
}
