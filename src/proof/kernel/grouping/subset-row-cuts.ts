import type { PricedTriple } from "./priced-units.js";

/** What groups pay for the triples that they have two or all items of. */
export class SharedTriples {
  readonly #all: number;
  readonly #triples: readonly PricedTriple[];
  /** By pair of items, the smaller first: the triples with both. */
  readonly #having: (readonly number[] | undefined)[];
  /** By triple: the last group that paid. */
  readonly #payer: Int32Array;
  #group = 0;

  /** `all`: items, of which `units` names three. */
  constructor(all: number, triples: readonly PricedTriple[]) {
    this.#all = all;
    this.#triples = triples;
    const having: (number[] | undefined)[] = new Array(triples.length === 0 ? 0 : all * all).fill(undefined);
    triples.forEach(({ units }, t) => {
      const [a, b, c] = [...units].sort((one, other) => one - other) as [number, number, number];
      for (const at of [a * all + b, a * all + c, b * all + c]) {
        const known = having[at];
        if (known === undefined) having[at] = [t];
        else known.push(t);
      }
    });
    this.#having = having;
    this.#payer = new Int32Array(triples.length);
  }

  /** What the group at items[from … to − 1] pays, its items rising. */
  paidBy(items: ArrayLike<number>, from: number, to: number): number {
    if (this.#triples.length === 0) return 0;
    const group = ++this.#group;
    let paid = 0;
    for (let b = from + 1; b < to; b++) {
      for (let a = from; a < b; a++) {
        const triples = this.#having[(items[a] as number) * this.#all + (items[b] as number)];
        if (triples === undefined) continue;
        for (const t of triples) {
          if (this.#payer[t] === group) continue;
          this.#payer[t] = group;
          paid += (this.#triples[t] as PricedTriple).price;
        }
      }
    }
    return paid;
  }
}
