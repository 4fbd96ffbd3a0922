import { expect, test } from "vitest";
import { planDigest } from "../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { readExportablePlan } from "../../../src/problems/row-tiers/exportable.js";
import { planRowTiers } from "../../support/planned.js";

const TINY = "instances/tiny/three-tiers-serial.yaml";
const OTHER = "instances/tiny/two-tiers.yaml";

type Json = Record<string, unknown> & { tables: { name: string; runs: [number, string][] }[] };

/** A plan file's text, changed, and with the digest that its new content has. */
async function changedPlan(change: (plan: Json) => void, redigest = true): Promise<string> {
  const plan = JSON.parse(writePlan(await planRowTiers(TINY))) as Json;
  change(plan);
  if (redigest) plan.digest = planDigest(plan);
  return JSON.stringify(plan);
}

function read(text: string, instance?: string) {
  return readExportablePlan(text, "plan.json", (file) => loadInstance(instance ?? file));
}

test("a plan is read with its instance", async () => {
  const text = await changedPlan(() => {});
  const plan = await read(text);
  expect(plan).toMatchObject({ method: "optimal", status: "proved", digest: JSON.parse(text).digest });
  expect(plan.instance).toEqual(await loadInstance(TINY));
  expect(plan.assignment).toEqual([[{ rows: 20, tier: "data_parallel" }]]);
});

test("a plan of another instance is refused", async () => {
  const text = await changedPlan(() => {});
  await expect(read(text, OTHER)).rejects.toThrow(
    /^plan\.json: expected the plan of instances\/tiny\/two-tiers\.yaml .* received that of "three-tiers-serial"/,
  );
});

test("a plan that was changed after it was written is refused", async () => {
  const text = await changedPlan((plan) => {
    plan.method = "row-wise";
  }, false);
  await expect(read(text)).rejects.toThrow(
    "plan.json: expected the plan as it was written, received one changed since",
  );
  const repeated = (await changedPlan(() => {})).replace("{", '{"method": "row-wise", ');
  await expect(read(repeated)).rejects.toThrow("received one changed since");
});

test("the proof that there is no plan is refused", async () => {
  const text = writePlan(await planRowTiers("instances/tiny/infeasible.yaml"));
  await expect(read(text)).rejects.toThrow("plan.json: expected a plan, received the proof that there is none");
});

test.each<[string, (plan: Json) => void]>([
  ["expected runs that hold 20 rows, received 19", ({ tables }) => runsOf(tables).splice(0, 1, [19, "data_parallel"])],
  ["expected runs that hold 20 rows, received 21", ({ tables }) => runsOf(tables).push([1, "row_wise"])],
  ["expected runs of at least one row, received one of 0", ({ tables }) => runsOf(tables).push([0, "row_wise"])],
  ["expected runs of at least one row, received one of 0.5", ({ tables }) => runsOf(tables).push([0.5, "row_wise"])],
  [
    "expected tiers of data_parallel, flex, row_wise, received column_wise",
    ({ tables }) => runsOf(tables).splice(0, 1, [20, "column_wise"]),
  ],
  ['expected the table "', ({ tables }) => Object.assign(tables[0] as object, { name: "other" })],
  ["expected the runs of 1 tables, received 0", ({ tables }) => tables.pop()],
  ["expected a plan of version 1 for row-tiers", (plan) => Object.assign(plan, { shardproof: 2 })],
  ["expected a plan of version 1 for row-tiers", (plan) => Object.assign(plan, { problem: "table-placement" })],
])("a plan is refused: %s", async (message, change) => {
  await expect(read(await changedPlan(change))).rejects.toThrow(message);
});

function runsOf(tables: Json["tables"]): [number, string][] {
  return (tables[0] as Json["tables"][number]).runs;
}

test("what is no plan is refused", async () => {
  await expect(read("not JSON")).rejects.toThrow("plan.json:1:");
  await expect(read("{}")).rejects.toThrow("expected a plan file");
});
