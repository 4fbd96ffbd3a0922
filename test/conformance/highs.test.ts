import { openSolver } from "../../src/solvers/solver.js";
import { solverSuite } from "./solver-suite.js";

solverSuite("highs", () => openSolver("highs"));
