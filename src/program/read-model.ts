import type { Program } from "./program.js";

/** A program as a file has it, and what the reader has to say of the reading. */
export interface ReadModel {
  readonly program: Program;
  /**
   * One sentence, with its line, for each thing that a person would want to know: what was skipped, and where the
   * format's default is easily forgotten.
   */
  readonly notes: readonly string[];
}
