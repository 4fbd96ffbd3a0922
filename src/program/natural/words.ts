import type { Rational } from "../../exact/rational.js";

/**
 * What a problem says of its program, for people and for other solvers: names that say what they stand for, and the units
 * that numbers are told in. {@link naturalProgram} puts it to use; it knows no problem.
 */
export interface Words {
  /** One line: what the program is of. */
  readonly title: string;
  /** What the capital letters of patterns stand for. */
  readonly letters: Readonly<Record<string, Letter>>;
  readonly columns: readonly Pattern[];
  readonly rows: readonly Pattern[];
  /** What the objective is told in. Its own unit is the plan's. */
  readonly objective: Quantity | null;
  /** Further lines of the comment: names that had to be changed, what an index stands for. */
  readonly legend: readonly string[];
}

/**
 * How an index in a name is written and what it is: `text` is what stands there, `before` are the texts of the letters before
 * it. Two different indices have different labels.
 */
export interface Letter {
  readonly says: string;
  label(text: string, before: Readonly<Record<string, string>>): string;
}

/** How names of one kind are read and written. */
export interface Pattern {
  /** The program's own name: words and capital letters between underscores; W stands for the rest of the name. `n_T_O_D`. */
  readonly own: string;
  /** What is written: `shards.T.O.D`. A letter stands alone between dots. */
  readonly name: string;
  readonly says: string;
  /** What a row's numbers are, or the values of a continuous column. Absent: they are counts, and stay as they are. */
  readonly quantity?: Quantity;
}

/** A number of the program is worth `per` of the measure's plain unit. */
export interface Quantity {
  readonly measure: Measure;
  readonly per: Rational;
}

/**
 * What is measured, in one unit throughout the file: the first one that leaves no number too small or too large for other
 * solvers, else the one that suits the largest best.
 */
export interface Measure {
  /** `memory`, `costs`. */
  readonly name: string;
  readonly units: readonly Unit[];
}

/** `size` of the measure's plain unit is one of these. */
export interface Unit {
  readonly name: string;
  readonly size: Rational;
}
