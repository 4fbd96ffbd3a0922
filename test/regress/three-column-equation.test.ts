import { regress } from "./hostile-program.js";

// Three integers in one equation, none above two thousand. HiGHS 1.15.1 at gap 0 and mip_feasibility_tolerance 1e-9
// claims the optimum 2441600; the optimum is 2456900.
regress("three-column-equation", { solver: "highs", status: "optimal", value: 2441600 });
