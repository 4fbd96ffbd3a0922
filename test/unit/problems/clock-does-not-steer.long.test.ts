import { expect, test } from "vitest";
import { placementModel } from "../../../models/table-placement/from-instance.js";
import { Rational } from "../../../src/exact/rational.js";
import { requireInstance } from "../../../src/instance/reader.js";
import { loadInstance, parseInstance } from "../../../src/problems/planning/instances.js";
import { planInstance } from "../../../src/problems/planning/plan.js";
import { solveProgram } from "../../../src/problems/program/solve/solve-program.js";
import { rowTiersFrontier } from "../../../src/problems/row-tiers/frontier/frontier.js";
import { explainPlacement } from "../../../src/problems/table-placement/explain/explain.js";
import { placementFrontier } from "../../../src/problems/table-placement/frontier/frontier.js";
import { tablePlacementReader } from "../../../src/problems/table-placement/instance/reader.js";
import { placeByGoals } from "../../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { whatIfPrices } from "../../../src/problems/table-placement/solve/goals/prices.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { loadProgram } from "../../../src/program/load-program.js";
import { generate } from "../../../src/study/generate/generate.js";
import { onSteppingClock } from "../../support/stepping-clock.js";

const LIMIT = { timeLimitSeconds: 300 };

/** What ends within this share of the time limit is not to depend on the clock. */
const SHARE = 0.45;

/** Does work on a clock that nearly stands still, and on one that such a share of the limit goes by on. */
async function onBothClocks<T>(work: () => Promise<T>): Promise<readonly [T, T]> {
  const slow = await onSteppingClock(1e-6, work);
  const fast = await onSteppingClock((SHARE * LIMIT.timeLimitSeconds * 1000) / slow.looks, work);
  return [slow.result, fast.result];
}

/** Everything but what was measured. */
function unmeasured(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, held) => (/^(timing|seconds|.*Seconds)$/.test(key) ? undefined : held)),
  );
}

test.each([
  "paper/autoshard-0.yaml",
  "tiny/placement-torchrec.yaml",
  "tiny/placement-phases.yaml",
  "tiny/placement-migration.yaml",
  "tiny/placement-second-goal.yaml",
  "costs/learned-10x2.yaml",
  "tiny/host-binds.yaml",
  "towers/planted-40x8.yaml",
  "tiny/towers-joint.yaml",
])(
  "%s has the same plan on a slow machine",
  async (file) => {
    const [slow, fast] = await onBothClocks(() => planInstance(`instances/${file}`, LIMIT));
    expect(slow).toMatchObject({ status: "proved" });
    expect(unmeasured(fast)).toEqual(unmeasured(slow));
  },
  240_000,
);

test("a program has the same answer on a slow machine, a general solver asked on the way", async () => {
  const program = await loadProgram("instances/programs/makespan-20x3.lp");
  const [slow, fast] = await onBothClocks(() => solveProgram(program, LIMIT));
  expect(slow.outcome.status).toBe("proved");
  expect(slow.asked.length).toBe(1);
  const told = ({ certificate, point, asked, nodes }: typeof slow) => ({
    certificate,
    point: point?.map(String),
    asked,
    nodes,
  });
  expect(unmeasured(told(fast))).toEqual(unmeasured(told(slow)));
});

test("a frontier has the same points on a slow machine", async () => {
  const draw = () => rowTiersFrontier("instances/paper/flexshard-rm1.yaml", { ...LIMIT, points: 3 });
  const [slow, fast] = await onBothClocks(draw);
  expect(slow.optimal.length).toBeGreaterThan(3);
  expect(unmeasured(fast)).toEqual(unmeasured(slow));
});

const placementIn = async (file: string) =>
  requireInstance(tablePlacementReader, await loadInstance(`instances/${file}`));

/** Larger than what a little work closes. */
const openPlacement = () => placementIn("public/criteo1tb-days.yaml");

const LITTLE_WORK = { ...LIMIT, workSeconds: 0.3 };

test.each([
  ["public/criteo1tb-days.yaml", 3],
  ["tiny/placement-torchrec.yaml", 0.5],
])(
  "%s is explained alike on a slow machine, by as much work",
  async (file, workSeconds) => {
    const instance = await placementIn(file);
    const plan = await planTablePlacement(instance, { method: "torchrec-greedy" });
    const [slow, fast] = await onBothClocks(() => explainPlacement(plan, instance, { ...LIMIT, workSeconds }));
    expect(slow.proofs.length).toBeGreaterThan(0);
    expect(unmeasured(fast)).toEqual(unmeasured(slow));
  },
  60_000,
);

test("a placement's frontier has the same points on a slow machine, by as much work", async () => {
  const instance = await openPlacement();
  const [slow, fast] = await onBothClocks(() => placementFrontier(instance, { ...LITTLE_WORK, points: 3 }));
  expect(slow.isComplete).toBe(false);
  expect(slow.proofs.length).toBeGreaterThan(1);
  expect(unmeasured(fast)).toEqual(unmeasured(slow));
}, 300_000);

test("a plan that work leaves unproved, and what a changed cluster costs, are the same on a slow machine", async () => {
  const drawn = generate("tables", { distribution: "lognormal", tables: 20, gpusPerNode: 6, options: 4 }, 1);
  const instance = requireInstance(tablePlacementReader, parseInstance(drawn, "drawn.yaml"));
  const model = placementModel(instance);
  const options = { ...LIMIT, gap: Rational.parse("1e-9"), seed: 0, workSeconds: 0.3, mostUnits: 300 };
  const [slow, fast] = await onBothClocks(async () => {
    const solution = await placeByGoals(model.problem, options);
    const prices = await whatIfPrices({ instance, model }, solution, options);
    const { placement, certificate, verdict, nodes, units } = solution;
    return { placement, certificate, status: verdict?.status, nodes, units, prices };
  });
  expect(slow.status).toBe("feasible");
  expect(slow.prices?.device.bound).toBeGreaterThan(0);
  expect(unmeasured(fast)).toEqual(unmeasured(slow));
}, 300_000);
