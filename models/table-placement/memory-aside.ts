import type { PointedProgram } from "./direct-program.js";
import type { PlacementProblem } from "./problem.js";
import type { ProgramKind } from "./program-name.js";
import { withNeeds } from "./stage-problem.js";

/**
 * The problem with memory set aside: no shard needs any, so that options which only save memory are dominated and left out of its
 * programs. Every placement of the problem is one of this, of the same cost: bounds of this one are bounds of that. README.md beside
 * this file says more.
 */
export function withMemoryAside(problem: PlacementProblem): PlacementProblem {
  const { ssdBytes: _ssd, ...rest } = problem;
  return {
    ...withNeeds(rest, ({ ssdBytes: _bytes, ...need }) => ({ ...need, hbmBytes: 0, hostBytes: 0 })),
    hbmBytes: problem.hbmBytes.map(() => Number.POSITIVE_INFINITY),
    ...{ hostBytes: null, hostIsPooled: false },
  };
}

/** A program of the problem with memory set aside, by its name in files. */
export function ofMemoryAside<Built extends PointedProgram>(built: Built): Built {
  return { ...built, name: `${built.name as ProgramKind}, memory aside` };
}
