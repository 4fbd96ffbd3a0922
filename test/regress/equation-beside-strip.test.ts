import { regress } from "./hostile-program.js";

// An equation and a strip in three integers, with a solution that is taken for none. HiGHS 1.15.1 at gap 0 and
// mip_feasibility_tolerance 1e-9, its rows scaled claims that there is no feasible point; the optimum is 0.
regress("equation-beside-strip", { solver: "highs", status: "infeasible" });
