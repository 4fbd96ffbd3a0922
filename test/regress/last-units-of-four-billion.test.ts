import { regress } from "./hostile-program.js";

// An optimum that lies 5e-8 below the claim, relatively. glpk.js 5.0.0 claims the optimum -4225538400; the optimum is
// -4225538600.
regress("last-units-of-four-billion", { solver: "glpk", status: "optimal", value: -4225538400 });
