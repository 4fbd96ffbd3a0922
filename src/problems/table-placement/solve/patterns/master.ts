import type { Demand } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { type GrowingLp, meanSize, openGrowingLp } from "../../../../solvers/growing-lp.js";
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

const NONE = Number.POSITIVE_INFINITY;

/** Below what is taken for an improvement (see feasibility-master.ts): a pattern that is known hardly ever is one. */
const TOLERANCE = 1e-10;

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
  readonly #lp: GrowingLp;
  readonly #firstClassRow: number;
  /** What prices are in shares of: tolerances are absolute. */
  readonly #scale: number;
  readonly #patterns: { readonly class: number; readonly pattern: Pattern; readonly column: number }[] = [];
  readonly #known = new Set<string>();

  private constructor(model: PatternModel, lp: GrowingLp, firstClassRow: number, scale: number) {
    [this.#model, this.#lp, this.#firstClassRow, this.#scale] = [model, lp, firstClassRow, scale];
  }

  /** Throws `SolverError` where HiGHS dies, as all that it does. */
  static async open(model: PatternModel, weights: Float64Array): Promise<Master> {
    const { orbits, classes, tables } = model;
    const sides: [number, number][] = orbits.map(() => [0, NONE]);
    const columns: (readonly (readonly [row: number, value: number])[])[] = [];
    const addChoice = (side: number, choices: typeof columns): number => {
      const row = sides.push([side, side]) - 1;
      for (const entries of choices) columns.push([...entries, [row, 1]]);
      return row;
    };
    const negative = (demands: readonly Demand[]) => demands.map(([r, shards]) => [r, -shards] as const);
    for (const options of tables) {
      const isOnly = options.length === 1;
      const perOption = options.map(({ direct, groups }) => [
        ...negative(direct),
        ...groups.map(({ count, ways }) => [addChoice(isOnly ? count : 0, ways.map(negative)), -count] as const),
      ]);
      if (!isOnly) addChoice(1, perOption);
      else
        for (const { direct } of options) for (const [r, shards] of direct) (sides[r] as [number, number])[0] += shards;
    }
    const firstClassRow = sides.length;
    for (const { devices } of classes) sides.push([-NONE, devices.length]);
    const scale = meanSize(weights);
    const lp = await openGrowingLp(sides, TOLERANCE);
    orbits.forEach((_, r) => {
      lp.addColumn((weights[r] as number) / scale, 0, NONE, { indices: [r], values: [1] });
    });
    for (const entries of columns) {
      lp.addColumn(0, 0, NONE, { indices: entries.map(([r]) => r), values: entries.map(([, value]) => value) });
    }
    return new Master(model, lp, firstClassRow, scale);
  }

  /** Whether that is new: between weights of many magnitudes prices may ask for a pattern that is there. */
  add(k: number, pattern: Pattern): boolean {
    const key = `${k} ${keyOf(pattern)}`;
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    const entries = new Map<number, number>();
    for (const { orbits, counts } of pattern.parts) {
      orbits.forEach((r, i) => {
        entries.set(r, (entries.get(r) ?? 0) + (counts[i] as number));
      });
    }
    entries.set(this.#firstClassRow + k, 1);
    const column = this.#lp.addColumn(0, 0, NONE, { indices: [...entries.keys()], values: [...entries.values()] });
    this.#patterns.push({ class: k, pattern, column });
    return true;
  }

  /** `null` when HiGHS gave up. */
  solve(shouldStop: ShouldStop): MasterDuals | null {
    const units = UNITS.pivot * (this.#lp.rowCount + this.#lp.columnCount);
    const unplaced = this.#lp.solve(() => shouldStop(units));
    if (unplaced === null || !Number.isFinite(unplaced)) return null;
    const { duals } = this.#lp.answer();
    if (!duals.every(Number.isFinite)) return null;
    const { orbits, classes } = this.#model;
    return {
      orbits: duals.slice(0, orbits.length).map((dual) => this.#scale * Math.max(0, dual)),
      classes: Float64Array.from(
        classes,
        (_, k) => this.#scale * Math.max(0, -(duals[this.#firstClassRow + k] as number)),
      ),
      unplaced: this.#scale * unplaced,
    };
  }

  /** The patterns in use at the last solution, most used first. */
  usage(): readonly Usage[] {
    const { columns } = this.#lp.answer();
    return this.#patterns
      .map(({ class: k, pattern, column }): Usage => ({ class: k, pattern, times: columns[column] as number }))
      .filter(({ times }) => times > 1e-9)
      .sort((a, b) => b.times - a.times);
  }

  dispose(): void {
    this.#lp.dispose();
  }
}

function keyOf({ parts }: Pattern): string {
  return parts
    .map(({ orbits, counts }) => `${orbits.join()}*${counts.join()}`)
    .sort()
    .join(" ");
}
