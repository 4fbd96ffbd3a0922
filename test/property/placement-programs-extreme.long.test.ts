import { expect, test } from "vitest";
import { aggregatedProgram } from "../../models/table-placement/aggregated-program.js";
import { belowCeiling, canHaveCeiling } from "../../models/table-placement/below-ceiling.js";
import { countedProgram } from "../../models/table-placement/counted-program.js";
import { directProgram, type PlacementProgram } from "../../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import { hostsProgram } from "../../models/table-placement/hosts-problem.js";
import { withMemoryAside } from "../../models/table-placement/memory-aside.js";
import { numberedProgram } from "../../models/table-placement/numbered-program.js";
import type { Placement, PlacementProblem } from "../../models/table-placement/problem.js";
import { evaluate } from "../../src/program/evaluate.js";
import { drawFrom } from "../fuzz/oracle/draw.js";
import { withBases, withExtremeNumbers } from "../support/extreme-numbers.js";
import { likeTables } from "../support/like-tables.js";
import { forEachPlacement, tinyPlacement } from "../support/tiny-placement.js";

type Built = Pick<PlacementProgram, "program" | "pointOf">;

/** The programs that a plan may be proved on; the same largest cost as the placement, but for those that only bound it. */
function programsOf(problem: PlacementProblem): readonly (readonly [name: string, built: Built | null])[] {
  return [
    ["direct", directProgram(problem)],
    ["without memory", directProgram(withMemoryAside(problem))],
    ["aggregated", aggregatedProgram(problem)],
    ["counted", countedProgram(problem, true)],
    ["counted without memory", countedProgram(problem, false)],
    ["numbered", numberedProgram(problem)],
    ["hosts", hostsProgram(problem)],
  ];
}

/** The placement's point; `null` where hosts together never come to its cost, so that no bound of theirs is above it. */
function pointIn({ pointOf }: Built, placement: Placement) {
  try {
    return pointOf(placement);
  } catch (error) {
    if (error instanceof RangeError && error.message.includes("above what the program of hosts has")) return null;
    throw error;
  }
}

/** Placements that one problem is tried with. */
const MOST = 60;

test("every placement is a point of every program, of its own cost, whatever the numbers", { timeout: 120_000 }, () => {
  const seen = new Map<string, number>();
  for (let seed = 0; seed < 80; seed++) {
    const draw = drawFrom(seed);
    const plain = draw.oneIn(3) ? likeTables(draw) : tinyPlacement(draw);
    const problem = withBases(withExtremeNumbers(plain, draw), draw);
    const placements: Placement[] = [];
    forEachPlacement(problem, (placement) => {
      if (placements.length < MOST) placements.push(placement);
    });
    if (placements.length === 0) continue;
    for (const [name, built] of programsOf(problem)) {
      if (built === null) continue;
      seen.set(name, (seen.get(name) ?? 0) + placements.length);
      for (const placement of placements) {
        const point = pointIn(built, placement);
        if (point === null) continue;
        const { violations, objective } = evaluate(built.program, point);
        const { objective: cost } = evaluatePlacement(problem, placement);
        expect({ seed, name, violations, cost: objective.toString() }).toEqual({
          seed,
          name,
          violations: [],
          cost: cost.toString(),
        });
      }
    }
    if (!canHaveCeiling(problem)) continue;
    for (const placement of placements.slice(0, 10)) {
      const below = belowCeiling(problem, evaluatePlacement(problem, placement).objective);
      expect(below, `seed ${seed}: a placement is within its own cost`).not.toBeNull();
    }
  }
  expect([...seen.values()].filter((count) => count > 50).length).toBeGreaterThanOrEqual(5);
});
