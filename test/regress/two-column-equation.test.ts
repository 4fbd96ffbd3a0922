import { regress } from "./hostile-program.js";

// Two integers in one equation: the multiples of 900 that fit are lost in presolve. HiGHS 1.15.1 at its defaults, and
// at gap 0 claims the optimum -51778650; the optimum is -51841650.
regress("two-column-equation", { solver: "highs", status: "optimal", value: -51778650 });
