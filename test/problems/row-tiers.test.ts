import { instanceCommands, torchrecText } from "../support/instance-commands.js";
import { problemSuite } from "../support/problem-suite.js";

problemSuite("row-tiers", { ...instanceCommands, handedOn: torchrecText }, [
  { file: "instances/tiny/three-tiers-exposed.yaml", status: "proved" },
  { file: "instances/tiny/row-moves.yaml", status: "proved" },
  { file: "instances/tiny/infeasible.yaml", status: "infeasible" },
  { file: "instances/tiny/one-node.yaml", options: { method: "flexshard-3tier" }, status: "heuristic" },
]);
