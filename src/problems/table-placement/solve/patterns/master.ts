import type { Demand } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { Simplex, type SimplexColumn } from "../../../../search/simplex/simplex.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { Pattern } from "./label-search.js";

/** Prices of the restricted master. */
export interface MasterDuals {
  /** Per orbit, not negative: what having one more of its shards placed is worth. */
  readonly orbits: Float64Array;
  /** Per class of devices, not negative: what a pattern of it must be worth to be used. */
  readonly classes: Float64Array;
  /** What is left unplaced, weighted: zero when the patterns can place everything, fractionally. */
  readonly unplaced: number;
}

/** How often the master uses a pattern. */
export interface Usage {
  readonly class: number;
  readonly pattern: Pattern;
  readonly times: number;
}

/**
 * The restricted master of column generation: with the patterns known so far, as little as possible left unplaced,
 *
 *   min Σ_ρ w_ρ·s_ρ   subject to   Σ_p a[ρ, p]·λ_p + s_ρ ≥ Σ_o demand[ρ, o]·y_o + Σ_h demand[ρ, h]·h,
 *                                  Σ_{o of t} y_o = 1,  Σ h of a group = groups wanted · y_o,
 *                                  Σ_{p of class k} λ_p ≤ devices of class k,   λ, s, y, h ≥ 0.
 *
 * Its prices are π_ρ ∈ [0, w_ρ] and σ_k ≥ 0; a pattern of class k worth more than σ_k under π improves it. With all
 * patterns of cost at most T in it, a positive optimum says that no placement has all devices at cost T or less.
 */
export class Master {
  readonly #model: PatternModel;
  readonly #simplex: Simplex;
  readonly #classRow: (k: number) => number;
  readonly #patterns: { readonly class: number; readonly pattern: Pattern; readonly column: number }[] = [];

  constructor(model: PatternModel, weights: Float64Array) {
    this.#model = model;
    const { orbits, classes, tables } = model;
    const sides: number[] = orbits.map(() => 0);
    const columns: SimplexColumn[] = [];
    const basis: number[] = [];
    orbits.forEach((_, r) => {
      basis[r] = columns.length;
      columns.push({ cost: weights[r] as number, rows: [r], values: [1] });
    });
    orbits.forEach((_, r) => {
      columns.push({ cost: 0, rows: [r], values: [-1] });
    });
    // A row that begins with the first of its columns in the basis: the start is feasible with everything unplaced.
    const addChoice = (
      side: number,
      choices: readonly (readonly (readonly [row: number, value: number])[])[],
    ): void => {
      const row = sides.push(side) - 1;
      basis[row] = columns.length;
      for (const entries of choices) {
        const all = [...entries, [row, 1] as const].sort(([a], [b]) => a - b);
        columns.push({ cost: 0, rows: all.map(([r]) => r), values: all.map(([, value]) => value) });
      }
    };
    const negative = (demands: readonly Demand[]) => demands.map(([r, shards]) => [r, -shards] as const);
    for (const options of tables) {
      const isOnly = options.length === 1;
      const perOption = options.map(({ direct, groups }) => {
        const rows = groups.map(({ count, ways }) => {
          addChoice(isOnly ? count : 0, ways.map(negative));
          return [sides.length - 1, -count] as const;
        });
        return [...negative(direct), ...rows];
      });
      if (!isOnly) addChoice(1, perOption);
      else for (const { direct } of options) for (const [r, shards] of direct) sides[r] = (sides[r] as number) + shards;
    }
    const firstClassRow = sides.length;
    this.#classRow = (k) => firstClassRow + k;
    for (const { devices } of classes) {
      const row = sides.push(devices.length) - 1;
      basis[row] = columns.length;
      columns.push({ cost: 0, rows: [row], values: [1] });
    }
    this.#simplex = new Simplex(sides, columns, basis);
  }

  add(k: number, pattern: Pattern): void {
    const { parts } = pattern;
    this.#patterns.push({ class: k, pattern, column: this.#simplex.columnCount });
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
  solve(shouldStop: ShouldStop): MasterDuals | null {
    if (!this.#simplex.solve(shouldStop)) return null;
    const duals = this.#simplex.prices();
    const { orbits, classes } = this.#model;
    return {
      orbits: duals.slice(0, orbits.length).map((dual) => Math.max(0, dual)),
      classes: Float64Array.from(classes, (_, k) => Math.max(0, -(duals[this.#classRow(k)] as number))),
      unplaced: this.#simplex.objective,
    };
  }

  /** The patterns in use at the last solution, most used first. */
  usage(): readonly Usage[] {
    const values = this.#simplex.values();
    return this.#patterns
      .map(({ class: k, pattern, column }): Usage => ({ class: k, pattern, times: values[column] as number }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }
}
