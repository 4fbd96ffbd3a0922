import { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import {
  CertificateError,
  type DecomposeStep,
  type NamedMultipliers,
  readNumber,
  type Step,
} from "../../certificate.js";
import { lagrangianBound, type Multipliers } from "../../kernel/bound.js";
import { type Decomposition, decompose } from "../../kernel/decompose.js";
import { type ExchangeOrder, excludeExchangeable, reduceOrder } from "../../kernel/exchange.js";
import { exchangeOrder } from "../../kernel/exchange-order.js";
import { fixByReducedCost } from "../../kernel/fix.js";
import { type Lattice, roundUp } from "../../kernel/lattice.js";
import { partitionBelow } from "../../kernel/partition/partition.js";
import { propagate } from "../../kernel/propagate.js";
import { roundRows } from "../../kernel/round.js";
import { type Box, localIndex, objectiveLattice, substituteFixed, type View, viewOf } from "../../kernel/view.js";
import { sumOfBlocks } from "./decompose.js";
import { enumerateBelow } from "./enumeration/enumerate.js";

/** A change of one column's bounds, to be undone when the walk returns to an earlier node. */
interface Change {
  readonly column: number;
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

/** The upper half of a branching that is still to be visited, with the state in which it was opened. */
interface Pending {
  /** The half holds no point that matters. */
  readonly empty: boolean;
  readonly view: View;
  readonly box: Box;
  readonly trail: Change[];
  readonly mark: number;
  /** The view's column to raise to `from`; −1 where nothing is to be raised. */
  readonly column: number;
  readonly from: Rational;
}

/** What a walk may be told beside its program and claim. */
export interface WalkOptions {
  readonly around?: Surroundings;
  /** Called between steps, and within long ones; what it throws ends the walk. */
  readonly checkTime?: () => void;
}

/** What a walk knows of names that its program does not have: parts of a larger program that are decided there. */
export interface Surroundings {
  /** The value of a decided column, `undefined` where there is no such column. */
  readonly valueOf: (column: string) => Rational | undefined;
  /** Whether a row is one that its decided columns already satisfy. */
  readonly isSatisfied: (row: string) => boolean;
}

/**
 * A walk through the steps of a certificate, in exact arithmetic, trusting nothing but the program. Each step's cost is
 * linear in the columns its node leaves open.
 */
export class Walk {
  readonly #program: Program;
  readonly #around: Surroundings | null;
  readonly #checkTime: () => void;
  /** The claimed bound of the minimisation, `null` for a claim of infeasibility. */
  readonly #target: Rational | null;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #lattices = new Map<View, Lattice | null>();
  readonly #pending: Pending[] = [];
  readonly #groups: View["groups"];
  readonly #integer: readonly boolean[];
  #order: ExchangeOrder | null | undefined;
  #view: View;
  #box: Box;
  #trail: Change[] = [];
  #open = true;
  /** No point of the current node can be better than the claim: every step below it is vacuous. */
  #empty = false;
  /** Values of the program's columns that fixing has substituted on the way to the current node. */
  readonly #substituted = new Map<number, Rational>();

  /** `target`: the claimed bound of the minimisation, `null` for a claim of infeasibility. */
  constructor(program: Program, target: Rational | null, { around, checkTime = () => {} }: WalkOptions = {}) {
    this.#program = program;
    this.#target = target;
    this.#around = around ?? null;
    this.#checkTime = checkTime;
    this.#rows = new Map(program.rows.map((row, index) => [row.name, index]));
    this.#columns = new Map(program.columns.map((column, index) => [column.name, index]));
    const { view, box } = viewOf(program);
    this.#groups = view.groups;
    this.#integer = view.integer;
    this.#view = view;
    this.#box = box;
  }

  /**
   * Takes steps, from the one at `from` on, until every node is closed; returns the index of the next step. With `empty`
   * the program is known to hold no point that matters, and the steps need only be well formed.
   *
   * Throws {@link CertificateError} with the step's number.
   */
  run(steps: readonly Step[], from: number, empty = false): number {
    this.#empty = empty;
    let index = from;
    for (; this.#open; index++) {
      this.#checkTime();
      const step = steps[index];
      const number = index + 1;
      if (step === undefined) {
        throw new CertificateError(number, `missing: ${this.#pending.length + 1} nodes are still open`);
      }
      if ("branch" in step) this.#branch(step.branch, readNumber(step.at, number), number);
      else if ("fix" in step) this.#fix(this.#resolve(step.fix, number), number);
      else if ("propagate" in step) this.#propagate();
      else if ("round" in step) this.#round(this.#resolve(step.round, number), number);
      else if ("exchange" in step) this.#exchange(number);
      else if ("bound" in step) this.#closeByBound(this.#resolve(step.bound, number), number);
      else if ("infeasible" in step) this.#closeByInfeasibility(this.#resolve(step.infeasible, number), number);
      else if ("enumerate" in step) {
        const sets = step.enumerate.map((set) => this.#resolve(set, number));
        this.#closeByEnumeration(sets, number);
      } else if ("partition" in step) this.#closeByPartition(step.partition, number);
      else if ("decompose" in step) this.#closeByDecomposition(step, number);
      else throw new CertificateError(number, "this step is of a grouping, not of a program");
    }
    return index;
  }

  #branch(name: string, at: Rational, step: number): void {
    const index = this.#columns.get(name);
    const decided = index === undefined ? this.#around?.valueOf(name) : undefined;
    if (index === undefined && decided === undefined) throw new CertificateError(step, `there is no column "${name}"`);
    if (index !== undefined && this.#integer[index] !== true) {
      throw new CertificateError(step, `column "${name}" is not an integer`);
    }
    if (!at.isInteger()) throw new CertificateError(step, `a branching needs an integer, ${at} is there`);
    const column = index === undefined ? -1 : indexIn(this.#view.columns, index);
    const value = column === -1 ? (decided ?? (this.#substituted.get(index as number) as Rational)) : null;
    this.#pending.push({
      empty: this.#empty || (value !== null && value.compare(at) <= 0),
      view: this.#view,
      box: this.#box,
      trail: this.#trail,
      mark: this.#trail.length,
      column,
      from: at.add(Rational.one),
    });
    // Fixing with the final bound may have settled a column that was still open when the branching was recorded.
    if (value !== null) {
      if (value.compare(at) > 0) this.#empty = true;
      return;
    }
    const upper = this.#box.upper[column] as Rational | null;
    if (upper === null || at.compare(upper) < 0)
      this.#setBounds(column, this.#box.lower[column] as Rational | null, at);
  }

  #fix(multipliers: Multipliers, step: number): void {
    if (this.#target === null) throw new CertificateError(step, "a proof of infeasibility has no cutoff to fix by");
    const result = this.#bound(multipliers, "bound", step);
    // A node whose bound reaches the claim already holds nothing of interest, whatever is said of it from here on.
    if (result.infeasible || (result.bound !== null && result.bound.compare(this.#target) >= 0)) this.#empty = true;
    fixByReducedCost(this.#view, this.#box, result, this.#target, (column, lower, upper) => {
      this.#trail.push({ column, lower, upper });
    });
    this.#reduce();
  }

  #propagate(): void {
    const some = propagate(this.#view, this.#box, (column, lower, upper) => {
      this.#trail.push({ column, lower, upper });
    });
    if (!some) this.#empty = true;
    this.#reduce();
  }

  #round(factors: Multipliers, step: number): void {
    this.#view = within(step, () => roundRows(this.#view, this.#box, factors));
    this.#reduce();
  }

  #exchange(step: number): void {
    const order = this.#view.order ?? this.#orderHere();
    if (order === null) {
      // What is decided around this program may have left no two groups: then there is nothing to leave out.
      if (this.#around !== null) return;
      throw new CertificateError(step, "no two groups of the program may exchange units");
    }
    this.#view = { ...this.#view, order };
    const { groups, groupOf } = this.#view;
    const some = excludeExchangeable(order, groups, groupOf, this.#box, (column, lower, upper) => {
      this.#trail.push({ column, lower, upper });
    });
    if (!some) this.#empty = true;
    this.#reduce();
  }

  /** The program's exchanges, for the columns that are open here. */
  #orderHere(): ExchangeOrder | null {
    if (this.#order === undefined) this.#order = exchangeOrder(this.#program, this.#groups);
    if (this.#order === null) return null;
    const local = localIndex(this.#view, this.#program.columns.length);
    return reduceOrder(this.#order, local, (column) => (this.#substituted.get(column) as Rational).sign() > 0);
  }

  /** Substitutes what is fixed. Open ancestors keep the old box and trail, and undo them when the walk comes back. */
  #reduce(): void {
    const { view, box } = substituteFixed(this.#view, this.#box);
    this.#view.columns.forEach((index, j) => {
      if (indexIn(view.columns, index) === -1) this.#substituted.set(index, this.#box.lower[j] as Rational);
    });
    this.#view = view;
    this.#box = box;
    this.#trail = [];
  }

  #closeByBound(multipliers: Multipliers, step: number): void {
    const { bound, infeasible } = this.#bound(multipliers, "bound", step);
    if (!infeasible && !this.#empty) this.#requireBound(bound, step);
    this.#close();
  }

  #closeByInfeasibility(multipliers: Multipliers, step: number): void {
    const { bound, infeasible } = this.#bound(multipliers, "infeasibility", step);
    if (!infeasible && !this.#empty) this.#requireInfeasible(bound, step);
    this.#close();
  }

  #requireBound(bound: Rational | null, step: number): void {
    if (this.#target === null)
      throw new CertificateError(step, "the node was claimed infeasible, a bound does not show it");
    if (bound === null) throw new CertificateError(step, "the multipliers leave a free column with a cost: no bound");
    const lattice = this.#lattice();
    const reached = lattice === null ? bound : roundUp(bound, lattice);
    // `null`: the objective has one value left, and it is below the bound, so that no point is.
    if (reached !== null && reached.compare(this.#target) < 0) {
      throw new CertificateError(
        step,
        `the multipliers prove ${reached.toNumber()}, below the claim of ${this.#target.toNumber()}`,
      );
    }
  }

  #requireInfeasible(bound: Rational | null, step: number): void {
    if (bound === null || bound.sign() <= 0) {
      throw new CertificateError(step, "the multipliers do not show that the node is infeasible");
    }
  }

  #closeByEnumeration(sets: readonly Multipliers[], step: number): void {
    if (!this.#empty) {
      const { kind } = within(step, () => enumerateBelow(this.#view, this.#box, sets, this.#target));
      if (kind === "found") throw new CertificateError(step, "the node has a point that is better than the claim");
      if (kind === "too-many") throw new CertificateError(step, "the node has too many points to go through");
    }
    this.#close();
  }

  #closeByPartition(loads: readonly string[], step: number): void {
    if (!this.#empty) {
      const rows = loads.map((name) => this.#rowNamed(name, step));
      const { kind } = within(step, () => partitionBelow(this.#view, this.#box, rows, this.#target, this.#checkTime));
      if (kind === "found")
        throw new CertificateError(step, "sets of tables are left that may be better than the claim");
    }
    this.#close();
  }

  #closeByDecomposition(step: DecomposeStep, number: number): void {
    const parts = this.#takeApart(step, number);
    if (!parts.infeasible && !this.#empty) {
      const sum = sumOfBlocks(step, parts.blocks, number, (program, least, steps) => {
        const next = new Walk(program, least, { checkTime: this.#checkTime }).run(steps, 0);
        if (next < steps.length) throw new CertificateError(next + 1, "this step is left over");
      });
      const total = parts.rest?.add(sum) ?? null;
      if (step.purpose === "bound") this.#requireBound(total, number);
      else this.#requireInfeasible(total, number);
    }
    this.#close();
  }

  #takeApart(step: DecomposeStep, number: number): Decomposition {
    if (this.#around !== null) throw new CertificateError(number, "a ladder is not taken apart into blocks");
    const links = new Set<number>();
    for (const name of step.links) {
      const index = this.#columns.get(name);
      if (index === undefined) throw new CertificateError(number, `there is no column "${name}"`);
      const column = indexIn(this.#view.columns, index);
      if (column !== -1) links.add(column);
    }
    const blocks = step.blocks.map(({ rows }) => rows.map((name) => this.#rowNamed(name, number)));
    const multipliers = this.#resolve(step.decompose, number);
    const purpose = step.purpose === "bound" ? "bound" : "infeasibility";
    const names = {
      row: (index: number) => this.#program.rows[index]?.name as string,
      column: (index: number) => this.#program.columns[index]?.name as string,
    };
    return within(number, () => decompose(this.#view, this.#box, multipliers, links, blocks, purpose, names));
  }

  #rowNamed(name: string, step: number): number {
    const row = this.#rows.get(name);
    if (row === undefined) throw new CertificateError(step, `there is no row "${name}"`);
    return row;
  }

  #close(): void {
    const next = this.#pending.pop();
    if (next === undefined) {
      this.#open = false;
      return;
    }
    this.#view = next.view;
    this.#box = next.box;
    this.#trail = next.trail;
    this.#undo(next.mark);
    this.#empty = next.empty;
    if (next.column === -1) return;
    const lower = this.#box.lower[next.column] as Rational | null;
    if (lower === null || next.from.compare(lower) > 0) {
      this.#setBounds(next.column, next.from, this.#box.upper[next.column] as Rational | null);
    }
  }

  #bound(multipliers: Multipliers, purpose: "bound" | "infeasibility", step: number) {
    return within(step, () => lagrangianBound(this.#view, this.#box, multipliers, purpose));
  }

  /** The fewer columns are open, the coarser the lattice of their objectives. */
  #lattice(): Lattice | null {
    let lattice = this.#lattices.get(this.#view);
    if (lattice === undefined) {
      lattice = objectiveLattice(this.#view);
      this.#lattices.set(this.#view, lattice);
    }
    return lattice;
  }

  #resolve(named: NamedMultipliers, step: number): Multipliers {
    const multipliers = new Map<number, Rational>();
    for (const [name, value] of Object.entries(named)) {
      const row = this.#rows.get(name);
      if (row !== undefined) multipliers.set(row, readNumber(value, step));
      else if (this.#around?.isSatisfied(name) !== true) {
        throw new CertificateError(step, `there is no row "${name}" in "${this.#program.name}"`);
      }
    }
    return multipliers;
  }

  #setBounds(column: number, lower: Rational | null, upper: Rational | null): void {
    this.#trail.push({
      column,
      lower: this.#box.lower[column] as Rational | null,
      upper: this.#box.upper[column] as Rational | null,
    });
    this.#box.lower[column] = lower;
    this.#box.upper[column] = upper;
  }

  #undo(mark: number): void {
    while (this.#trail.length > mark) {
      const change = this.#trail.pop() as Change;
      this.#box.lower[change.column] = change.lower;
      this.#box.upper[change.column] = change.upper;
    }
  }
}

/** Does a step's work; what it cannot be done with is the certificate's fault. */
export function within<T>(step: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new CertificateError(step, error.message);
    throw error;
  }
}

/** Position of a value in a rising list, or −1. */
function indexIn(rising: readonly number[], value: number): number {
  let from = 0;
  let to = rising.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((rising[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return rising[from] === value ? from : -1;
}
