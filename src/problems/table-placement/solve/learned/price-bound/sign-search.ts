import { doubleNear } from "../../../../../exact/rational.js";
import type { Program } from "../../../../../program/program.js";
import { type ShouldStop, UNITS } from "../../../../../search/work.js";
import { type GrowingLp, openGrowingLp, type SparseEntries } from "../../../../../solvers/growing-lp.js";
import { inputOf } from "../relu-switch.js";
import type { DeviceBlock } from "./device-block.js";

/** How far a ReLU, or a device's being empty, may be from what it is, in milliseconds of the objective. */
const SLACK = 1e-7;

/** What breaking a row by its largest term costs, by the largest term of the objective: then nothing is infeasible. */
const ARTIFICIAL = 100;

/** Why nothing in a part of the box is below a bound. */
export type SignTree =
  | { readonly kind: "branch"; readonly column: number; readonly off: SignTree; readonly on: SignTree }
  | { readonly kind: "bound"; readonly multipliers: Float64Array };

export interface SignAnswer {
  /** The least that a device is worth, tables taken in parts; `null` where the search gave up. */
  readonly least: number | null;
  /** Points of the block, with all ReLUs as they are, the least among them. */
  readonly points: readonly Float64Array[];
  readonly tree: SignTree;
  /** Of the tree: each takes a bound in exact arithmetic, where the tree is made a proof. */
  readonly leaves: number;
}

/**
 * The least of a device's cost less the prices of its tables, where tables may be taken in parts: branch and bound over the
 * signs of the ReLUs that make the device cheaper, each node a linear program. With all signs decided a device's cost is convex.
 * To be disposed of. Throws `SolverError` where HiGHS dies.
 */
export class SignSearch {
  readonly #block: DeviceBlock;
  readonly #lp: GrowingLp;
  readonly #shouldStop: ShouldStop;
  /** Columns that are decided at a node. */
  readonly #decided = new Set<number>();
  #points: Float64Array[] = [];
  #best = Number.POSITIVE_INFINITY;
  #hasGivenUp = false;
  #leaves = 0;

  static async open(block: DeviceBlock, shouldStop: ShouldStop): Promise<SignSearch> {
    return new SignSearch(block, await elasticLp(block.program, block.costs), shouldStop);
  }

