import { instanceCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("table-placement under a learned cost", instanceCommands, [
  { file: "instances/costs/learned-10x2.yaml", options: { method: "predicted-greedy" }, status: "heuristic" },
]);
