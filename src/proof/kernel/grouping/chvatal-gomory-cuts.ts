/** A set of elements and what a cluster pays for every `divisor` of them that it has. */
export interface PricedSet {
  readonly elements: readonly number[];
  readonly divisor: number;
  readonly dual: number;
}

/** What clusters pay for the elements that they share with sets. */
export class SharedSets {
  readonly #sets: readonly PricedSet[];
  /** Of each set: 1 for its elements. */
  readonly #having: readonly Uint8Array[];

  /** `all`: elements. */
  constructor(all: number, sets: readonly PricedSet[]) {
    this.#sets = sets;
    this.#having = sets.map(({ elements }) => {
      const having = new Uint8Array(all);
      for (const element of elements) having[element] = 1;
      return having;
    });
  }

  /** What the cluster at elements[from … to − 1] pays. */
  paidBy(elements: ArrayLike<number>, from: number, to: number): number {
    let paid = 0;
    for (let s = 0; s < this.#sets.length; s++) {
      const having = this.#having[s] as Uint8Array;
      let count = 0;
      for (let at = from; at < to; at++) count += having[elements[at] as number] as number;
      const { divisor, dual } = this.#sets[s] as PricedSet;
      if (count >= divisor) paid += dual * ((count - (count % divisor)) / divisor);
    }
    return paid;
  }
}
