import { regress } from "./hostile-program.js";

// An optimum that lies 9e-8 above the claim, relatively. glpk.js 5.0.0 claims the optimum 345954000; the optimum is
// 345954030.
regress("two-slopes", { solver: "glpk", status: "optimal", value: 345954000 });
