import { instanceCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("tower-partition", instanceCommands, [
  { file: "instances/tiny/towers-diverse.yaml", options: { solver: "highs" }, status: "proved" },
  { file: "instances/tiny/towers-no-sizes.yaml", status: "infeasible" },
]);
