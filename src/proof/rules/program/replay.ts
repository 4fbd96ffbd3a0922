import type { Rational } from "../../../exact/rational.js";
import type { Program } from "../../../program/program.js";
import { CertificateError } from "../../grammar.js";
import { PROGRAM_RULES } from "../registry.js";
import { replay } from "../rule.js";
import { ProgramTree, type Prove, type ReplayOptions } from "./tree.js";

/**
 * Replays steps about a program, in exact arithmetic, trusting nothing but the program. `target`: the claimed bound of the
 * minimisation, `null` for a claim of infeasibility. See {@link replay}.
 */
export function replayProgram(
  program: Program,
  target: Rational | null,
  steps: readonly object[],
  options: ReplayOptions,
  from = 0,
): number {
  const { checkTime } = options;
  const prove: Prove = (block, least, own) => {
    const next = replayProgram(block, least, own as readonly object[], checkTime === undefined ? {} : { checkTime });
    if (next < own.length) throw new CertificateError(next + 1, "this step is left over");
  };
  const tree = new ProgramTree(program, target, options, prove);
  return replay(tree, PROGRAM_RULES, steps, from, "this step is of a grouping, not of a program");
}
