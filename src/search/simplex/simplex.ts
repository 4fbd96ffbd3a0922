import type { ShouldStop } from "../work.js";
import { Basis } from "./basis.js";
import { dual } from "./dual.js";
import { GrowingProgram, type SimplexColumn, type SimplexRow } from "./growing-program.js";
import { primal } from "./primal.js";
import { sift } from "./sifting.js";

export type { SimplexColumn, SimplexRow } from "./growing-program.js";

/** Pivots after which a solve gives up. */
const MAX_PIVOTS = 50_000;

/** How often a solve goes from one phase to the other, and how many times right-hand sides may be moved. */
const MAX_ROUNDS = 20;
const MAX_MOVED = 5;

/**
 * A simplex for min c·x, A·x = b, x ≥ 0 whose columns and rows are added between solves (the restricted master of column
 * generation and its cuts), in doubles. It stays where it is: after columns were added or costs changed, the primal simplex
 * goes on; after rows were added, the dual simplex takes the basis back to a feasible one. Nothing that it says is trusted:
 * its prices are checked exactly.
 */
export class Simplex {
  readonly #program: GrowingProgram;
  #basis: Basis;

  /** `sides`: b of the rows A·x = b at the beginning. `basis`: columns to begin with, one per row, best a feasible basis. */
  constructor(sides: readonly number[], columns: readonly SimplexColumn[], basis: readonly number[]) {
    this.#program = new GrowingProgram(sides);
    for (const column of columns) this.#program.addColumn(column);
    this.#basis = new Basis(
      this.#program,
      Int32Array.from(basis, (column) => this.#program.outer[column] as number),
    );
  }

  /** Columns given, without the slacks of rows. */
  get columnCount(): number {
    return this.#program.outer.length;
  }

  get rowCount(): number {
    return this.#program.rowCount;
  }

  /** Its number is {@link columnCount} before. */
  addColumn(column: SimplexColumn): void {
    this.#program.addColumn(column);
  }

  /** Adds a row Σ values·x ≤ side, from the next solve on. Its number is {@link rowCount} before. */
  addRow(row: SimplexRow): void {
    this.#program.addRow(row);
  }

  /** Another cost for a column, from the next solve on. */
  setCost(column: number, cost: number): void {
    this.#program.setCost(column, cost);
  }

  /** Whether a row is ≤ and has its slack in the basis: it has no price, and without it nothing changes. */
  isLoose(row: number): boolean {
    const logical = this.#program.logicals[row];
    return (
      logical !== undefined && this.#program.isFixed[logical] === 0 && (this.#basis.slotOf[logical] as number) >= 0
    );
  }

  /** Takes rows out; those behind them move up. Throws `RangeError` for a row that is not {@link isLoose}. */
  dropRows(rows: readonly number[]): void {
    const wrong = rows.find((row) => !this.isLoose(row));
    if (wrong !== undefined) throw new RangeError(`row ${wrong} holds the basis in place`);
    if (rows.length === 0) return;
    this.#settle();
    const places = this.#program.dropRows(new Set(rows));
    const basic = this.#basis.heads.map((column) => places[column] as number).filter((column) => column >= 0);
    this.#basis = new Basis(this.#program, basic);
  }

  /** The objective at the last solution. */
  get objective(): number {
    return this.#basis.objective;
  }

  /** The value of each column at the last solution. */
  values(): Float64Array {
    const { slotOf, values } = this.#basis;
    return Float64Array.from(this.#program.outer, (place) => {
      const slot = slotOf[place] ?? -1;
      return slot < 0 ? 0 : (values[slot] as number);
    });
  }

  /** One price per row at the last solution; those of rows ≤ are not above zero. */
  prices(): Float64Array {
    return this.#basis.prices();
  }

  /**
   * Pivots to an optimum; `false` when it had to give up (stopped, no feasible point or no least value, a limit on pivots,
   * numbers that are not finite, or numerical trouble).
   */
  solve(shouldStop: ShouldStop = () => false): boolean {
    if (!this.#program.isSound) return false;
    this.#settle();
    const basis = this.#basis;
    basis.takeColumns();
    const most = basis.pivots + MAX_PIVOTS;
    const isOver = () => shouldStop(basis.unitsOfPivot) || basis.pivots >= most;
    sift(basis);
    while (optimize(basis, isOver)) if (!sift(basis)) return basis.prices().every(Number.isFinite);
    return false;
  }

  /**
   * What the objective would be with some columns at zero, `null` where that gave up. From an optimum this is a few pivots
   * of the dual simplex; all is as it was afterwards.
   */
  valueWithout(columns: readonly number[], shouldStop: ShouldStop = () => false): number | null {
    this.#settle();
    const before = this.#basis.heads.slice();
    for (const column of columns) this.#program.setFixed(column, true);
    const value = this.solve(shouldStop) ? this.objective : null;
    for (const column of columns) this.#program.setFixed(column, false);
    this.#basis = new Basis(this.#program, before);
    return value;
  }

  /** Takes rows added since the last solve, their slacks basic. */
  #settle(): void {
    const before = this.#program.logicals.length;
    if (!this.#program.takeRows()) return;
    const basic = Int32Array.of(...this.#basis.heads, ...this.#program.logicals.slice(before));
    this.#basis = new Basis(this.#program, basic);
  }
}

/** Pivots to an optimum over the columns looked at; `false` when it had to give up. */
function optimize(basis: Basis, isOver: ShouldStop): boolean {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (!basis.isFeasible) {
      basis.moveCosts();
      const ended = dual(basis, isOver);
      basis.restoreCosts();
      if (ended === "stopped" || (ended === "none" && basis.looksAtAll)) return false;
      if (ended === "none") basis.lookAtAll();
      if (ended !== "done") continue;
    }
    const ended = primal(basis, isOver, round < MAX_MOVED);
    if (basis.isMoved) basis.restoreSides();
    if (ended === "none" || ended === "stopped") return false;
    if (ended === "done" && basis.isFeasible) return true;
  }
  return false;
}
