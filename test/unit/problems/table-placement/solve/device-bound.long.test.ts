import { expect, test } from "vitest";
import type { Placement } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { repaired } from "../../../../../src/problems/table-placement/solve/goals/anneal.js";
import { deviceBound } from "../../../../../src/problems/table-placement/solve/goals/device-bound.js";
import { dive } from "../../../../../src/problems/table-placement/solve/goals/device-dive.js";
import {
  type DeviceProblem,
  deviceProblem,
} from "../../../../../src/problems/table-placement/solve/goals/device-model.js";
import { deviceProof } from "../../../../../src/problems/table-placement/solve/goals/device-proof.js";
import { deviceTree } from "../../../../../src/problems/table-placement/solve/goals/device-tree.js";
import { goalMeasure } from "../../../../../src/problems/table-placement/solve/goals/goal-in-doubles.js";
import { placementNow } from "../../../../../src/problems/table-placement/solve/goals/placement-now.js";
import { evaluate } from "../../../../../src/program/evaluate.js";
import { programHash } from "../../../../../src/program/hash.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { Work } from "../../../../../src/search/work.js";
import { movingProblem } from "../../../../support/moving-problem.js";

type Moving = NonNullable<ReturnType<typeof movingProblem>>;

function devicesOf({ stage: { problem }, built }: Moving): DeviceProblem {
  return deviceProblem(problem, built) as DeviceProblem;
}

/** What patterns come to below a cutoff, and the proof of it. */
async function rootBelow(moving: Moving, cutoff: number, precision = 5e-4) {
  const how = { cutoff: Rational.fromNumber(cutoff), precision, shouldStop: () => false };
  const root = await deviceBound(devicesOf(moving), how);
  const proof = root && deviceProof(devicesOf(moving), root);
  return root === null || proof === null ? null : { ...root, proof };
}

/** The value of a point that may be a placement, where it is one. */
function valueAt({ built }: Moving, point: readonly Rational[]): number | null {
  const { objective, violations } = evaluate(built.program, built.pointOf(built.recover(point)));
  return violations.length === 0 ? objective.toNumber() : null;
}

test("what devices may hold bounds the bytes that move: never above the fewest, near them, and accepted by the checker", async () => {
  let proved = 0;
  let reached = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { built, fewest } = moving;
    // As where a placement a little worse than the best is known.
    const { proof } = (await rootBelow(moving, fewest + 12)) ?? { proof: null };
    if (proof?.claim == null) continue;
    const { bound } = checkCertificate(built.program, {
      ...{ format: "shardproof-certificate 1", program: programHash(built.program), steps: proof.steps },
      claim: { kind: "bound", bound: proof.claim.toString() },
    });
    expect(bound?.toNumber(), `seed ${seed}`).toBeLessThanOrEqual(fewest);
    proved++;
    if (proof.claim.toNumber() >= 0.9 * fewest) reached++;
  }
  expect(proved).toBeGreaterThan(20);
  expect(reached / proved).toBeGreaterThan(0.5);
}, 300_000);

test("branching on them closes what their bound leaves open, and finds the placement", async () => {
  let open = 0;
  let closed = 0;
  let found = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { built, fewest } = moving;
    let best = 2 * fewest + 12;
    const root = await rootBelow(moving, best);
    if (root === null || (root.proof.claim as Rational).toNumber() >= 0.99 * fewest) continue;
    open++;
    const proof = await deviceTree(devicesOf(moving), {
      ...{ root, checking: 0, affords: () => true, shouldStop: () => false },
      cutoff: () => Rational.fromNumber(best),
      offer: (point) => {
        best = Math.min(best, valueAt(moving, point) ?? best);
      },
    });
    expect(best, `seed ${seed}`).toBeGreaterThanOrEqual(fewest);
    if (best === fewest) found++;
    if (proof?.claim == null) continue;
    const { bound } = checkCertificate(built.program, {
      ...{ format: "shardproof-certificate 1", program: programHash(built.program), steps: proof.steps },
      claim: { kind: "bound", bound: proof.claim.toString() },
    });
    expect(bound?.toNumber(), `seed ${seed}`).toBeLessThanOrEqual(fewest);
    if (proof.claim.toNumber() >= 0.99 * fewest) closed++;
  }
  expect(open).toBeGreaterThan(5);
  expect(closed / open).toBeGreaterThan(0.8);
  expect(found / open).toBeGreaterThan(0.5);
}, 300_000);

test("dives into them find placements better than the known one, and the best, from a root that was ended early too", async () => {
  for (const precision of [5e-4, 0.05]) {
    let all = 0;
    let best = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const moving = movingProblem(seed);
      if (moving === null) continue;
      const { fewest } = moving;
      const known = 2 * fewest + 12;
      const root = await rootBelow(moving, known, precision);
      if (root === null) continue;
      all++;
      let least = known;
      const isOver = new Work(() => false, 200).ask;
      await dive(devicesOf(moving), {
        ...{ root, seed, target: () => least, shouldStop: (units = 1) => isOver(units) || least === fewest },
        offer: (point) => {
          least = Math.min(least, valueAt(moving, point) ?? least);
        },
      });
      expect(least, `seed ${seed}`).toBeGreaterThanOrEqual(fewest);
      if (least === fewest) best++;
    }
    expect(all).toBeGreaterThan(20);
    expect(best / all).toBeGreaterThan(0.7);
  }
}, 300_000);

test("a repair from where tables are breaks nothing, and often moves the fewest bytes", () => {
  let all = 0;
  let fewestFound = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { stage, built, fewest } = moving;
    const measure = goalMeasure(stage.problem, stage.goal, stage.held);
    const now = placementNow(stage.problem) as Placement;
    const mended = repaired(stage.problem, measure, now, {
      seed: 0,
      steps: 8000,
      shouldStop: () => false,
    });
    all++;
    if (mended === null) continue;
    const { objective, violations } = evaluate(built.program, built.pointOf(mended));
    expect(violations, `seed ${seed}`).toEqual([]);
    expect(objective.toNumber(), `seed ${seed}`).toBeGreaterThanOrEqual(fewest);
    if (objective.toNumber() === fewest) fewestFound++;
  }
  expect(all).toBeGreaterThan(30);
  expect(fewestFound / all).toBeGreaterThan(0.5);
});
