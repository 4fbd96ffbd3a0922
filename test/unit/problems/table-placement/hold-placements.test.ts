import { describe, expect, test } from "vitest";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem, Stage } from "../../../../models/table-placement/problem.js";
import { ContradictionError } from "../../../../src/errors/contradiction-error.js";
import { Rational } from "../../../../src/exact/rational.js";
import { type HeldParts, holdPlacements } from "../../../../src/problems/table-placement/plan-file/hold-placements.js";
import type { StageOutcome } from "../../../../src/problems/table-placement/plan-file/stages.js";

/** Two tables on two devices of 10 bytes; each is cheap and large, or costly and small. */
const problem: PlacementProblem = {
  name: "two",
  ...{ nodes: 1, gpusPerNode: 2, hbmBytes: [10, 10], hostBytes: null, hostIsPooled: false, together: [], apart: [] },
  tables: ["a", "b"].map((name) => ({
    name,
    devices: null,
    options: [
      { cost: 2, hbmBytes: 8 },
      { cost: 3, hbmBytes: 5 },
      { cost: 5, hbmBytes: 1 },
    ].map(({ cost, hbmBytes }) => ({
      ...{ shardingType: "table_wise", kernel: "fused", partitionBy: "device" as const },
      shards: [{ cost, hbmBytes, hostBytes: 0 }],
    })),
  })),
};

const stages: readonly Stage[] = [
  { minimize: "largest-cost", allow: { amount: 1 } },
  { minimize: "largest-hbm", allow: { amount: 0 } },
];

/** Both tables with one option each, on devices of their own, or on the first. */
const placed = (option: number, isApart = true): Placement => ({
  choices: [
    { option, devices: [0] },
    { option, devices: [isApart ? 1 : 0] },
  ],
});

function proof(bound: number | null, most = 0) {
  const verdict = { bound: bound === null ? null : Rational.of(BigInt(bound)) };
  const certificate = { steps: [] };
  return { verdict, certificate, columns: 1, rows: 1, placement: placed(0), most: Rational.of(BigInt(most)) };
}

/** What is said of the plans of published methods beside proofs that only a test can make up. */
function said(plans: readonly Placement[], more: Partial<HeldParts>): string | null {
  const parts = {
    ...{ instance: { name: "two", sha256: "" }, problem, outcome: null, placement: null },
    baselines: plans.map((placement) => ({ method: "greedy", placement, reason: null })),
    ...more,
  };
  try {
    holdPlacements(parts as HeldParts);
  } catch (error) {
    if (error instanceof ContradictionError) return error.message;
    throw error;
  }
  return null;
}

const outcome = (bound: number | null) => proof(bound) as unknown as NonNullable<HeldParts["outcome"]>;

describe("one goal", () => {
  test("a plan at the bound is none below it; one below it, or where there is none, is told", () => {
    expect(said([placed(0)], { outcome: outcome(2) })).toBeNull();
    expect(said([placed(0)], { outcome: outcome(3) })).toContain("the plan of greedy comes to 2, and");
    expect(said([placed(0)], { outcome: outcome(null) })).toContain("there is no plan");
  });

  test("a plan that breaks a limit does not count", () => {
    // 16 bytes on a device of 10.
    expect(evaluatePlacement(problem, placed(0, false)).violations).not.toEqual([]);
    expect(said([placed(0, false)], { outcome: outcome(9) })).toBeNull();
    expect(said([placed(0, false)], { outcome: outcome(null) })).toBeNull();
  });

  test("one that moves more tables than may does not count, and where the tables are now does", () => {
    const homes = placed(1).choices.map((choice) => [choice]);
    const moving = { ...problem, stay: { homes, mostMoved: 1 } };
    expect(said([placed(0)], { problem: moving, outcome: outcome(3) })).toBeNull();
    expect(said([placed(0)], { problem: moving, outcome: outcome(4) })).toContain(
      "where the tables are now comes to 3, and it is proved that no plan is better than 4",
    );
  });
});

describe("goals in order", () => {
  const goals = (most: number, bound: number) => ({
    problem: { ...problem, stages },
    outcome: outcome(2),
    stages: [proof(2, most), proof(bound)] as unknown as readonly StageOutcome[],
  });

  test("a plan counts for a later goal where it has no more of the first than is allowed", () => {
    // The costly and small one has 1 byte on each device, and 5 of the first goal.
    expect(said([placed(2)], goals(3, 5))).toBeNull();
    expect(said([placed(2)], goals(4, 5))).toBeNull();
    expect(said([placed(2)], goals(5, 5))).toContain(
      "comes to 1, and it is proved for goal 2 (largest-hbm) that no plan is better than 5",
    );
  });

  test("at exactly what is allowed it counts, and at exactly the bound it agrees", () => {
    expect(said([placed(1)], goals(3, 5))).toBeNull();
    expect(said([placed(1)], goals(3, 6))).toContain("comes to 5");
    expect(said([placed(1)], goals(2, 6))).toBeNull();
  });

  test("the first goal's bound is of all plans", () => {
    const { stages: own, ...rest } = goals(3, 5);
    const higher = [proof(4, 4), own[1]] as unknown as readonly StageOutcome[];
    expect(said([placed(1)], { ...rest, stages: higher })).toContain("for goal 1 (largest-cost)");
  });

  test("of a goal to minimise then, plans within what the first may have", () => {
    const second = (cap: number, bound: number) => ({
      problem: { ...problem, thenMinimize: "sum" as const },
      outcome: outcome(2),
      second: { ...proof(bound), cap: Rational.of(BigInt(cap)) } as unknown as NonNullable<HeldParts["second"]>,
    });
    expect(said([placed(0)], second(2, 4))).toBeNull();
    expect(said([placed(0)], second(2, 5))).toContain("comes to 4, and it is proved for goal 2 (sum)");
    // It has 3 of the first goal.
    expect(said([placed(1)], second(2, 7))).toBeNull();
    expect(said([placed(1)], second(3, 7))).toContain("comes to 6, and it is proved for goal 2 (sum)");
  });
});
