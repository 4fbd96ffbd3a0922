import type { PricedTriple, PricedUnits } from "./priced-units.js";

/**
 * What triples of units make a group pay, as it grows and shrinks unit by unit (see `groupsBelow`). Of a triple with one
 * unit in the group, each of the others that joins counts half the price: both pay it once, one alone pays all of it.
 * Triples with none in the group count as nothing, those with two have paid.
 */
export class ChosenTriples {
  /** By unit: the prices of its triples that have one unit in the group, in all: twice what it counts. */
  readonly open: Float64Array;
  readonly #triples: readonly PricedTriple[];
  /** By unit: the triples that it is in. */
  readonly #having: readonly (readonly number[])[];
  /** By triple: its units in the group. */
  readonly #counts: Uint8Array;

  constructor({ sizes, triples }: PricedUnits) {
    this.open = new Float64Array(sizes.length);
    this.#triples = triples;
    const having: number[][] = Array.from(sizes, () => []);
    triples.forEach(({ units }, t) => {
      for (const u of units) (having[u] as number[]).push(t);
    });
    this.#having = having;
    this.#counts = new Uint8Array(triples.length);
  }

  /** What the group pays more when a unit joins it. */
  paidFor(unit: number): number {
    let paid = 0;
    for (const t of this.#having[unit] as readonly number[]) {
      if (this.#counts[t] === 1) paid += (this.#triples[t] as PricedTriple).price;
    }
    return paid;
  }

  /** A unit joins the group. */
  choose(unit: number): void {
    this.#count(unit, 1);
  }

  /** It leaves again. */
  leave(unit: number): void {
    this.#count(unit, -1);
  }

  #count(unit: number, step: 1 | -1): void {
    for (const t of this.#having[unit] as readonly number[]) {
      const before = this.#counts[t] as number;
      this.#counts[t] = before + step;
      const change = Number(before + step === 1) - Number(before === 1);
      if (change === 0) continue;
      const { units, price } = this.#triples[t] as PricedTriple;
      for (const u of units) this.open[u] = (this.open[u] as number) + change * price;
    }
  }
}
