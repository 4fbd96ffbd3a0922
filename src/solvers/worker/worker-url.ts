import { existsSync } from "node:fs";
import { SolverError } from "../solver-error.js";

/**
 * Where the worker's program lies. Beside this module once built; when this module runs as TypeScript source (under
 * vitest), a worker thread of Node 20 could not read its neighbour, and the built one in dist/ is used.
 */
export function workerUrl(moduleUrl: string = import.meta.url): URL {
  if (!moduleUrl.endsWith(".ts")) return new URL("./main.js", moduleUrl);
  const built = new URL("../../../dist/src/solvers/worker/main.js", moduleUrl);
  if (!existsSync(built)) throw new SolverError("missing", "the solver's worker is not built; run `npm run build`");
  return built;
}
