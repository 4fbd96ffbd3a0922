import { groupCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("placement in groups", groupCommands, [
  { file: "instances/tiny/placement-groups.yaml", status: "proved" },
  { file: "instances/tiny/placement-groups-infeasible.yaml", status: "infeasible" },
]);
