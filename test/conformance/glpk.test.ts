import { openSolver } from "../../src/solvers/solver.js";
import { solverSuite } from "./solver-suite.js";

solverSuite("glpk", () => openSolver("glpk"), {
  withoutMixedIntegerBound: "GLPK's binding gives no bound of a mixed-integer solve",
  withoutStart: "GLPK takes no start",
  withoutInteriorPoint: "GLPK's binding offers the simplex only",
});
