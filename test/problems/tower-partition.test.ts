import { instanceCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("tower-partition", instanceCommands, [
  { file: "instances/tiny/towers-load-sizes.yaml", status: "proved" },
  { file: "instances/tiny/towers-infeasible-load.yaml", status: "infeasible" },
  { file: "instances/tiny/towers-kmeans.yaml", options: { method: "tp" }, status: "heuristic" },
]);
