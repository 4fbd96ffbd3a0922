import { regress } from "./hostile-program.js";

// An optimum that lies 1e-8 below the claim, relatively. glpk.js 5.0.0 claims the optimum -950922354; the optimum is
// -950922364.
regress("cheap-last-unit", { solver: "glpk", status: "optimal", value: -950922354 });
