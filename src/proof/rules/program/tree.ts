import { firstFrom } from "../../../exact/first-from.js";
import { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import { CertificateError, type NamedMultipliers, readNumber, within } from "../../grammar.js";
import { type BoundResult, lagrangianBound, type Multipliers } from "../../kernel/bound.js";
import { type Layout, layoutOf } from "../../kernel/decompose.js";
import { type ExchangeOrder, exchangeOrder } from "../../kernel/exchange.js";
import type { Lattice } from "../../kernel/lattice.js";
import { type Box, type Cut, objectiveLattice, substituteFixed, type View, viewOf } from "../../kernel/view.js";
import type { OpenNodes } from "../rule.js";

/** The upper half of a branching that is still to be visited. */
interface Pending {
  /** The half holds no point that matters. */
  readonly isEmpty: boolean;
  readonly view: View;
  readonly box: Box;
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
  /** Bounds of the view's columns: the node's own. */
  box: Box;
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
    this.box = box;
  }

  get openCount(): number {
    return this.#isOpen ? this.#pending.length + 1 : 0;
  }

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
    return within(step, () => lagrangianBound(this.view, this.box, multipliers, purpose));
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

  /** Substitutes what is fixed. */
  reduce(): void {
    const { view, box } = substituteFixed(this.view, this.box);
    this.view.columns.forEach((index, j) => {
      if (indexIn(view.columns, index) === -1) this.#substituted.set(index, this.box.lower[j] as Rational);
    });
    this.view = view;
    this.box = box;
  }

  /** Goes into the half with column ≤ at and leaves the other open; of a column decided already, one half is empty. */
  split(column: number, decided: Rational | null, at: Rational): void {
    const { view, box, isEmpty } = this;
    const above = { lower: box.lower.slice(), upper: box.upper.slice() };
    this.#pending.push({ isEmpty: isEmpty || (decided !== null && decided.compare(at) <= 0), view, box: above });
    if (decided !== null) {
      if (decided.compare(at) > 0) this.isEmpty = true;
      return;
    }
    const [lower, upper, from] = [box.lower[column] ?? null, box.upper[column] ?? null, at.add(Rational.one)];
    if (lower === null || from.compare(lower) > 0) above.lower[column] = from;
    if (upper === null || at.compare(upper) < 0) box.upper[column] = at;
  }

  /** Closes the current node and goes on with the one that was opened last. */
  close(): void {
    const next = this.#pending.pop();
    if (next === undefined) this.#isOpen = false;
    else ({ isEmpty: this.isEmpty, view: this.view, box: this.box } = next);
  }
}

/** Position of a value in a rising list, or −1. */
function indexIn(rising: readonly number[], value: number): number {
  const place = firstFrom(rising.length, (at) => (rising[at] as number) >= value);
  return rising[place] === value ? place : -1;
}
