import type { DescentProblem } from "../../heuristics/tower-partitioner/descent/numbers.js";
import { Simplex } from "../simplex.js";
import type { Group } from "./numbers.js";
import { hasTwo, type SearchTriple } from "./search-prices.js";
import type { Triple } from "./violated-triples.js";

/** Prices of the restricted master. */
export interface MasterPrices {
  /** What having each item in a group is worth. */
  readonly items: Float64Array;
  /** What a group pays that has two or all of three items, for the triples that pay. */
  readonly triples: readonly SearchTriple[];
  /** What one more group is worth, whatever its size. */
  readonly group: number;
  /** The cost of the fractional partition, and what leaving the box of prices cost. */
  readonly value: number;
  /** No price is kept from where it wants to go: the value is that of the groups known so far. */
  readonly isFree: boolean;
}

/** How much the master uses a group. */
export interface GroupUse {
  readonly group: Group;
  readonly times: number;
}

/**
 * The restricted master of column generation: with the groups known so far, the cheapest fractional partition,
 *
 *   min Σ_S cost(S)·x_S   subject to   Σ_{S ∋ i} x_S = 1 for every item i,   Σ_S x_S = T,   x ≥ 0,
 *
 * and, for the triples C given, Σ_S [|S ∩ C| ≥ 2]·x_S ≤ 1 (see src/proof/grouping/group-prices.ts) with prices μ_C ≥ 0.
 * Prices π_i and σ are kept in a box (BoxStep: Marsten, Hogan and Blankenship, Operations Research 23, 1975): columns that
 * cover an item alone at the box's upper side, or take it away at its lower side. A group with
 * cost(S) < Σ_{i in S} π_i − Σ_C μ_C·[|S ∩ C| ≥ 2] + σ improves it.
 */
export class GroupMaster {
  readonly #items: number;
  readonly #simplex: Simplex;
  readonly #groups: { readonly group: Group; readonly column: number }[] = [];
  readonly #known = new Set<string>();
  readonly #triples: readonly Triple[];

  constructor({ items, groups }: DescentProblem, triples: readonly Triple[] = []) {
    this.#items = items;
    this.#triples = triples;
    const rows = items + 1;
    const sides = [...new Array<number>(items).fill(1), groups];
    const up = Array.from({ length: rows }, (_, r) => ({ cost: 0, rows: [r], values: [1] }));
    const down = Array.from({ length: rows }, (_, r) => ({ cost: 0, rows: [r], values: [-1] }));
    const slacks = triples.map((_, t) => ({ cost: 0, rows: [rows + t], values: [1] }));
    const basis = [...up.keys(), ...triples.map((_, t) => 2 * rows + t)];
    this.#simplex = new Simplex([...sides, ...triples.map(() => 1)], [...up, ...down, ...slacks], basis);
  }

  /** All groups taken. */
  get groups(): readonly Group[] {
    return this.#groups.map(({ group }) => group);
  }

  /** Keeps the price of each item within a radius of a centre, and that of a group within another of its own. */
  focus(center: { readonly items: Float64Array; readonly group: number }, radius: number, groupRadius: number): void {
    const rows = this.#items + 1;
    for (let r = 0; r < rows; r++) {
      const [at, reach] = r < this.#items ? [center.items[r] as number, radius] : [center.group, groupRadius];
      this.#simplex.setCost(r, at + reach);
      this.#simplex.setCost(rows + r, reach - at);
    }
  }

  /** Takes a group; says whether it was new. */
  add(group: Group): boolean {
    const key = group.items.join();
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    this.#groups.push({ group, column: this.#simplex.columnCount });
    const rows = [...group.items, this.#items];
    this.#triples.forEach((triple, t) => {
      if (hasTwo(group.items, triple)) rows.push(this.#items + 1 + t);
    });
    this.#simplex.addColumn({ cost: group.cost, rows, values: new Array<number>(rows.length).fill(1) });
    return true;
  }

  /** `null` when the simplex gave up. */
  solve(shouldStop: () => boolean): MasterPrices | null {
    if (!this.#simplex.solve(shouldStop)) return null;
    const prices = this.#simplex.prices();
    const values = this.#simplex.values();
    let away = 0;
    for (let r = 0; r < 2 * (this.#items + 1); r++) away += values[r] as number;
    return {
      items: prices.slice(0, this.#items),
      triples: this.#triples.flatMap((items, t) => {
        const price = -(prices[this.#items + 1 + t] as number);
        return price > 0 ? [{ items, price }] : [];
      }),
      group: prices[this.#items] as number,
      value: this.#simplex.objective,
      isFree: away < 1e-7,
    };
  }

  /** The groups in use at the last solution, most used first. */
  usage(): readonly GroupUse[] {
    const values = this.#simplex.values();
    return this.#groups
      .map(({ group, column }): GroupUse => ({ group, times: values[column] as number }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }
}
