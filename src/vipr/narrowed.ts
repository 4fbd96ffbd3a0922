import type { Fact } from "./combination.js";

/** What a fact says of the columns kept alone. */
type Narrow = (fact: Fact, isKept: (column: number) => boolean) => Fact;

/**
 * What a long sum says of each of its units (columns, by themselves or as a group). The others are taken out by halves, so that all
 * units together cost the sum's length times its logarithm, and one by itself twice its length.
 */
export class Narrowed {
  readonly #unitOf: ReadonlyMap<number, number>;
  readonly #count: number;
  readonly #narrow: Narrow;
  /** By node of the binary tree, 1 the root, the children of k at 2k and 2k + 1. */
  readonly #nodes = new Map<number, Fact>();

  constructor(units: readonly (readonly number[])[], sum: Fact, narrow: Narrow) {
    this.#unitOf = new Map(units.flatMap((columns, unit) => columns.map((column) => [column, unit] as const)));
    this.#count = units.length;
    this.#narrow = narrow;
    this.#nodes.set(
      1,
      narrow(sum, (column) => this.#unitOf.has(column)),
    );
  }

  /** What it says of the unit that a column is in. */
  at(column: number): Fact {
    const unit = this.#unitOf.get(column) as number;
    let fact = this.#nodes.get(1) as Fact;
    let [from, to] = [0, this.#count];
    for (let node = 1; to - from > 1; ) {
      const middle = (from + to) >> 1;
      const isSecond = unit >= middle;
      if (isSecond) from = middle;
      else to = middle;
      node = 2 * node + (isSecond ? 1 : 0);
      const known = this.#nodes.get(node);
      fact = known ?? this.#narrow(fact, (other) => this.#isWithin(other, from, to));
      if (known === undefined) this.#nodes.set(node, fact);
    }
    return fact;
  }

  #isWithin(column: number, from: number, to: number): boolean {
    const unit = this.#unitOf.get(column) as number;
    return unit >= from && unit < to;
  }
}
