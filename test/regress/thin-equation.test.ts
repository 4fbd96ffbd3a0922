import { regress } from "./hostile-program.js";

// Two integers in one equation, a thousand units apart. HiGHS 1.15.1 at gap 0 and mip_feasibility_tolerance 1e-9
// claims the optimum -5990310; the optimum is -5996154.
regress("thin-equation", { solver: "highs", status: "optimal", value: -5990310 });
