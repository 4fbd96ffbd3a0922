import { Simplex, type SimplexRow } from "../../../search/simplex/simplex.js";
import type { ShouldStop } from "../../../search/work.js";
import type { DescentProblem } from "../methods/descent/limits.js";
import type { Group } from "./clusters.js";
import type { SearchSet, SearchTriple } from "./dual-values.js";
import type { ClusterUse } from "./group-use.js";
import type { Triple } from "./subset-row-cuts.js";

/** Prices of the restricted master. */
export interface MasterPrices {
  /** What having each item in a group is worth. */
  readonly items: Float64Array;
  /** What a group pays that has two or all of three items, for the triples that pay. */
  readonly triples: readonly SearchTriple[];
  /** What a group pays for what it shares with other sets of items. */
  readonly sets: readonly SearchSet[];
  /** What one more group is worth, whatever its size. */
  readonly group: number;
  /** The cost of the fractional partition, and what leaving the box of prices cost. */
  readonly value: number;
  /** No price is kept from where it wants to go: the value is that of the groups known so far. */
  readonly isFree: boolean;
}

/** A set of items and a divisor, less than how many they are: what a cut is of. */
export type ItemSet = Pick<SearchSet, "items" | "divisor">;

/**
 * The restricted master of column generation: with the groups known so far, the cheapest fractional partition,
 *
 *   min Σ_S cost(S)·x_S   subject to   Σ_{S ∋ i} x_S = 1 for every item i,   Σ_S x_S = T,   x ≥ 0,
 *
 * and, for the sets C added, Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋ (see src/proof/kernel/grouping/dual-values.ts) with prices μ_C ≥ 0.
 * Prices π_i and σ are kept in a box (BoxStep: Marsten, Hogan and Blankenship, Operations Research 23, 1975): columns that
 * cover an item alone at the box's upper side, or take it away at its lower side. A group with
 * cost(S) < Σ_{i in S} π_i − Σ_C μ_C·⌊|S ∩ C| / d⌋ + σ improves it.
 */
export class GroupMaster {
  readonly #items: number;
  readonly #simplex: Simplex;
  readonly #groups: { readonly group: Group; readonly column: number }[] = [];
  readonly #known = new Set<string>();
  /** By item: which groups have it. */
  readonly #having: number[][];
  /** Those of the rows behind items and groups. */
  #cuts: readonly ItemSet[] = [];

  constructor({ items, groups }: DescentProblem, triples: readonly Triple[] = []) {
    this.#items = items;
    this.#having = Array.from({ length: items }, () => []);
    const rows = items + 1;
    const sides = [...new Array<number>(items).fill(1), groups];
    const up = Array.from({ length: rows }, (_, r) => ({ cost: 0, rows: [r], values: [1] }));
    const down = Array.from({ length: rows }, (_, r) => ({ cost: 0, rows: [r], values: [-1] }));
    this.#simplex = new Simplex(sides, [...up, ...down], [...up.keys()]);
    this.addTriples(triples);
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
    for (const item of group.items) (this.#having[item] as number[]).push(this.#groups.length);
    this.#groups.push({ group, column: this.#simplex.columnCount });
    const rows = [...group.items, this.#items];
    const values = new Array<number>(rows.length).fill(1);
    this.#cuts.forEach((cut, c) => {
      const times = timesIn(cut, group.items);
      if (times === 0) return;
      rows.push(this.#items + 1 + c);
      values.push(times);
    });
    this.#simplex.addColumn({ cost: group.cost, rows, values });
    return true;
  }

  /** Takes triples not there yet; lets go of cuts without a price at the last solution. Says whether any were new. */
  addTriples(triples: readonly Triple[]): boolean {
    return this.addCuts(triples.map((items) => ({ items, divisor: 2 })));
  }

  /** The same of sets of items: Σ_S ⌊|S ∩ C| / d⌋·x_S ≤ ⌊|C| / d⌋. */
  addCuts(cuts: readonly ItemSet[]): boolean {
    const known = new Set(this.#cuts.map(keyOf));
    const added = cuts.filter((cut) => !known.has(keyOf(cut)));
    if (added.length === 0) return false;
    const rows = this.#cuts.map((_, c) => this.#items + 1 + c);
    const loose = new Set(rows.filter((row) => this.#simplex.isLoose(row)));
    this.#simplex.dropRows([...loose]);
    this.#cuts = [...this.#cuts.filter((_, c) => !loose.has(rows[c] as number)), ...added];
    for (const cut of added) this.#simplex.addRow(this.#rowOf(cut));
    return true;
  }

  #rowOf({ items, divisor }: ItemSet): SimplexRow {
    const counts = new Map<number, number>();
    for (const item of items) {
      for (const g of this.#having[item] as number[]) counts.set(g, (counts.get(g) ?? 0) + 1);
    }
    const sharing = [...counts].filter(([, count]) => count >= divisor).sort(([a], [b]) => a - b);
    return {
      columns: sharing.map(([g]) => (this.#groups[g] as { readonly column: number }).column),
      values: sharing.map(([, count]) => Math.floor(count / divisor)),
      side: Math.floor(items.length / divisor),
    };
  }

  /** `null` when the simplex gave up. */
  solve(shouldStop: ShouldStop): MasterPrices | null {
    if (!this.#simplex.solve(shouldStop)) return null;
    const prices = this.#simplex.prices();
    const values = this.#simplex.values();
    let away = 0;
    for (let r = 0; r < 2 * (this.#items + 1); r++) away += values[r] as number;
    const priced = this.#cuts.flatMap((cut, c): SearchSet[] => {
      const price = -(prices[this.#items + 1 + c] as number);
      return price > 0 ? [{ ...cut, price }] : [];
    });
    return {
      items: prices.slice(0, this.#items),
      triples: priced.filter(isTriple).map(({ items, price }) => ({ items: items as Triple, price })),
      sets: priced.filter((cut) => !isTriple(cut)),
      group: prices[this.#items] as number,
      value: this.#simplex.objective,
      isFree: away < 1e-7,
    };
  }

  /**
   * What the fractional partition costs where some groups may not be used, among those known so far; not a number where the
   * simplex gave up.
   */
  valueWithout(isLeftOut: (group: Group) => boolean, shouldStop: ShouldStop): number {
    const out = this.#groups.filter(({ group }) => isLeftOut(group)).map(({ column }) => column);
    return this.#simplex.valueWithout(out, shouldStop) ?? Number.NaN;
  }

  /** The groups in use at the last solution, most used first. */
  usage(): readonly ClusterUse[] {
    const values = this.#simplex.values();
    return this.#groups
      .map(({ group, column }): ClusterUse => ({ group, times: values[column] as number }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }
}

function keyOf({ items, divisor }: ItemSet): string {
  return `${divisor}:${items.join()}`;
}

function isTriple({ items, divisor }: ItemSet): boolean {
  return divisor === 2 && items.length === 3;
}

function timesIn({ items, divisor }: ItemSet, group: readonly number[]): number {
  return Math.floor(items.filter((item) => group.includes(item)).length / divisor);
}
