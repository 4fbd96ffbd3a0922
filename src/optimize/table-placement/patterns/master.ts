import type { Orbit, PatternModel } from "./model.js";
import type { Pattern } from "./pricing.js";
import { Simplex, type SimplexColumn } from "./simplex.js";

/** Prices of the restricted master. */
export interface MasterPrices {
  /** Per orbit, not negative: what having one more of its shards placed is worth. */
  readonly orbits: Float64Array;
  /** Per class of devices, not negative: what a pattern of it must be worth to be used. */
  readonly classes: Float64Array;
  /** What is left unplaced, weighted: zero when the patterns can place everything, fractionally. */
  readonly uncovered: number;
}

/**
 * The restricted master of column generation: with the patterns known so far, as little as possible left unplaced,
 *
 *   min Σ_ρ w_ρ·s_ρ   subject to   Σ_p a[ρ, p]·λ_p + s_ρ ≥ Σ_o demand[ρ, o]·y_o,  Σ_{o of t} y_o = 1,
 *                                  Σ_{p of class k} λ_p ≤ devices of class k,   λ, s, y ≥ 0.
 *
 * Its prices are π_ρ ∈ [0, w_ρ] and σ_k ≥ 0; a pattern of class k worth more than σ_k under π improves it. With all patterns
 * of cost at most T in it, a positive optimum says that no placement has all devices at cost T or less.
 */
export class Master {
  readonly #model: PatternModel;
  readonly #simplex: Simplex;
  readonly #classRow: (k: number) => number;

  constructor(model: PatternModel, weights: Float64Array) {
    this.#model = model;
    const { orbits, classes, tables } = model;
    const choiceRow = new Map<number, number>();
    tables.forEach((options, t) => {
      if (options.length > 1) choiceRow.set(t, orbits.length + choiceRow.size);
    });
    const firstClassRow = orbits.length + choiceRow.size;
    this.#classRow = (k) => firstClassRow + k;
    const isOnly = ({ table }: Orbit) => !choiceRow.has(table);
    const sides = [
      ...orbits.map((orbit) => (isOnly(orbit) ? orbit.demand : 0)),
      ...[...choiceRow].map(() => 1),
      ...classes.map(({ devices }) => devices.length),
    ];
    const columns: SimplexColumn[] = [];
    const basis: number[] = [];
    orbits.forEach((_, r) => {
      basis[r] = columns.length;
      columns.push({ cost: weights[r] as number, rows: [r], values: [1] });
    });
    orbits.forEach((_, r) => {
      columns.push({ cost: 0, rows: [r], values: [-1] });
    });
    for (const [t, row] of choiceRow) {
      (tables[t] as readonly (readonly number[])[]).forEach((own, k) => {
        // The start is feasible with the first option of each table chosen and unplaced.
        if (k === 0) basis[row] = columns.length;
        columns.push({
          cost: 0,
          rows: [...own, row],
          values: [...own.map((r) => -(orbits[r] as Orbit).demand), 1],
        });
      });
    }
    classes.forEach((_, k) => {
      basis[this.#classRow(k)] = columns.length;
      columns.push({ cost: 0, rows: [this.#classRow(k)], values: [1] });
    });
    this.#simplex = new Simplex(sides, columns, basis);
  }

  add(k: number, { parts }: Pattern): void {
    const entries = new Map<number, number>();
    for (const { orbits, counts } of parts) {
      orbits.forEach((r, i) => {
        entries.set(r, (entries.get(r) ?? 0) + (counts[i] as number));
      });
    }
    const rows = [...entries].sort(([a], [b]) => a - b);
    this.#simplex.addColumn({
      cost: 0,
      rows: [...rows.map(([r]) => r), this.#classRow(k)],
      values: [...rows.map(([, count]) => count), 1],
    });
  }

  /** `null` when the simplex gave up. */
  solve(): MasterPrices | null {
    if (!this.#simplex.solve()) return null;
    const prices = this.#simplex.prices();
    const { orbits, classes } = this.#model;
    return {
      orbits: prices.slice(0, orbits.length).map((price) => Math.max(0, price)),
      classes: Float64Array.from(classes, (_, k) => Math.max(0, -(prices[this.#classRow(k)] as number))),
      uncovered: this.#simplex.objective,
    };
  }
}
