import type { PricedSubsetRow } from "./priced-units.js";

/** What clusters pay for the 3-subset rows that they have two or all elements of. */
export class SharedSubsetRows {
  readonly #all: number;
  readonly #subsetRows: readonly PricedSubsetRow[];
  /** By pair of elements, the smaller first: the 3-subset rows with both. */
  readonly #having: (readonly number[] | undefined)[];
  /** By triple: the last cluster that paid. */
  readonly #payer: Int32Array;
  #cluster = 0;

  /** `all`: elements, of which `units` names three. */
  constructor(all: number, subsetRows: readonly PricedSubsetRow[]) {
    this.#all = all;
    this.#subsetRows = subsetRows;
    const having: (number[] | undefined)[] = new Array(subsetRows.length === 0 ? 0 : all * all).fill(undefined);
    subsetRows.forEach(({ units }, t) => {
      const [a, b, c] = [...units].sort((one, other) => one - other) as [number, number, number];
      for (const at of [a * all + b, a * all + c, b * all + c]) {
        const known = having[at];
        if (known === undefined) having[at] = [t];
        else known.push(t);
      }
    });
    this.#having = having;
    this.#payer = new Int32Array(subsetRows.length);
  }

  /** What the cluster at elements[from … to − 1] pays, its elements rising. */
  paidBy(elements: ArrayLike<number>, from: number, to: number): number {
    if (this.#subsetRows.length === 0) return 0;
    const cluster = ++this.#cluster;
    let paid = 0;
    for (let b = from + 1; b < to; b++) {
      for (let a = from; a < b; a++) {
        const subsetRows = this.#having[(elements[a] as number) * this.#all + (elements[b] as number)];
        if (subsetRows === undefined) continue;
        for (const t of subsetRows) {
          if (this.#payer[t] === cluster) continue;
          this.#payer[t] = cluster;
          paid += (this.#subsetRows[t] as PricedSubsetRow).dual;
        }
      }
    }
    return paid;
  }
}
