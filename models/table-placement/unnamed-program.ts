import { programHash } from "../../src/program/hash.js";
import type { PointedProgram } from "./direct-program.js";
import type { ProgramKind, ProgramName } from "./program-name.js";

/** What a proof could be about when files had no name for it. */
const KINDS: readonly ProgramKind[] = ["hosts", "aggregated", "counted", "counted-memory", "numbered", "direct"];

/**
 * The program of a certificate in a plan file of 0.5.0 or before, which has its hash and no name: all are built until one has that
 * hash; `null` where none has. `build` is as in proved-program.ts.
 */
export function unnamedProgram(
  build: (name: ProgramName) => PointedProgram | null,
  hash: unknown,
): PointedProgram | null {
  for (const kind of KINDS) {
    for (const name of [{ kind, memoryAside: true }, { kind }] as const) {
      const built = build(name);
      if (built !== null && programHash(built.program) === hash) return built;
    }
  }
  return null;
}
