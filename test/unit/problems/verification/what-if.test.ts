import { beforeAll, describe, expect, test } from "vitest";
import { planDigest } from "../../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import type { Instance } from "../../../../src/problems/planning/instances.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { planInstance } from "../../../../src/problems/planning/plan.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import type {
  PlacementPrice,
  TablePlacementPlan,
} from "../../../../src/problems/table-placement/plan-file/plan-file.js";
import { UNSOLVED } from "../../../../src/problems/table-placement/plan-file/prices.js";
import { showPlacement } from "../../../../src/problems/table-placement/show/plan.js";

let instance: Instance;
let plan: TablePlacementPlan;
let device: PlacementPrice;

beforeAll(async () => {
  instance = await loadInstance("instances/tiny/placement-given.yaml");
  plan = (await planInstance(instance)) as TablePlacementPlan;
  device = plan.prices?.device as PlacementPrice;
});

const withDevice = (change: Partial<Record<keyof PlacementPrice, unknown>>): TablePlacementPlan => {
  const prices = { ...plan.prices, device: { ...device, ...change } } as TablePlacementPlan["prices"];
  return { ...plan, prices };
};
const verify = (forged: TablePlacementPlan) =>
  verifyPlanText(writePlan({ ...forged, digest: planDigest(forged) }), "plan.json", async () => instance);

test("what one more device does is proved in the plan file, and checked on a program of its own", async () => {
  expect(device).toMatchObject({ value: 8, difference: -3, proof: { certificate: { claim: { bound: "8" } } } });
  const { passed, checks, notChecked } = await verify(plan);
  expect(passed).toBe(true);
  expect(checks).toContainEqual(expect.objectContaining({ name: "prices", passed: true }));
  expect(notChecked.map(({ path }) => path)).not.toContain("prices.device.value");
});

test("another value than the proof's is refused", async () => {
  const { passed, differences } = await verify(withDevice({ value: 1e-6, difference: 1e-6 - 11 }));
  expect(passed).toBe(false);
  expect(differences.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["prices.device.value", "prices.device.difference"]),
  );
});

test.each([
  ["the plan's own placement, which is not that good", { choices: null }],
  ["the plan's own certificate, which is about another program", { certificate: null }],
  ["a certificate that closes nothing", { certificate: { claim: { kind: "bound", bound: "7" }, steps: [] } }],
])("a proof with %s is refused", async (_, change) => {
  const own = device.proof as NonNullable<PlacementPrice["proof"]>;
  const certificate =
    "certificate" in change && change.certificate !== null ? { ...own.certificate, ...change.certificate } : null;
  const proof = "choices" in change ? { ...own, choices: null } : { ...own, certificate };
  const { passed, checks } = await verify(withDevice({ proof }));
  expect(passed).toBe(false);
  expect(checks.at(-1)).toMatchObject({ name: "prices", passed: false });
});

test("a value without a proof is listed as not checked, and the plan does not call it proved", async () => {
  const { proof: _, ...without } = { ...device, value: 1e-6, difference: 1e-6 - 11 };
  const forged = { ...plan, prices: { ...plan.prices, device: without } } as TablePlacementPlan;
  const { passed, notChecked } = await verify(forged);
  expect(passed).toBe(true);
  expect(notChecked).toEqual(
    expect.arrayContaining(
      ["value", "difference"].map((field) => ({
        path: `prices.device.${field}`,
        reason: "the file has no certificate of it",
      })),
    ),
  );
  expect(showPlacement(plan)).toMatch(/one more device +3\.00000 less \(27\.3 %\), proved/);
  expect(showPlacement(forged)).toMatch(/one more device +11\.0000 less \(100\.0 %\), not proved/);
});

describe("why nothing is known of more devices, where the instance does not say what they do", () => {
  const withReason = async (reason: string) => {
    const migration = await loadInstance("instances/tiny/placement-migration.yaml");
    const moved = (await planInstance(migration)) as TablePlacementPlan;
    const prices = { ...moved.prices, device: { ...moved.prices?.device, reason } };
    const changed = { ...moved, prices };
    const text = writePlan({ ...changed, digest: planDigest(changed) });
    return await verifyPlanText(text, "plan.json", async () => migration);
  };

  test("is computed again", async () => {
    const { differences } = await withReason("because I say so");
    expect(differences.map(({ path }) => path)).toContain("prices.device.reason");
  });

  test.each(Object.values(UNSOLVED))("may be what a search says that was cut before it asked: %s", async (reason) => {
    expect(await withReason(reason)).toMatchObject({ passed: true, differences: [] });
  });
});
