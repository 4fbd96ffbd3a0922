import { expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { STOPPED } from "../../../../src/plan-file/stopped.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { publishedMethods, verifyPlanText } from "../../../../src/problems/planning/verify.js";
import type { RerunExtent } from "../../../../src/problems/rerun.js";

// biome-ignore lint/suspicious/noExplicitAny: plans of all problems, changed where a reader would not look
type Plan = any;

async function planned(file: string, method = "optimal") {
  const instance = await loadInstance(file);
  const plan: Plan = JSON.parse(JSON.stringify(await planInstance(instance, { method, timeLimitSeconds: 20 })));
  const verify = (change: (plan: Plan) => void, extent: RerunExtent | null = "quick") => {
    const forged = structuredClone(plan);
    change(forged);
    const text = writePlan({ ...forged, digest: planDigest(forged) });
    const methods = extent === null ? undefined : publishedMethods(extent);
    return verifyPlanText(text, "plan.json", async () => instance, undefined, methods);
  };
  return { plan, verify };
}

const GIVEN = "instances/tiny/placement-given.yaml";
const baselineOf = (plan: Plan, method: string) => plan.baseline.find((one: Plan) => one.method === method);

test("a baseline under another method's name, or left out, is found by running the methods again", async () => {
  const { plan, verify } = await planned(GIVEN);
  expect((await verify(() => {})).passed).toBe(true);
  const swapped = await verify((forged) => {
    const [dim, greedy] = [baselineOf(forged, "size-greedy"), baselineOf(forged, "torchrec-greedy")];
    Object.assign(greedy, dim, { method: greedy.method });
  });
  const greedy = plan.baseline.findIndex((one: Plan) => one.method === "torchrec-greedy");
  expect(swapped.passed).toBe(false);
  expect(swapped.differences.some(({ path }) => path.startsWith(`baseline[${greedy}].`))).toBe(true);
  const without = await verify((forged) => forged.baseline.shift());
  expect(without.checks.at(-1)).toMatchObject({ name: "baselines", passed: false });
  expect(without.checks.at(-1)?.detail).toContain(`${plan.baseline[0].method}, `);
  const none = await verify((forged) => {
    forged.baseline = [];
  });
  expect(none.checks.at(-1)?.detail).toContain("the file has none");
});

test("a method that failed by its own word is found too", async () => {
  for (const file of [GIVEN, "instances/tiny/towers-pairwise.yaml"]) {
    const { verify } = await planned(file);
    const crashed = await verify((forged) => {
      const nothing = { value: null, aboveBound: null, choices: null, numbering: null, capturedShare: null };
      const [first] = forged.baseline;
      for (const key of Object.keys(nothing)) if (key in first) first[key] = null;
      Object.assign(first, { status: "none", reason: "crashed" });
    });
    expect([file, crashed.passed]).toEqual([file, false]);
  }
});

test("without the methods at hand, verify says that what a plan says of them is not checked", async () => {
  const { verify } = await planned(GIVEN);
  const { passed, notChecked, checks } = await verify((forged) => forged.baseline.shift(), null);
  expect(passed).toBe(true);
  expect(notChecked).toContainEqual({ path: "baseline", reason: expect.stringContaining("not run again") });
  const counted = (detail = "") => Number(/^(\d+) numbers/.exec(detail)?.[1]);
  const whole = await verify(() => {});
  expect(counted(whole.checks.at(-1)?.detail)).toBeGreaterThan(counted(checks.at(-1)?.detail));
});

test.each([
  ["instances/tiny/one-node.yaml", "flexshard-3tier", "row-wise"],
  ["instances/tiny/placement-lookup.yaml", "lookup-greedy", "dim-greedy"],
  ["instances/tiny/towers-kmeans.yaml", "tp", "strided"],
])("%s: the plan of %s is not that of %s", async (file, method, other) => {
  const { verify } = await planned(file, method);
  expect((await verify(() => {})).checks).toContainEqual({
    ...{ name: "method", passed: true },
    detail: `${method} run again gives this plan`,
  });
  const renamed = await verify((forged) => {
    forged.method = other;
  });
  expect(renamed.checks.at(-1)).toEqual({
    ...{ name: "method", passed: false },
    detail: `${other} run again does not give this plan`,
  });
});

test("the optimum does not pass as a published method's plan", async () => {
  const { verify } = await planned("instances/tiny/one-node.yaml");
  const { passed, checks } = await verify((forged) => {
    Object.assign(forged, {
      method: "flexshard-2tier",
      status: "heuristic",
      certificate: null,
      proof: null,
      baseline: [],
    });
    forged.objective = { ...forged.objective, bound: null, gap: null };
    forged.exact.bound = null;
  });
  expect(passed).toBe(false);
  expect(checks.at(-1)).toMatchObject({ name: "method", passed: false });
});

test.each([
  ["instances/tiny/one-node.yaml", "row-wise"],
  [GIVEN, "size-greedy"],
  ["instances/tiny/towers-pairwise.yaml", "strided"],
])("%s: a method that there is not is refused before anything is checked", async (file, method) => {
  const optimal = await planned(file);
  const renamed = optimal.verify((forged) => {
    forged.baseline[0].method = "<script>alert(1)</script>";
  }, null);
  await expect(renamed).rejects.toThrow("baseline[0].method: expected the method");
  const heuristic = await planned(file, method);
  const unknown = heuristic.verify((forged) => {
    forged.method = "no-such-method";
  }, null);
  await expect(unknown).rejects.toThrow("received a method that there is not");
});

test("a method whose time was over is told, and not run again", async () => {
  const { verify } = await planned("instances/tiny/towers-kmeans.yaml", "tp");
  const { passed, notChecked } = await verify((forged) => {
    forged.stopped = true;
  });
  expect(passed).toBe(true);
  expect(notChecked.map(({ path }) => path)).toEqual(expect.arrayContaining(["stopped", "method"]));
  const beside = await planned("instances/tiny/towers-pairwise.yaml");
  const stopped = await beside.verify((forged) => {
    baselineOf(forged, "tp").reason = STOPPED;
  });
  expect(stopped.passed).toBe(true);
  const at = beside.plan.baseline.findIndex((one: Plan) => one.method === "tp");
  expect(stopped.notChecked).toContainEqual({
    path: `baseline[${at}]`,
    reason: expect.stringContaining("tp was not run"),
  });
  // Nothing is stopped in a plan that is proved.
  const exact = await beside.verify((forged) => {
    forged.stopped = true;
  });
  expect(exact.differences.map(({ path }) => path)).toContain("stopped");
});

test.each([
  ["instances/towers/embedded-40x5-load.yaml", "tp"],
  ["instances/costs/learned-10x2.yaml", "simulated-annealing"],
])("%s: a plan of %s that the clock has ended says so, and verifies", async (file, method) => {
  const instance = await loadInstance(file);
  const plan = await planInstance(instance, { method, timeLimitSeconds: 1e-6 });
  expect(plan).toMatchObject({ status: "heuristic", stopped: true });
  const methods = publishedMethods("quick");
  const verified = await verifyPlanText(writePlan(plan), "plan.json", async () => instance, undefined, methods);
  expect([file, verified.passed]).toEqual([file, true]);
  expect(verified.notChecked.map(({ path }) => path)).toContain("method");
});

test("what is slow by its size is run again only where that is asked for", async () => {
  const { verify } = await planned("instances/costs/learned-10x2.yaml", "simulated-annealing");
  const quick = await verify(() => {});
  expect(quick.passed).toBe(true);
  expect(quick.notChecked).toContainEqual({ path: "method", reason: expect.stringContaining("--baselines") });
  const all = await verify(() => {}, "all");
  expect(all.checks).toContainEqual(expect.objectContaining({ name: "method", passed: true }));
});
