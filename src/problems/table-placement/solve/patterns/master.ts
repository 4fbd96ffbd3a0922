import type { Demand } from "../../../../../models/table-placement/pattern-demand.js";
import type { PatternModel } from "../../../../../models/table-placement/pattern-model.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { type GrowingLp, meanSize, openGrowingLp } from "../../../../solvers/growing-lp.js";
import { type Entries, type GroupPattern, PatternLp, patternKey, shardsIn } from "../core/pattern-lp.js";
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
export class Master extends PatternLp<GroupPattern> {
  readonly #model: PatternModel;
  readonly #firstClassRow: number;
  /** What prices are in shares of: tolerances are absolute. */
  readonly #scale: number;

  private constructor(model: PatternModel, lp: GrowingLp, firstClassRow: number, scale: number) {
    super(lp);
    [this.#model, this.#firstClassRow, this.#scale] = [model, firstClassRow, scale];
  }

  /** Throws `SolverError` where HiGHS dies, as all that it does. */
  static async open(model: PatternModel, weights: Float64Array): Promise<Master> {
    const { orbits, classes, tables } = model;
    const sides: [number, number][] = orbits.map(() => [0, NONE]);
    const columns: Entries[] = [];
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
    const master = new Master(model, await openGrowingLp(sides, TOLERANCE), firstClassRow, scale);
    orbits.forEach((_, r) => {
      master.addColumn((weights[r] as number) / scale, NONE, [[r, 1]]);
    });
    for (const entries of columns) master.addColumn(0, NONE, entries);
    return master;
  }

  /** Whether that is new: between weights of many magnitudes prices may ask for a pattern that is there. */
  add(k: number, { parts, cost }: Pattern): boolean {
    const entries: Entries = [...shardsIn(parts), [this.#firstClassRow + k, 1]];
    return this.addPattern({ key: `${k} ${patternKey(parts)}`, group: k, cost, hbm: 0 }, 0, entries);
  }

  /** Solves it; `null` when HiGHS gave up. */
  prices(shouldStop: ShouldStop): MasterDuals | null {
    const units = UNITS.pivot * (this.lp.rowCount + this.lp.columnCount);
    const unplaced = this.solve(() => shouldStop(units));
    if (unplaced === null) return null;
    const { duals } = this.lp.answer();
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
}
