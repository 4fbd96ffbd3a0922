import { expect, test } from "vitest";
import { placementModel } from "../../../../../models/table-placement/from-instance.js";
import { requireInstance } from "../../../../../src/instance/reader.js";
import { loadInstance } from "../../../../../src/problems/instances.js";
import { STOPPED } from "../../../../../src/problems/plan-file/stopped.js";
import { writePlan } from "../../../../../src/problems/plan-file/write-plan.js";
import { tablePlacementReader } from "../../../../../src/problems/table-placement/instance/reader.js";
import { showPlacement } from "../../../../../src/problems/table-placement/show/plan.js";
import {
  baselinePlacements,
  isStart,
  placementBaselines,
} from "../../../../../src/problems/table-placement/solve/heuristic-runs.js";
import { planTablePlacement } from "../../../../../src/problems/table-placement/solve/plan.js";
import { publishedMethods, verifyPlanText } from "../../../../../src/problems/verify.js";

const load = async (file: string) => requireInstance(tablePlacementReader, await loadInstance(file));
const instance = await load("instances/tiny/placement-torchrec.yaml");
const model = placementModel(instance);
const methods = placementBaselines(model.problem);

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
  const others = methods.filter((method) => !isStart(method));
  expect(others).not.toEqual([]);
  const stopped = baselinePlacements(others, model, { seed: 0, shouldStop: () => true });
  expect(stopped).toEqual(others.map((method) => ({ method, placement: null, reason: STOPPED })));
});

test("methods that the search starts from come first, so that a plan lists them in one order", () => {
  expect(methods.toSorted((a, b) => Number(isStart(b)) - Number(isStart(a)))).toEqual(methods);
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

test("broken off during the search, a plan has what was found before it and nothing after", async () => {
  const asked = { calls: 0, untilSearch: 0 };
  // The search tells of its progress first when the methods that it starts from are done.
  const whole = await planTablePlacement(instance, {
    shouldStop: () => ++asked.calls < 0,
    onProgress: () => {
      asked.untilSearch ||= asked.calls;
    },
  });
  const { baseline } = await planTablePlacement(instance, { shouldStop: fromCall(asked.untilSearch + 1) });
  const stopped = baseline.filter(({ reason }) => reason === STOPPED).map(({ method }) => method);
  expect(stopped).toEqual(methods.filter((method) => !isStart(method)));
  expect(whole.baseline.filter(({ reason }) => reason === STOPPED)).toEqual([]);
});
