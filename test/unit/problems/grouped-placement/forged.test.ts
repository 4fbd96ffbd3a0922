import { beforeAll, expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import type { GroupedPlacementPlan } from "../../../../src/problems/grouped-placement/plan-file/assemble.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";

const FILE = "instances/tiny/placement-groups.yaml";

let plan: GroupedPlacementPlan;
beforeAll(async () => {
  plan = (await planInstance(await loadInstance(FILE))) as unknown as GroupedPlacementPlan;
});

/** The plan with its groups changed, under a digest made anew. */
async function forged(change: (groups: GroupedPlacementPlan["groups"]) => object, beside: object = {}) {
  const file = { ...plan, ...beside, groups: { ...plan.groups, ...change(plan.groups) } };
  const text = writePlan({ ...file, digest: planDigest(file) } as never);
  const { passed, checks, differences } = await verifyPlanText(text, "plan.json", loadInstance);
  const { name = "", detail = "" } = checks.findLast((one) => !one.passed) ?? {};
  return { passed, name, detail, paths: differences.map(({ path }) => path) };
}

const rowsWith = (size: number, change: object) => (groups: GroupedPlacementPlan["groups"]) => ({
  sizes: groups.sizes.map((row) => (row.size === size ? { ...row, ...change } : row)),
});

test("the plan as it was written verifies", async () => {
  expect(plan.groups.chosen).toBe(2);
  expect(await forged(() => ({}))).toMatchObject({ passed: true });
});

test("another chosen size is refused: its placement and certificate are not there", async () => {
  expect(await forged(() => ({ chosen: 4 }))).toMatchObject({ passed: false });
  expect(await forged(() => ({ chosen: 1 }))).toMatchObject({ passed: false });
  expect(await forged(() => ({ chosen: 3 }))).toMatchObject({
    ...{ passed: false, name: "groups", detail: "3 is none of the sizes" },
  });
});

test("a size left out is refused, and so is one that the instance does not have", async () => {
  const dropped = await forged(({ sizes }) => ({ sizes: sizes.slice(0, -1) }));
  expect(dropped).toMatchObject({ passed: false, detail: "the sizes 1, 2, 4 expected, 1, 2 there" });
  const other = await forged(rowsWith(4, { size: 3 }));
  expect(other).toMatchObject({ passed: false, detail: "the sizes 1, 2, 4 expected, 1, 2, 3 there" });
});

test("without the certificate of any one size the whole has no bound", async () => {
  for (const size of [1, 4]) {
    const { passed, paths } = await forged(rowsWith(size, { certificate: null }));
    expect(passed).toBe(false);
    expect(paths).toContain("status");
  }
  expect(await forged(() => ({}), { certificate: null })).toMatchObject({ passed: false });
});

test("a certificate of another size is refused", async () => {
  const [one, , four] = plan.groups.sizes;
  const swapped = await forged(rowsWith(4, { certificate: one?.certificate }));
  expect(swapped).toMatchObject({ passed: false, name: "certificate" });
  expect(swapped.detail).toMatch(/^groups of 4: /);
  expect(await forged(rowsWith(1, { certificate: four?.certificate }))).toMatchObject({ passed: false });
});

test("a bound, of a size or of all, that is not what the certificates prove is found", async () => {
  const raised = await forged(
    rowsWith(4, { bound: 1, exact: { value: plan.groups.sizes[2]?.exact.value, bound: "1" } }),
  );
  expect(raised.paths).toEqual(expect.arrayContaining(["groups.sizes[2].bound", "groups.sizes[2].exact.bound"]));
  const whole = await forged(() => ({}), { objective: { ...plan.objective, bound: 0.01, gap: 0.5 } });
  expect(whole.paths).toEqual(expect.arrayContaining(["objective.bound", "objective.gap"]));
});

test("a size is not said to have no plan by a bound, nor a better plan by a placement that does not fit", async () => {
  const { passed } = await forged(rowsWith(4, { status: "infeasible", value: null, choices: null }));
  expect(passed).toBe(false);
  // A whole copy does not fit on one device.
  const all = plan.tables.map(() => [0, [0]]);
  const crowded = await forged(rowsWith(1, { choices: all, certificate: null, status: "unknown" }));
  expect(crowded).toMatchObject({ passed: false, name: "feasible" });
});
