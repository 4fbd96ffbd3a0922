import { type PlacementHeuristic, unknownConstraint } from "../heuristic.js";
import type { Partitioner } from "./greedy-perf-partitioner.js";
import { runPlanner } from "./planner.js";
import type { Proposer } from "./proposer.js";
import { searchSpace } from "./search-space.js";

/** TorchRec's planner with these proposers and this partitioner. */
export function torchrecPlanner(proposers: readonly Proposer[], partition: Partitioner): PlacementHeuristic {
  return (problem, context) => {
    const unknown = unknownConstraint(problem);
    if (unknown) return unknown;
    const space = searchSpace(problem, context);
    const { placement, proposals } = runPlanner(space, proposers, partition, context.shouldStop);
    if (placement !== null) return { kind: "plan", placement };
    const which = proposals === 1 ? "its only proposal" : `any of its ${proposals} proposals`;
    const reason = `its partitioner could not place ${which}`;
    return { kind: "none", reason };
  };
}
