import { expect, test } from "vitest";
import { placementModel } from "../../../../../../models/table-placement/from-instance.js";
import { neuralProgram } from "../../../../../../models/table-placement/learned/build.js";
import { evaluateNeural } from "../../../../../../models/table-placement/learned/evaluate.js";
import { neuralHead } from "../../../../../../models/table-placement/learned/head.js";
import type { SetCost } from "../../../../../../src/cost/neural/set-cost.js";
import type { Rational } from "../../../../../../src/exact/rational.js";
import { requireInstance } from "../../../../../../src/instance/reader.js";
import { loadInstance } from "../../../../../../src/problems/planning/instances.js";
import { tablePlacementReader } from "../../../../../../src/problems/table-placement/instance/reader.js";
import { BestBound } from "../../../../../../src/problems/table-placement/solve/best-bound.js";
import { KnownPlans } from "../../../../../../src/problems/table-placement/solve/known-plans.js";
import { averageBound } from "../../../../../../src/problems/table-placement/solve/learned/average-bound.js";
import { drawNeural, everyPlacement } from "../../../../models/neural-support.js";

test("Jensen's bound is accepted by the checker and above no placement", () => {
  for (let seed = 1; seed <= 8; seed++) {
    const { problem, head } = drawNeural({ seed, tables: [3, 5], devices: [2, 3], rooms: [100] });
    const costs = [...everyPlacement(problem)].map((placement) => evaluateNeural(head, problem, placement).objective);
    const least = costs.reduce((a, b) => (a.compare(b) <= 0 ? a : b));
    for (const ceiling of [null, least] as (Rational | null)[]) {
      const { program, ...built } = neuralProgram(problem, head, ceiling);
      const proof = averageBound({ program, ...built });
      const best = new BestBound({ program, ...built }, new KnownPlans(() => null));
      best.offer(proof);
      expect(best.certificate).not.toBeNull();
      expect(proof.claim?.compare(least)).toBeLessThanOrEqual(0);
    }
  }
});

test.each([
  ["learned-convex-40x4", 628.506],
  ["learned-convex-80x8", 564.484],
])("%s: the head is convex, and the bound is the head at the mean", async (name, wanted) => {
  const instance = requireInstance(tablePlacementReader, await loadInstance(`instances/costs/${name}.yaml`));
  const { problem } = placementModel(instance);
  const head = neuralHead(instance, problem.setCost as SetCost);
  const { claim } = averageBound(neuralProgram(problem, head));
  // The network itself at Σ / devices: each part counts 1 / devices.
  const devices = BigInt(problem.gpusPerNode);
  let mean = head.constant * devices;
  for (const { sign, offset, slopes } of head.units) {
    const input = offset * devices + slopes.reduce((sum, slope) => sum + slope, 0n);
    if (input > 0n) mean += sign * input;
  }
  expect(claim?.toNumber()).toBeCloseTo(Number(mean) / Number(head.denominator * devices), 9);
  expect(claim?.toNumber()).toBeCloseTo(wanted, 2);
});
