import type { Solver } from "./claim.js";
import { SolverError } from "./solver-error.js";

/**
 * Opens a backend by name: `highs`, `glpk` (GPL-3.0, an optional dependency), or `native:PROGRAM` for an executable on
 * the PATH (`cbc`, `glpsol`). Throws `SolverError` of kind `missing` when it is not installed and `unsupported` when
 * the name is not known.
 */
export async function openSolver(name: string): Promise<Solver> {
  if (name === "highs") return (await import("./worker-solvers.js")).openHighs();
  if (name === "glpk") return (await import("./worker-solvers.js")).openGlpk();
  if (name.startsWith("native:")) return (await import("./native.js")).openNative(name.slice("native:".length));
  throw new SolverError("unsupported", `there is no solver "${name}"; choose highs, glpk, native:cbc or native:glpsol`);
}
