/** A set of items and what a group pays for every `divisor` of them that it has. */
export interface PricedSet {
  readonly items: readonly number[];
  readonly divisor: number;
  readonly price: number;
}

/** What groups pay for the items that they share with sets. */
export class SharedSets {
  readonly #sets: readonly PricedSet[];
  /** Of each set: 1 for its items. */
  readonly #having: readonly Uint8Array[];

  /** `all`: items. */
  constructor(all: number, sets: readonly PricedSet[]) {
    this.#sets = sets;
    this.#having = sets.map(({ items }) => {
      const having = new Uint8Array(all);
      for (const item of items) having[item] = 1;
      return having;
    });
  }

  /** What the group at items[from … to − 1] pays. */
  paidBy(items: ArrayLike<number>, from: number, to: number): number {
    let paid = 0;
    for (let s = 0; s < this.#sets.length; s++) {
      const having = this.#having[s] as Uint8Array;
      let count = 0;
      for (let at = from; at < to; at++) count += having[items[at] as number] as number;
      const { divisor, price } = this.#sets[s] as PricedSet;
      if (count >= divisor) paid += price * ((count - (count % divisor)) / divisor);
    }
    return paid;
  }
}
