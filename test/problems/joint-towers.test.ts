import { jointCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("joint towers", jointCommands, [
  { file: "instances/tiny/towers-joint-partly.yaml", status: "proved" },
  { file: "instances/tiny/towers-joint-infeasible.yaml", status: "infeasible" },
]);
