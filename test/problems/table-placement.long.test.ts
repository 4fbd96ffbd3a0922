import { instanceCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("table-placement", instanceCommands, [
  { file: "instances/tiny/placement-host-pool.yaml", options: { solver: "highs" }, status: "proved" },
  { file: "instances/tiny/placement-phases.yaml", status: "proved" },
  { file: "instances/tiny/placement-second-goal.yaml", status: "proved" },
  { file: "instances/tiny/placement-migration.yaml", status: "proved" },
]);
