import { regress } from "./hostile-program.js";

// Two equations in three integers, with a solution that is taken for none. HiGHS 1.15.1 at gap 0 and
// mip_feasibility_tolerance 1e-9 claims that there is no feasible point; the optimum is 0.
regress("two-equations", { solver: "highs", status: "infeasible" });
