import { seededRandom } from "../../exact/random.js";
import { UNITS } from "../work.js";
import { BasisFactors } from "./basis-factors.js";
import type { GrowingProgram } from "./growing-program.js";

/** A value below zero by no more than this counts as feasible. */
export const FEASIBLE = 1e-8;

/** A reduced cost below zero by no more than this counts as none; where prices are large, so much of the largest. */
const OPTIMAL = 1e-9;
const ROUNDING = 1e-13;

/** Columns replaced after which the basis is factored anew. */
const MAX_REPLACED = 100;

/** How far values are moved from where they tie. */
const PERTURBATION = 1e-6;

/**
 * Where a simplex is: a basis of a program, the values x of its columns, and the reduced costs d of the others. Columns are
 * told by their place in the program, basic ones also by their slot (see {@link BasisFactors}).
 */
export class Basis {
  readonly program: GrowingProgram;
  /** The basic column of each slot. */
  heads: Int32Array;
  /** The slot of each column; −1 where it is not basic. */
  slotOf: Int32Array;
  /** The value of each slot's column. */
  values: Float64Array;
  /** What columns cost for the time being. */
  costs: Float64Array;
  /** d by column, up to date between pivots for the columns in `working`; zero for basic ones. */
  reduced: Float64Array;
  /** The columns looked at. */
  working: Int32Array;
  /** A reduced cost below minus this is worth a pivot. */
  tolerance = OPTIMAL;
  /** Pivots so far. */
  pivots = 0;
  factors: BasisFactors;
  /** Added to the right-hand sides for the time being. */
  #moved: Float64Array | null = null;
  #seed = 1;

  /** From basic columns that may depend on one another: logical ones take the places of those that do. */
  constructor(program: GrowingProgram, basic: Int32Array) {
    this.program = program;
    const { rowCount, columns } = program;
    this.values = new Float64Array(rowCount);
    this.slotOf = new Int32Array(columns.count);
    this.costs = program.costs.slice(0, columns.count);
    this.reduced = new Float64Array(columns.count);
    this.working = new Int32Array(0);
    this.factors = new BasisFactors(columns, basic, Int32Array.from(program.logicals));
    this.heads = this.factors.heads.slice();
    this.#place();
  }

  /** Takes the columns added to the program since, and costs as they are there now. */
  takeColumns(): void {
    const { count } = this.program.columns;
    if (count > this.slotOf.length) {
      const slotOf = new Int32Array(count).fill(-1);
      slotOf.set(this.slotOf);
      this.slotOf = slotOf;
      this.reduced = new Float64Array(count);
    }
    this.costs = this.program.costs.slice(0, count);
  }

  /** Looks at these columns from here on: all that are basic and not fixed among them. */
  lookAt(columns: Int32Array): void {
    this.working = columns;
    this.price();
  }

  /** Looks at all columns. */
  lookAtAll(): void {
    const { isFixed } = this.program;
    this.lookAt(Int32Array.from(this.slotOf.keys()).filter((column) => isFixed[column] === 0));
  }

  /** Whether all columns are looked at. */
  get looksAtAll(): boolean {
    return this.working.length === this.slotOf.length - this.program.fixedCount;
  }

  /** Whether no basic column is below zero, or off it where it is fixed there. */
  get isFeasible(): boolean {
    const { isFixed } = this.program;
    return this.values.every((value, slot) =>
      isFixed[this.heads[slot] as number] === 1 ? Math.abs(value) <= FEASIBLE : value >= -FEASIBLE,
    );
  }

  get isMoved(): boolean {
    return this.#moved !== null;
  }

  get objective(): number {
    let sum = 0;
    for (let slot = 0; slot < this.heads.length; slot++) {
      sum += (this.costs[this.heads[slot] as number] as number) * (this.values[slot] as number);
    }
    return sum;
  }

  /** y with Bᵀ·y = c: one price per row. */
  prices(): Float64Array {
    const prices = Float64Array.from(this.heads, (column) => this.costs[column] as number);
    this.factors.backward(prices);
    return prices;
  }

  /** B⁻¹·a of a column, which {@link pivot} may then take in. */
  directionOf(column: number, direction: Float64Array): void {
    direction.fill(0);
    this.program.columns.addTo(column, 1, direction);
    this.factors.forward(direction, true);
  }

