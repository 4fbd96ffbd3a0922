import { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import { CertificateError, type NamedMultipliers, readNumber, within } from "../../grammar.js";
import { type BoundResult, lagrangianBound, type Multipliers } from "../../kernel/bound.js";
import { type Layout, layoutOf } from "../../kernel/decompose.js";
import { type ExchangeOrder, exchangeOrder } from "../../kernel/exchange.js";
import type { Lattice } from "../../kernel/lattice.js";
import { type Box, type Cut, objectiveLattice, substituteFixed, type View, viewOf } from "../../kernel/view.js";
import type { OpenNodes } from "../rule.js";

/** A change of one column's bounds, to be undone when the replay returns to an earlier node. */
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

/** What a replay may be told beside its program and claim. */
export interface ReplayOptions {
  readonly around?: Surroundings;
  /** Called between steps, and within long ones; what it throws ends the replay. */
  readonly checkTime?: () => void;
  /** The program is known to hold no point that matters, and the steps need only be well formed. */
  readonly isEmpty?: boolean;
}

/** What a replay knows of names that its program does not have: parts of a larger program that are decided there. */
export interface Surroundings {
  /** The value of a decided column, `undefined` where there is no such column. */
  readonly valueOf: (column: string) => Rational | undefined;
  /** Whether a row is one that its decided columns already satisfy. */
  readonly isSatisfied: (row: string) => boolean;
}

/** Replays steps that prove a minimum of a program; all of them are taken, or {@link CertificateError} is thrown. */
export type Prove = (program: Program, least: Rational, steps: readonly unknown[]) => void;

/**
 * The branching tree of a proof about a program, while its steps are taken: the current node as a view and a box, and the
 * upper halves that are still open. Each step's cost is linear in the columns its node leaves open.
 */
export class ProgramTree implements OpenNodes {
  readonly program: Program;
  /** The claimed bound of the minimisation, `null` for a claim of infeasibility. */
  readonly target: Rational | null;
  readonly around: Surroundings | null;
  readonly checkTime: () => void;
  readonly prove: Prove;
  view: View;
  readonly #integer: readonly boolean[];
  /** No point of the current node can be better than the claim: every step below it is vacuous. */
  isEmpty: boolean;
  readonly #rows: ReadonlyMap<string, number>;
  readonly #columns: ReadonlyMap<string, number>;
  /** Indices of all cuts so far, behind those of rows. */
  readonly #cuts = new Map<string, number>();
  readonly #lattices = new WeakMap<View, Lattice | null>();
  /** The last one asked for: nodes of a tree are often taken apart alike. */
  #layout: { readonly key: string; readonly layout: Layout } | null = null;
  readonly #pending: Pending[] = [];
  readonly #groups: View["groups"];
  #order: ExchangeOrder | null | undefined;
  #box: Box;
  #trail: Change[] = [];
  #isOpen = true;
  /** Values of the program's columns that fixing has substituted on the way to the current node. */
  readonly #substituted = new Map<number, Rational>();

  constructor(program: Program, target: Rational | null, options: ReplayOptions, prove: Prove) {
    this.program = program;
    this.target = target;
    this.around = options.around ?? null;
    this.checkTime = options.checkTime ?? (() => {});
    this.isEmpty = options.isEmpty ?? false;
    this.prove = prove;
    this.#rows = new Map(program.rows.map((row, index) => [row.name, index]));
    this.#columns = new Map(program.columns.map((column, index) => [column.name, index]));
    const { view, box } = viewOf(program);
    this.#groups = view.groups;
    this.#integer = view.integer;
    this.view = view;
    this.#box = box;
  }

  get openCount(): number {
    return this.#isOpen ? this.#pending.length + 1 : 0;
  }

  /** Bounds of the view's columns; what changes them is to `record` the old ones. */
  get box(): Box {
    return this.#box;
  }

  readonly record = (column: number, lower: Rational | null, upper: Rational | null): void => {
    this.#trail.push({ column, lower, upper });
  };

  columnNamed(name: string): number | undefined {
    return this.#columns.get(name);
  }

  rowNamed(name: string, step: number): number {
    const row = this.#rows.get(name);
    if (row === undefined) throw new CertificateError(step, `there is no row "${name}"`);
    return row;
  }

  multipliers(named: NamedMultipliers, step: number): Multipliers {
    const multipliers = new Map<number, Rational>();
    for (const [name, value] of Object.entries(named)) {
      const row = this.#rows.get(name) ?? this.#cuts.get(name);
      if (row !== undefined) multipliers.set(row, readNumber(value, step));
      else if (this.around?.isSatisfied(name) !== true) {
        throw new CertificateError(step, `there is no row "${name}" in "${this.program.name}"`);
      }
    }
    return multipliers;
  }

  /** Adds a cut to the current node, and with it to those below. */
  addCut(name: string, cut: Cut, step: number): void {
    if (this.#rows.has(name) || this.#cuts.has(name) || this.around?.isSatisfied(name) === true) {
      throw new CertificateError(step, `there is a row or cut "${name}" already`);
    }
    const index = this.#rows.size + this.#cuts.size;
    this.#cuts.set(name, index);
    this.view = { ...this.view, cuts: new Map(this.view.cuts).set(index, cut) };
  }

  /** Whether one of the program's columns is an integer, or implied to be. */
  isInteger(index: number): boolean {
    return this.#integer[index] === true;
  }

  /** The view's column of one of the program's, −1 where it is substituted. */
  localOf(index: number): number {
    return indexIn(this.view.columns, index);
  }

  /** The value of one of the program's columns that is substituted here. */
  valueOf(index: number): Rational {
    return this.#substituted.get(index) as Rational;
  }

  bound(named: NamedMultipliers, purpose: "bound" | "infeasibility", step: number): BoundResult {
    const multipliers = this.multipliers(named, step);
    return within(step, () => lagrangianBound(this.view, this.#box, multipliers, purpose));
  }

  /** The values of the objective here: the fewer columns are open, the coarser their lattice. */
  lattice(): Lattice | null {
    let lattice = this.#lattices.get(this.view);
    if (lattice === undefined) {
      lattice = objectiveLattice(this.view);
      this.#lattices.set(this.view, lattice);
    }
    return lattice;
  }

  /** How blocks of rows split the view, and the columns that link them. */
  layout(links: readonly string[], blocks: readonly { readonly rows: readonly string[] }[], step: number): Layout {
    const key = JSON.stringify([links, blocks.map(({ rows }) => rows)]);
    if (this.#layout?.layout.view === this.view && this.#layout.key === key) return this.#layout.layout;
    const linking = new Set<number>();
    for (const name of links) {
      const index = this.columnNamed(name);
      if (index === undefined) throw new CertificateError(step, `there is no column "${name}"`);
      const column = this.localOf(index);
      if (column !== -1) linking.add(column);
    }
    const rows = blocks.map((block) => block.rows.map((name) => this.rowNamed(name, step)));
    const layout = within(step, () => layoutOf(this.view, linking, rows));
    this.#layout = { key, layout };
    return layout;
  }

  /** The program's exchanges; `null` where there are none. */
  exchanges(): ExchangeOrder | null {
    if (this.#order === undefined) this.#order = exchangeOrder(this.program, this.#groups);
    return this.#order;
  }

  /** Substitutes what is fixed. Open ancestors keep the old box and trail, and undo them when the replay comes back. */
  reduce(): void {
    const { view, box } = substituteFixed(this.view, this.#box);
    this.view.columns.forEach((index, j) => {
      if (indexIn(view.columns, index) === -1) this.#substituted.set(index, this.#box.lower[j] as Rational);
    });
    this.view = view;
    this.#box = box;
    this.#trail = [];
  }

  /** Goes into the half with column ≤ at and leaves the other open; of a column decided already, one half is empty. */
  split(column: number, decided: Rational | null, at: Rational): void {
    this.#pending.push({
      empty: this.isEmpty || (decided !== null && decided.compare(at) <= 0),
      view: this.view,
      box: this.#box,
      trail: this.#trail,
      mark: this.#trail.length,
      column,
      from: at.add(Rational.one),
    });
    if (decided !== null) {
      if (decided.compare(at) > 0) this.isEmpty = true;
      return;
    }
    const upper = this.#box.upper[column] as Rational | null;
    if (upper === null || at.compare(upper) < 0)
      this.#setBounds(column, this.#box.lower[column] as Rational | null, at);
  }

  /** Closes the current node and goes on with the one that was opened last. */
  close(): void {
    const next = this.#pending.pop();
    if (next === undefined) {
      this.#isOpen = false;
      return;
    }
    this.view = next.view;
    this.#box = next.box;
    this.#trail = next.trail;
    this.#undo(next.mark);
    this.isEmpty = next.empty;
    if (next.column === -1) return;
    const lower = this.#box.lower[next.column] as Rational | null;
    if (lower === null || next.from.compare(lower) > 0) {
      this.#setBounds(next.column, next.from, this.#box.upper[next.column] as Rational | null);
    }
  }

  #setBounds(column: number, lower: Rational | null, upper: Rational | null): void {
    this.record(column, this.#box.lower[column] as Rational | null, this.#box.upper[column] as Rational | null);
    this.#box.lower[column] = lower;
    this.#box.upper[column] = upper;
  }

  #undo(mark: number): void {
    while (this.#trail.length > mark) {
      const { column, lower, upper } = this.#trail.pop() as Change;
      this.#box.lower[column] = lower;
      this.#box.upper[column] = upper;
    }
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
