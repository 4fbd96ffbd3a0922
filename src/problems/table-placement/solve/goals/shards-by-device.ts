import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import type { Random } from "../../../../exact/random.js";

/** A shard of the option that its table has. */
export interface TableShard {
  readonly table: number;
  readonly shard: number;
}

/** Which shards that may be on any device, of tables by themselves, are on which: one is drawn, added or taken away in constant time. */
export class ShardsByDevice {
  readonly #problem: PlacementProblem;
  readonly #grouped: ReadonlySet<number>;
  /** Most shards of an option: a shard's number is its table's times this, and its own. */
  readonly #most: number;
  readonly #on: number[][];
  /** Of each shard where it is in its device's list. */
  readonly #at: Int32Array;

  constructor(problem: PlacementProblem) {
    const { tables } = problem;
    this.#problem = problem;
    this.#grouped = new Set(problem.together.flat());
    this.#most = Math.max(1, ...tables.flatMap(({ options }) => options.map(({ shards }) => shards.length)));
    this.#on = Array.from({ length: deviceCount(problem) }, () => []);
    this.#at = new Int32Array(tables.length * this.#most);
  }

  /** Whether the shards of an option may each be on any device. */
  isFree(t: number, option: number): boolean {
    const own = this.#problem.tables[t]?.options[option];
    if (own === undefined) return false;
    const { partitionBy, hot } = own;
    return partitionBy === "device" && hot === undefined && !this.#grouped.has(t);
  }

  add(t: number, shard: number, device: number): void {
    const own = t * this.#most + shard;
    const there = this.#on[device] as number[];
    this.#at[own] = there.length;
    there.push(own);
  }

  remove(t: number, shard: number, device: number): void {
    const there = this.#on[device] as number[];
    const at = this.#at[t * this.#most + shard] as number;
    const last = there.pop() as number;
    if (at === there.length) return;
    there[at] = last;
    this.#at[last] = at;
  }

  /** `null` where there is none. */
  draw(device: number, random: Random): TableShard | null {
    const there = this.#on[device] as number[];
    if (there.length === 0) return null;
    const own = there[random.integer(there.length)] as number;
    return { table: Math.floor(own / this.#most), shard: own % this.#most };
  }
}
