import { estimatedEntries } from "../../../../models/table-placement/estimated-entries.js";
import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import { InputError } from "../../../errors/input-error.js";

/** A direct program of more entries takes more memory than most have, its file more characters than a text may. */
const MAX_BUILT_ENTRIES = 10_000_000;

/** Throws `InputError` where the direct program is too large to be built: for other solvers, and as a file. */
export function requireDirectProgram(problem: PlacementProblem, file: string | undefined): void {
  const entries = estimatedEntries(problem);
  if (entries <= MAX_BUILT_ENTRIES) return;
  const inWords = (count: number) => count.toLocaleString("en");
  const received = `about ${inWords(entries)}, as every shard has a column for every device`;
  const advice = "`plan` without --solver proves its plan on a smaller program, which `export PLAN --to vipr` writes";
  const expected = `expected a placement whose program has at most ${inWords(MAX_BUILT_ENTRIES)} entries`;
  throw new InputError(`${expected}, received one of ${received}; ${advice}`, file);
}
