import { instanceCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("table-placement", instanceCommands, [
  { file: "instances/tiny/placement-given.yaml", status: "proved" },
  { file: "instances/tiny/placement-infeasible.yaml", status: "infeasible" },
  { file: "instances/tiny/placement-lookup.yaml", options: { method: "lookup-greedy" }, status: "heuristic" },
]);
