import { regress } from "./hostile-program.js";

// A strip of width five around a hyperplane. HiGHS 1.15.1 at gap 0 and mip_feasibility_tolerance 1e-9 claims the
// optimum 7999984; the optimum is 8000000.
regress("narrow-strip", { solver: "highs", status: "optimal", value: 7999984 });
