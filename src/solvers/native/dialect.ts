import type { RawAnswer, RunOptions } from "../scaled-model.js";

/** What is known about the problem whose answer is parsed. */
export interface NativeProblem {
  readonly columnCount: number;
  readonly rowCount: number;
  readonly mixed: boolean;
}

/** How one executable is called and its answer read. File names are relative to the folder it runs in. */
export interface NativeDialect {
  /** Arguments that make it end at once, to see whether it is there. */
  readonly probe: readonly string[];
  /** Arguments that solve `model.mps`. */
  command(problem: NativeProblem, options: RunOptions): string[];
  /** Its answer from what it printed and the files it left (`read` gives undefined where there is none). */
  parse(
    problem: NativeProblem,
    printed: string,
    read: (file: string) => Promise<Buffer | undefined>,
  ): Promise<RawAnswer | undefined>;
}
