import { expect, test } from "vitest";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import { placementModel } from "../../../../../models/table-placement/from-instance.js";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { STOPPED } from "../../../../../src/plan-file/stopped.js";
import { writePlan } from "../../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../../src/problems/planning/instances.js";
import { publishedMethods, verifyPlanText } from "../../../../../src/problems/planning/verify.js";
import { tablePlacementReader } from "../../../../../src/problems/table-placement/instance/reader.js";
import { showPlacement } from "../../../../../src/problems/table-placement/show/plan.js";
import {
  baselinePlacements,
  comparedHeuristics,
  isStart,
  placementBaselines,
  runHeuristic,
} from "../../../../../src/problems/table-placement/solve/heuristic-runs.js";
import {
  planPreparedPlacement,
  planTablePlacement,
  TABLE_PLACEMENT_STRATEGIES,
} from "../../../../../src/problems/table-placement/solve/plan.js";

const load = async (file: string) => requireInstance(tablePlacementReader, await loadInstance(file));
const instance = await load("instances/tiny/placement-torchrec.yaml");
const model = placementModel(instance);
const methods = placementBaselines(model.problem);
const learned = placementModel(await load("instances/costs/learned-10x2.yaml"));
const ofLearned = placementBaselines(learned.problem);

/** A question that is answered with yes from the n-th time on. */
function fromCall(n: number): () => boolean {
  let calls = 0;
  return () => ++calls >= n;
}

test("a published method that is stopped on the way keeps its best plan, and says that it was stopped", () => {
  const torchrec = (shouldStop: () => boolean) =>
    baselinePlacements(["torchrec-greedy"], model, { seed: 0, shouldStop });
  expect(torchrec(() => false)).toMatchObject([{ reason: null }]);
  const [stopped] = torchrec(fromCall(6));
  expect(stopped?.placement).not.toBeNull();
  expect(stopped?.reason).toBe(STOPPED);
});

test("of methods that the search does not start from, none is begun once the time is over", () => {
  const others = ofLearned.filter((method) => !isStart(method));
  expect(others).not.toEqual([]);
  const stopped = baselinePlacements(others, learned, { seed: 0, shouldStop: () => true });
  expect(stopped).toEqual(others.map((method) => ({ method, placement: null, reason: STOPPED })));
});

test("methods that the search starts from come first, so that a plan lists them in one order", () => {
  expect(ofLearned.toSorted((a, b) => Number(isStart(b)) - Number(isStart(a)))).toEqual(ofLearned);
});

test.each(["instances/tiny/placement-torchrec.yaml", "instances/costs/learned-10x2.yaml"])(
  "the published methods beside a plan end when it is broken off, and are not said to have found none: %s",
  async (file) => {
    const plan = await planTablePlacement(file, { shouldStop: () => true });
    const stopped = plan.baseline.filter(({ reason }) => reason === STOPPED);
    expect(stopped.map(({ method }) => method)).toContain("hugectr-greedy");
    const shown = showPlacement(plan);
    for (const { method } of stopped) {
      expect(shown).toMatch(new RegExp(`${method} +(stopped before it found any|.*${STOPPED})`));
    }
    const verified = await verifyPlanText(
      writePlan(plan),
      "plan.json",
      (path) => loadInstance(path),
      undefined,
      publishedMethods("quick"),
    );
    expect(verified.passed).toBe(true);
  },
);

test.each([1, 0.5, 0.05])(
  "no plan is worse than a published method's, whatever else is left out: %s of the memory",
  async (share) => {
    const problem = { ...model.problem, hbmBytes: model.problem.hbmBytes.map((bytes) => Math.floor(share * bytes)) };
    const prepared = { instance, model: { ...model, problem }, readSeconds: 0 };
    const without = new Set(TABLE_PLACEMENT_STRATEGIES.filter((name) => name !== "published starts"));
    const { objective } = await planPreparedPlacement(prepared, { without: new Set([...without, "prices"]) });
    const values = comparedHeuristics(problem).flatMap((method) => {
      const result = runHeuristic(method, prepared.model, { seed: 0, shouldStop: () => false });
      return result.kind === "plan" ? [evaluatePlacement(problem, result.placement).largest.toNumber()] : [];
    });
    expect(values.length).toBeGreaterThan(2);
    expect(objective.value).toBe(Math.min(...values));
  },
);

test("broken off during the search, a plan has all that the published methods found before it", async () => {
  const asked = { calls: 0, untilSearch: 0 };
  // The search tells of its progress first when the methods that it starts from are done.
  const whole = await planTablePlacement(instance, {
    shouldStop: () => ++asked.calls < 0,
    onProgress: () => {
      asked.untilSearch ||= asked.calls;
    },
  });
  const { baseline } = await planTablePlacement(instance, { shouldStop: fromCall(asked.untilSearch + 1) });
  expect(baseline.map(({ method }) => method)).toEqual(methods);
  expect(baseline.filter(({ reason }) => reason === STOPPED)).toEqual([]);
  expect(whole.baseline.filter(({ reason }) => reason === STOPPED)).toEqual([]);
});
