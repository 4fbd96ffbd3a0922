import { programHash } from "../../src/program/hash.js";
import type { PointedProgram } from "./direct-program.js";
import { PROGRAM_NAMES, type ProgramName } from "./program-name.js";

/**
 * The program of a certificate in a plan file of 0.5.0 or before, which has its hash and no name: all are built until one has that
 * hash; `null` where none has. `build` gives `null` for a program that the problem has not.
 */
export function unnamedProgram(build: (name: ProgramName) => PointedProgram | null, hash: unknown) {
  for (const name of PROGRAM_NAMES) {
    const built = build(name);
    if (built !== null && programHash(built.program) === hash) return built;
  }
  return null;
}
