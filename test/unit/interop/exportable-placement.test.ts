import { expect, test } from "vitest";
import { directProgram } from "../../../models/table-placement/direct-program.js";
import { planDigest } from "../../../src/plan-file/canonical-json.js";
import { writePlan } from "../../../src/plan-file/write-plan.js";
import { writerOf } from "../../../src/problems/exportable.js";
import { planProgramText, readExportable } from "../../../src/problems/planning/export.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";
import { readExportablePlacement } from "../../../src/problems/table-placement/exportable.js";
import type { TablePlacementPlan } from "../../../src/problems/table-placement/plan-file/plan-file.js";
import { planTablePlacement } from "../../../src/problems/table-placement/solve/plan.js";
import { readProgram } from "../../../src/program/read-program.js";
import { planRowTiers, planTowerPartition } from "../../support/planned.js";

const GIVEN = "instances/tiny/placement-given.yaml";

type Json = Record<string, unknown> & { tables: { option: number; ranks: number[] }[] };

/** A plan file's text, changed, and with the digest that its new content has. */
async function changedPlan(change: (plan: Json) => void, instance = GIVEN): Promise<string> {
  const plan = JSON.parse(writePlan(await planTablePlacement(instance))) as Json;
  change(plan);
  plan.digest = planDigest(plan);
  return JSON.stringify(plan);
}

function read(text: string, instance?: string) {
  return readExportablePlacement(text, "plan.json", (file) => loadInstance(instance ?? file));
}

test("a plan is read with its instance, and its placement is the plan's", async () => {
  const text = await changedPlan(() => {});
  const { devices } = JSON.parse(text) as TablePlacementPlan;
  const plan = await read(text);
  expect(plan).toMatchObject({ method: "optimal", status: "proved", instance: await loadInstance(GIVEN) });
  const placed = plan.problem.tables.map(({ name }, t) => [name, plan.placement.choices[t]?.devices]);
  for (const [name, [device]] of placed as [string, number[]][]) expect(devices?.[device as number]).toContain(name);
});

test.each<[string, (plan: Json) => void]>([
  [
    "plan.json: expected a plan that fits its instance, received one of which the memory of device 0",
    ({ tables }) => {
      for (const table of tables) table.ranks = [0];
    },
  ],
  [
    "plan.json: expected a plan that fits its instance, received one of which 7 tables were expected, 6 are there",
    ({ tables }) => tables.pop(),
  ],
  [
    "has no option 1: they are numbered from 0 to 0; plan again",
    ({ tables }) => Object.assign(tables[0] as object, { option: 1 }),
  ],
  ["is on device 99", ({ tables }) => Object.assign(tables[0] as object, { ranks: [99] })],
  [
    "expected a plan, received a file that says that none was found (unknown); raise --time-limit",
    (plan) => Object.assign(plan, { status: "unknown", tables: [] }),
  ],
  [
    "expected a plan of version 1 for table-placement, received another",
    (plan) => Object.assign(plan, { problem: "row-tiers" }),
  ],
])("refused: %s", async (message, change) => {
  await expect(read(await changedPlan(change))).rejects.toThrow(message);
});

test("a plan of another instance, or the proof that there is none, is refused", async () => {
  await expect(read(await changedPlan(() => {}), "instances/tiny/placement-torchrec.yaml")).rejects.toThrow(
    /^plan\.json: expected the plan of instances\/tiny\/placement-torchrec\.yaml .* received that of "placement-given"/,
  );
  const infeasible = await changedPlan(() => {}, "instances/tiny/placement-infeasible.yaml");
  await expect(read(infeasible)).rejects.toThrow("expected a plan, received the proof that there is none");
});

test("a plan of any problem is told by its file", async () => {
  const placement = await readExportable(await changedPlan(() => {}), "plan.json", loadInstance);
  expect(writerOf(placement, "remap")).toBeTypeOf("function");
  const tiers = writePlan(await planRowTiers("instances/tiny/two-tiers.yaml"));
  const exported = await readExportable(tiers, "plan.json", loadInstance);
  expect(writerOf(exported, "remap")).toBeTypeOf("function");
  await expect(readExportable(tiers.replace("row-tiers", "towers"), "plan.json", loadInstance)).rejects.toThrow(
    "expected a plan of version 1 for row-tiers, table-placement or tower-partition, received another",
  );
  const towers = writePlan(await planTowerPartition("instances/tiny/towers-load.yaml"));
  const partition = await readExportable(towers, "plan.json", loadInstance);
  expect(() => writerOf(partition, "torchrec")).toThrow("--to torchrec is not for plans of tower-partition");
  expect(() => writerOf(partition, "remap")).toThrow("--to remap is not for plans of tower-partition");
});

test.each(["mps", "lp"] as const)("the program of a placement is written as %s", async (format) => {
  const { instance, problem } = await read(await changedPlan(() => {}));
  const written = readProgram(await planProgramText(instance, format), `program.${format}`);
  const { program } = directProgram(problem);
  expect([written.columns.length, written.rows.length]).toEqual([program.columns.length, program.rows.length]);
});
