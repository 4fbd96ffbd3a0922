import type { Program } from "../program.js";
import type { Dialect, ReadingRules } from "./dialect.js";
import type { Note } from "./notes.js";

/** A program as a file has it, and what the reader has to say of the reading. */
export interface ReadModel {
  readonly program: Program;
  /**
   * What other readers take differently, what was skipped, and where a default is easily forgotten: one note a kind, with
   * the line of the first.
   */
  readonly notes: readonly Note[];
}

/** How a file is read. */
export interface ReadingOptions {
  /** Whose rules are followed where readers differ; default `cplex`. */
  readonly dialect?: Dialect;
  /** Rules other than the dialect's, such as those by which a solver writes; notes speak of the dialect. */
  readonly rules?: ReadingRules;
}
