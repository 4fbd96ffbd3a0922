import { expect, test } from "vitest";
import { ContradictionError } from "../../../../src/errors/contradiction-error.js";
import { Rational } from "../../../../src/exact/rational.js";
import type { Assignment } from "../../../../src/instance/types/assignment.js";
import { holdRuns } from "../../../../src/problems/row-tiers/plan-file/assemble.js";
import { evaluateRuns } from "../../../../src/problems/row-tiers/plan-file/evaluate-runs.js";
import type { PlanParts } from "../../../../src/problems/row-tiers/plan-file/parts.js";
import { tinyInstance } from "../../../support/tiny-instance.js";

const { instance, access } = tinyInstance([{ dim: 4, histogram: [[10, 0.5]] }]);
const all = (tier: "row_wise" | "data_parallel"): Assignment => [[{ rows: 10, tier }]];
const [sharded, replicated] = [all("row_wise"), all("data_parallel")];
const before = [[{ rows: 10, tier: "row_wise" as const }]];

const ample = evaluateRuns(instance, access, replicated).memoryBytes.add(
  evaluateRuns(instance, access, sharded).memoryBytes,
);
const value = (plan: Assignment) => evaluateRuns(instance, access, plan).objective;
/** Above what any plan here comes to. */
const high = value(sharded).add(value(replicated));

function said(plan: Assignment | null, bound: Rational | null, more: Partial<PlanParts> = {}): string | null {
  const parts = {
    ...{ instance, access, before: null, budgetBytes: ample, assignment: null, known: [] },
    outcome: { verdict: { bound }, certificate: { steps: [] } },
    baselines: plan === null ? [] : [{ method: "greedy", assignment: plan, reason: null }],
    ...more,
  };
  try {
    holdRuns(parts as unknown as PlanParts);
  } catch (error) {
    if (error instanceof ContradictionError) return error.message;
    throw error;
  }
  return null;
}

test("a plan at the bound agrees; below it, or where there is none, it is told", () => {
  expect(said(replicated, value(replicated))).toBeNull();
  expect(said(replicated, high)).toContain("the plan of greedy comes to");
  expect(said(replicated, null)).toContain("there is no plan");
});

test("a plan over the memory does not count", () => {
  const needed = evaluateRuns(instance, access, replicated).memoryBytes;
  const budgetBytes = needed.subtract(Rational.one);
  expect(said(replicated, high, { budgetBytes })).toBeNull();
  expect(said(replicated, high, { budgetBytes: needed })).not.toBeNull();
});

test("a plan that moves more than may does not count; where the rows are now does", () => {
  const from = { plan: "old.json", tables: [null], mostMovedRows: 9, mostMovedBytes: null };
  const moving = (rows: number) => ({ instance: { ...instance, from: { ...from, mostMovedRows: rows } }, before });
  expect(said(null, high, moving(9))).toContain("where the rows are now comes to");
  expect(said(replicated, value(sharded), moving(9))).toBeNull();
  // All of them may move, and so it counts: the best of both is told.
  const bound = [value(sharded), value(replicated)].reduce((a, b) => (a.compare(b) <= 0 ? a : b));
  expect(said(replicated, bound, moving(10))).toBeNull();
  const least = value(replicated).compare(value(sharded)) < 0 ? "the plan of greedy" : "where the rows are now";
  expect(said(replicated, high, moving(10))).toContain(least);
});

test("of goals in order a plan counts where it has no more of those before than is allowed", () => {
  const memory = (plan: Assignment) => evaluateRuns(instance, access, plan).memoryBytes;
  const stage = (minimize: "time" | "memory", best: Rational, bound: Rational) => ({
    goal: { minimize, allow: { amount: 0 } },
    outcome: { verdict: { value: best, bound }, certificate: { steps: [] } },
    assignment: sharded,
  });
  const stages = (least: Rational) =>
    [stage("time", least, least), stage("memory", ample, ample)] as unknown as NonNullable<PlanParts["stages"]>;
  const fastest = value(sharded).compare(value(replicated)) < 0 ? sharded : replicated;
  const least = value(fastest);
  // Both of them are below the bound of memory; the slower one has more time than is allowed.
  expect(memory(sharded).compare(ample) < 0 && memory(replicated).compare(ample) < 0).toBe(true);
  expect(said(fastest, least, { stages: stages(least) })).toContain("for goal 2 (memory)");
  const slower = fastest === sharded ? replicated : sharded;
  const only = stages(least).map((one) => ({ ...one, assignment: slower }));
  expect(said(slower, least, { stages: only })).toBeNull();
});
