import type { Split } from "./splits.js";

/** A shard that waits for its device: which table it is of, and its cost. */
export interface WaitingShard {
  readonly table: number;
  readonly cost: number;
}

/** How many shards each table is cut into, and all the shards from the costliest down, then by table (`ShardingState`). */
export class SplitState {
  readonly #splits: readonly ReadonlyMap<number, Split>[];
  readonly #counts: number[];
  #shards: WaitingShard[];

  /** Every table whole. `splits` holds for each the ways to cut it, one shard among them. */
  constructor(splits: readonly ReadonlyMap<number, Split>[]) {
    this.#splits = splits;
    this.#counts = splits.map(() => 1);
    this.#shards = splits.map((_, table) => ({ table, cost: this.split(table).need.cost }));
    this.#sort();
  }

  get shards(): readonly WaitingShard[] {
    return this.#shards;
  }

  /** How the table is cut now. */
  split(table: number): Split {
    return this.#splits[table]?.get(this.#counts[table] as number) as Split;
  }

  /** Cuts the table into twice as many shards; whether there is such an option. */
  halve(table: number): boolean {
    const count = 2 * (this.#counts[table] as number);
    if (!this.#splits[table]?.has(count)) return false;
    this.#counts[table] = count;
    const { cost } = this.split(table).need;
    const others = this.#shards.filter((shard) => shard.table !== table);
    this.#shards = [...others, ...Array.from({ length: count }, () => ({ table, cost }))];
    this.#sort();
    return true;
  }

  /** Halves the table of the costliest shard that can be halved; whether there is one. */
  halveCostliest(): boolean {
    return this.#shards.some(({ table }) => this.halve(table));
  }

  #sort(): void {
    this.#shards.sort((a, b) => b.cost - a.cost || a.table - b.table);
  }
}
