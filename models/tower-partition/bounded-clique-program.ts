import { InputError } from "../../src/errors/input-error.js";
import type { Grouping } from "../../src/program/grouping/grouping.js";
import { cliqueProgram, type TowerProgram } from "./clique-program.js";

/**
 * More rows than other solvers make anything of: for each size 26 features have 7,800, 60 have 102,660, 100 have
 * 485,100.
 */
const MAX_ROWS = 120_000;

/**
 * The compact program, where it is not too large to be written. Throws `InputError`, naming the instance's file, where
 * it is.
 */
export function boundedCliqueProgram(grouping: Grouping, file: string): TowerProgram {
  const features = grouping.elements.length;
  const sizes = new Set<number>();
  for (const { least, most } of grouping.windows) for (let size = least; size <= most; size++) sizes.add(size);
  const rows = (sizes.size * features * (features - 1) * (features - 2)) / 2;
  if (rows > MAX_ROWS) {
    const message = `expected a compact program of at most ${MAX_ROWS} rows, received one of ${rows} (${features} features in towers of ${sizes.size} ${sizes.size === 1 ? "size" : "sizes"}); other solvers are of no use here`;
    throw new InputError(message, file);
  }
  return cliqueProgram(grouping);
}
