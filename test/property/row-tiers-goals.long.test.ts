import fc from "fast-check";
import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { Rational } from "../../src/exact/rational.js";
import { type Allowance, allowedValue } from "../../src/instance/allowance.js";
import type { Assignment } from "../../src/instance/types/assignment.js";
import {
  ROW_TIERS_GOALS,
  type RowsBefore,
  type RowTiersGoal,
  type RowTiersGoalName,
  type RowTiersInstance,
  TIERS,
} from "../../src/instance/types/row-tiers.js";
import { evaluateRuns, goalValue } from "../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import { solveStages } from "../../src/problems/row-tiers/solve/stages.js";
import { countPlans } from "../support/brute-force.js";
import { bruteForceGoals } from "../support/brute-force-goals.js";
import { drawsOf } from "../support/draws.js";
import { randomCases } from "../support/random-instance.js";

const { parameters } = drawsOf(400, 1);

const allow: fc.Arbitrary<Allowance> = fc.oneof(
  fc.constantFrom("0", "5", "12.5", "40").map((percent) => ({ percent })),
  fc.constantFrom(0, 0.01, 1, 50).map((amount) => ({ amount })),
);

const goalsOf = (names: readonly RowTiersGoalName[]): fc.Arbitrary<readonly RowTiersGoal[]> =>
  fc
    .shuffledSubarray([...names], { minLength: 1, maxLength: 4 })
    .chain((names) => fc.tuple(...names.map((minimize) => allow.map((each) => ({ minimize, allow: each })))));

/** Where rows were: tiers in stretches that need not end where anything else does, new rows among them. */
const moved = fc.record({
  stretches: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom(...TIERS, null)), { minLength: 1 }),
  mostMovedRows: fc.constantFrom(null, null, null, 2, 5, 12),
  mostMovedBytes: fc.constantFrom(null, null, null, 100, 1000),
});

function beforeOf(
  { tables }: RowTiersInstance,
  stretches: readonly (readonly [number, RowsBefore[number]["tier"]])[],
): readonly RowsBefore[] {
  let at = 0;
  return tables.map(({ rows }) => {
    const pieces: { rows: number; tier: RowsBefore[number]["tier"] }[] = [];
    for (let left = rows; left > 0; at++) {
      const [length, tier] = stretches[at % stretches.length] as (typeof stretches)[number];
      pieces.push({ rows: Math.min(length, left), tier });
      left -= Math.min(length, left);
    }
    return pieces;
  });
}

test("every stage proves what brute force finds among the plans that keep the goals before", async () => {
  await fc.assert(
    fc.asyncProperty(
      randomCases(1500),
      goalsOf(ROW_TIERS_GOALS.filter((name) => !name.startsWith("moved"))),
      async ({ instance, access }, asked) => {
        const best = bruteForceGoals(
          instance,
          access,
          asked.map(({ minimize, allow: each }) => ({ minimize, allowed: (value) => allowedValue(value, each) })),
        );
        const model = buildRowTiers(instance, access);
        const { first, stages } = await solveStages(model, asked, { gap: Rational.zero }, { next: () => 30 });
        if (best === null) {
          expect(first.verdict.status).toBe("infeasible");
          return;
        }
        expect(stages.map(({ outcome }) => outcome.verdict.status)).toEqual(asked.map(() => "proved"));
        expect(stages.map(({ outcome }) => outcome.verdict.value?.toString())).toEqual(best.map(String));
        expect(stages.map(({ outcome }) => outcome.verdict.bound?.toString())).toEqual(best.map(String));
      },
    ),
    parameters,
  );
}, 600_000);

test("with a plan to move from, rows and bytes that move are goals and limits", async () => {
  await fc.assert(
    fc.asyncProperty(randomCases(600), goalsOf(ROW_TIERS_GOALS), moved, async ({ instance, access }, asked, moves) => {
      const before = beforeOf(instance, moves.stretches);
      const { mostMovedRows, mostMovedBytes } = moves;
      const moving: RowTiersInstance = { ...instance, from: { plan: "-", tables: [], mostMovedRows, mostMovedBytes } };
      // Where rows were makes more groups, each with plans of its own.
      fc.pre(countPlans(moving, access, before) <= 3000);
      const best = bruteForceGoals(
        moving,
        access,
        asked.map(({ minimize, allow: each }) => ({ minimize, allowed: (value) => allowedValue(value, each) })),
        before,
      );
      const model = buildRowTiers(moving, access, before);
      const { first, stages, assignment } = await solveStages(model, asked, { gap: Rational.zero }, { next: () => 30 });
      if (best === null) {
        expect(first.verdict.status).toBe("infeasible");
        return;
      }
      expect(stages.map(({ outcome }) => outcome.verdict.status)).toEqual(asked.map(() => "proved"));
      expect(stages.map(({ outcome }) => outcome.verdict.value?.toString())).toEqual(best.map(String));
      const final = evaluateRuns(moving, access, assignment as Assignment, before);
      const last = asked.at(-1)?.minimize as RowTiersGoalName;
      expect(goalValue(final, last).toString()).toBe(best.at(-1)?.toString());
    }),
    parameters,
  );
}, 600_000);
