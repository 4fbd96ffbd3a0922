import { instanceCommands, torchrecText } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("row-tiers", { ...instanceCommands, handedOn: torchrecText }, [
  { file: "instances/tiny/latency.yaml", status: "proved" },
  { file: "instances/tiny/two-tables-bytes.yaml", status: "proved" },
  { file: "instances/tiny/no-row-wise.yaml", options: { solver: "highs" }, status: "proved" },
]);