  private constructor(block: DeviceBlock, lp: GrowingLp, shouldStop: ShouldStop) {
    [this.#block, this.#lp, this.#shouldStop] = [block, lp, shouldStop];
    block.program.columns.forEach(({ lower, upper }, column) => {
      if (lower !== null && upper?.equals(lower) === true) this.#decided.add(column);
    });
  }

  dispose(): void {
    this.#lp.dispose();
  }

  /** A subgradient of the relaxation where every table is shared evenly: the prices of Jensen's bound. */
  async evenPrices(): Promise<Float64Array> {
    const { program, tables, devices, shards, costs } = this.#block;
    const mean = await elasticLp(program, costs);
    try {
      for (let t = 0; t < tables; t++) {
        const own = shards.filter(({ table }) => table === t);
        const values = own.map((shard) => 1 / shard.shards);
        mean.addRow(1 / devices, 1 / devices, { indices: own.map(({ column }) => column), values });
      }
      const value = this.#solve(mean);
      return value === null ? new Float64Array(tables) : mean.answer().duals.slice(program.rows.length);
    } finally {
      mean.dispose();
    }
  }

  solve(prices: ArrayLike<number>): SignAnswer {
    const priced = this.#block.costs.slice();
    for (const { column, table, shards } of this.#block.shards) {
      priced[column] = (priced[column] as number) - (prices[table] as number) / shards;
    }
    priced.forEach((cost, column) => {
      this.#lp.setCost(column, cost);
    });
    [this.#points, this.#best, this.#hasGivenUp, this.#leaves] = [[], Number.POSITIVE_INFINITY, false, 0];
    const tree = this.#search();
    return { least: this.#hasGivenUp ? null : this.#best, points: this.#points, tree, leaves: this.#leaves };
  }

  #solve(lp: GrowingLp): number | null {
    const value = lp.solve();
    this.#shouldStop(UNITS.pivot * (1 + lp.iterations) * (lp.rowCount + lp.columnCount));
    return value === null || !Number.isFinite(value) ? null : value;
  }

  #search(): SignTree {
    this.#hasGivenUp ||= this.#shouldStop();
    const value = this.#hasGivenUp ? null : this.#solve(this.#lp);
    if (value === null) {
      this.#hasGivenUp = true;
      return { kind: "bound", multipliers: new Float64Array(0) };
    }
    const { columns, duals } = this.#lp.answer();
    const undecided = value < this.#best ? this.#undecided(columns) : null;
    if (undecided === null) {
      this.#leaves++;
      if (value < this.#best) {
        this.#best = value;
        this.#points.push(columns.slice(0, this.#block.program.columns.length));
      }
      return { kind: "bound", multipliers: duals };
    }
    const { at, isOn } = undecided;
    const half = (side: 0 | 1) => {
      this.#lp.setBounds(at, side, side);
      return this.#search();
    };
    this.#decided.add(at);
    // The side that the point is on first: what is found there leaves branches on the other.
    const [first, second] = isOn ? [half(1), half(0)] : [half(0), half(1)];
    this.#decided.delete(at);
    this.#lp.setBounds(at, 0, 1);
    const [off, on] = isOn ? [second, first] : [first, second];
    return { kind: "branch", column: at, off, on };
  }

  /** The binary to branch on: that of the ReLU that the relaxation gains most from. */
  #undecided(point: Float64Array): { readonly at: number; readonly isOn: boolean } | null {
    const { switches, empty, costs } = this.#block;
    let most = SLACK;
    let found: { readonly at: number; readonly isOn: boolean } | null = null;
    for (const one of switches) {
      const input = inputOf(one, (column) => point[column] as number);
      const gain = one.weight * ((point[one.column] as number) - Math.max(0, input));
      if (gain <= most || this.#decided.has(one.on)) continue;
      most = gain;
      found = { at: one.on, isOn: input > 0 };
    }
    if (empty === null || this.#decided.has(empty)) return found;
    const part = point[empty] as number;
    const gain = Math.abs(costs[empty] as number) * Math.min(part, 1 - part);
    return gain > most ? { at: empty, isOn: part > 0.5 } : found;
  }
}

/** The rows and columns of a program, with two columns more for each row, that break it. Throws `RangeError` where a column has no bounds. */
async function elasticLp({ rows, columns }: Program, costs: Float64Array): Promise<GrowingLp> {
  const lp = await openGrowingLp(
    rows.map(({ lower, upper }) => [lower?.toNumber() ?? -Infinity, upper?.toNumber() ?? Infinity]),
  );
  const entries = columns.map((): { indices: number[]; values: number[] } => ({ indices: [], values: [] }));
  const widths = columns.map(({ lower, upper }) => {
    if (lower === null || upper === null) throw new RangeError("a column has no bounds");
    return Math.max(Math.abs(lower.toNumber()), Math.abs(upper.toNumber()));
  });
  const sizes = rows.map(({ form }, r) => {
    let most = 0;
    form.columns.forEach((j, k) => {
      const value = doubleNear(form.coefficients[k] as bigint, form.denominator);
      entries[j]?.indices.push(r);
      entries[j]?.values.push(value);
      most = Math.max(most, Math.abs(value) * (widths[j] as number));
    });
    return most;
  });
  columns.forEach(({ lower, upper }, j) => {
    lp.addColumn(costs[j] as number, lower?.toNumber() ?? 0, upper?.toNumber() ?? 0, entries[j] as SparseEntries);
  });
  const largest = costs.reduce((most, cost, j) => Math.max(most, Math.abs(cost) * (widths[j] as number)), 0);
  sizes.forEach((size, r) => {
    for (const sign of [1, -1])
      lp.addColumn(ARTIFICIAL * largest, 0, Infinity, { indices: [r], values: [sign * size] });
  });
  return lp;
}