  /** A row of B⁻¹. */
  rowOf(slot: number, row: Float64Array): void {
    row.fill(0);
    row[slot] = 1;
    this.factors.backward(row);
  }

  /** What a pivot takes, about: solves with the factors, and the columns looked at. */
  get unitsOfPivot(): number {
    return UNITS.pivot * (this.heads.length + this.working.length);
  }

  /** Computes the reduced costs anew. */
  price(): void {
    const prices = this.prices();
    let largest = 0;
    for (let row = 0; row < prices.length; row++) largest = Math.max(largest, Math.abs(prices[row] as number));
    this.tolerance = Math.max(OPTIMAL, ROUNDING * largest);
    const { columns } = this.program;
    const { costs, reduced, slotOf, working } = this;
    for (let k = 0; k < working.length; k++) {
      const column = working[k] as number;
      reduced[column] = (slotOf[column] as number) >= 0 ? 0 : (costs[column] as number) - columns.dot(column, prices);
    }
  }

  /**
   * Puts a column, the one of the last {@link directionOf}, in the place of a slot's. `pivot`: its direction there; `step`:
   * its value. Says whether slots, values and reduced costs were computed anew: what the caller knows by slot is void then.
   */
  pivot(slot: number, column: number, direction: Float64Array, step: number): boolean {
    const { heads, slotOf, values } = this;
    for (let s = 0; s < values.length; s++) {
      const slope = direction[s] as number;
      if (slope !== 0) values[s] = (values[s] as number) - step * slope;
    }
    values[slot] = step;
    slotOf[heads[slot] as number] = -1;
    slotOf[column] = slot;
    heads[slot] = column;
    this.pivots++;
    const isSound = this.factors.replace(slot, direction[slot] as number);
    if (isSound && this.factors.replaced < MAX_REPLACED && !this.factors.isLong) return false;
    this.refresh();
    return true;
  }

  /** Computes values and reduced costs anew from the factors at hand. */
  renew(): void {
    this.#value();
    this.price();
  }

  /** Factors the basis anew and computes all from it. */
  refresh(): void {
    this.factors = new BasisFactors(this.program.columns, this.heads, Int32Array.from(this.program.logicals));
    this.heads = this.factors.heads.slice();
    this.#place();
    this.price();
  }

  /** Moves costs for the time being, so that no reduced cost is below zero, nor near it where `isApart`. */
  moveCosts(isApart = false): void {
    const random = seededRandom(this.#seed++);
    const { costs, reduced, slotOf, working } = this;
    for (let k = 0; k < working.length; k++) {
      const column = working[k] as number;
      if ((slotOf[column] as number) >= 0) continue;
      const cost = costs[column] as number;
      const apart = isApart ? PERTURBATION * (0.5 + random.next()) * (1 + Math.abs(cost)) : 0;
      const by = Math.max(0, -(reduced[column] as number)) + apart;
      costs[column] = cost + by;
      reduced[column] = (reduced[column] as number) + by;
    }
  }

  /** Costs as they are in the program. */
  restoreCosts(): void {
    this.costs.set(this.program.costs.subarray(0, this.costs.length));
    this.price();
  }

  /** Moves right-hand sides for the time being, so that values do not tie. */
  moveSides(): void {
    const random = seededRandom(this.#seed++);
    const { columns, isFixed } = this.program;
    this.#moved ??= new Float64Array(this.heads.length);
    for (let slot = 0; slot < this.heads.length; slot++) {
      const column = this.heads[slot] as number;
      if (isFixed[column] === 1) continue;
      const by = PERTURBATION * (0.5 + random.next());
      this.values[slot] = (this.values[slot] as number) + by;
      columns.addTo(column, by, this.#moved);
    }
  }

  /** Right-hand sides as they are in the program. */
  restoreSides(): void {
    this.#moved = null;
    this.#value();
  }

  #place(): void {
    this.slotOf.fill(-1);
    this.heads.forEach((column, slot) => {
      this.slotOf[column] = slot;
    });
    this.#value();
  }

  #value(): void {
    this.values = Float64Array.from(this.program.sides, (side, row) => side + (this.#moved?.[row] ?? 0));
    this.factors.forward(this.values);
    for (let slot = 0; slot < this.values.length; slot++) {
      if (Math.abs(this.values[slot] as number) < 1e-12) this.values[slot] = 0;
    }
  }
}
