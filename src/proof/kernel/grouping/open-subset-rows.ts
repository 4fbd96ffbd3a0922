import type { PricedSubsetRow, PricedUnits } from "./priced-units.js";

/**
 * What 3-subset rows of units make a cluster pay, as it grows and shrinks unit by unit (see `groupsBelow`). Of a triple
 * with one unit in the cluster, each of the others that joins counts half the price: both pay it once, one alone pays
 * all of it. 3-subset rows with none in the cluster count as nothing, those with two have paid.
 */
export class ChosenSubsetRows {
  /** By unit: the dual values of its 3-subset rows that have one unit in the cluster, in all: twice what it counts. */
  readonly open: Float64Array;
  readonly #subsetRows: readonly PricedSubsetRow[];
  /** By unit: the 3-subset rows that it is in. */
  readonly #having: readonly (readonly number[])[];
  /** By triple: its units in the cluster. */
  readonly #counts: Uint8Array;

  constructor({ sizes, subsetRows }: PricedUnits) {
    this.open = new Float64Array(sizes.length);
    this.#subsetRows = subsetRows;
    const having: number[][] = Array.from(sizes, () => []);
    subsetRows.forEach(({ units }, t) => {
      for (const u of units) (having[u] as number[]).push(t);
    });
    this.#having = having;
    this.#counts = new Uint8Array(subsetRows.length);
  }

  /** What the cluster pays more when a unit joins it. */
  paidFor(unit: number): number {
    let paid = 0;
    for (const t of this.#having[unit] as readonly number[]) {
      if (this.#counts[t] === 1) paid += (this.#subsetRows[t] as PricedSubsetRow).dual;
    }
    return paid;
  }

  /** A unit joins the cluster. */
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
      const { units, dual } = this.#subsetRows[t] as PricedSubsetRow;
      for (const u of units) this.open[u] = (this.open[u] as number) + change * dual;
    }
  }
}
