import { describe, it } from "vitest";
import { openSolver } from "../../src/solvers/solver.js";
import { SolverError } from "../../src/solvers/solver-error.js";
import { solverSuite } from "./solver-suite.js";

for (const program of ["cbc", "glpsol"]) {
  const name = `native:${program}`;
  if (await onPath(name)) {
    solverSuite(name, () => openSolver(name), {
      withoutMixedIntegerBound: `${program} states no bound when it is done`,
      withoutStart: `${program} is given no start`,
      withoutInteriorPoint: `${program} is left to choose its method`,
    });
  } else {
    describe(`solver ${name}`, () => {
      it.skip(`the whole suite — skipped: there is no executable "${program}" on the PATH`, () => {});
    });
  }
}

async function onPath(name: string): Promise<boolean> {
  try {
    await (await openSolver(name)).close();
    return true;
  } catch (error) {
    if (error instanceof SolverError && error.kind === "missing") return false;
    throw error;
  }
}
