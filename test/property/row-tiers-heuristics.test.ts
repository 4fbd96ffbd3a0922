import fc from "fast-check";
import { expect, test } from "vitest";
import { buildRowTiers } from "../../models/row-tiers/build.js";
import { ROW_TIERS_PUBLISHED } from "../../src/plan-file/method-names.js";
import { type RowTiersHeuristicName, rowTiersHeuristics } from "../../src/problems/row-tiers/methods/index.js";
import { evaluateLadder } from "../../src/program/ladder/evaluate.js";
import { bruteForce } from "../support/brute-force.js";
import { methodSuite } from "../support/method-suite.js";
import { randomCases } from "../support/random-instance.js";

const cases = fc.sample(randomCases(3000), { seed: 3, numRuns: 150 });
const models = cases.map(({ instance, access }) => ({ instance, access, model: buildRowTiers(instance, access) }));
const bounds = cases.map(({ instance, access }) => bruteForce(instance, access)?.seconds ?? null);

test("the instances are of both kinds", () => {
  expect(bounds.filter((bound) => bound !== null).length).toBeGreaterThan(75);
  expect(bounds.filter((bound) => bound === null).length).toBeGreaterThan(5);
});

methodSuite(ROW_TIERS_PUBLISHED, {
  models,
  bounds,
  run: (method, { instance, access }) => {
    const result = rowTiersHeuristics[method as RowTiersHeuristicName](instance, access);
    return result.kind === "plan" ? { kind: "plan", decision: result.assignment } : result;
  },
  evaluate: ({ model }, assignment) => {
    const { objective, violations } = evaluateLadder(model.ladder, model.pointOf(assignment));
    return { value: objective, violations: violations.map(({ name }) => name) };
  },
  least: 2,
  unknown: (name) => name === "memory" || name === "host",
});
