import { jointCommands } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("joint towers", jointCommands, [{ file: "instances/tiny/towers-joint-rows.yaml", status: "proved" }]);
