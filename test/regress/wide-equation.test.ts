import { regress } from "./hostile-program.js";

// Three integers in one equation, up to seven million. HiGHS 1.15.1 at gap 0 and mip_feasibility_tolerance 1e-9
// claims the optimum -657541321; the optimum is -657541726.
regress("wide-equation", { solver: "highs", status: "optimal", value: -657541321 });
