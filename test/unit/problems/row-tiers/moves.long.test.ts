import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { decode, NPY_BYTES } from "../../../../src/interop/remap/npy.js";
import { writePlan } from "../../../../src/plan-file/write-plan.js";
import { loadInstance } from "../../../../src/problems/planning/instances.js";
import { verifyPlanText } from "../../../../src/problems/planning/verify.js";
import { exportRowTiers } from "../../../../src/problems/row-tiers/export.js";
import type { RowTiersPlan } from "../../../../src/problems/row-tiers/plan-file/plan-file.js";
import { planRowTiers } from "../../../support/planned.js";

const CLUSTER = `
shardproof: 1
problem: row-tiers
cluster:
  nodes: 2
  gpusPerNode: 2
  bandwidth: {allToAllGlobal: 1000, allToAllIntra: 4000, allReduceGlobal: 3000, allReduceCross: 500}
training: {batchPerGpu: 8, replicaMemoryFactor: 6}
tiers: [row_wise, data_parallel, flex]
`;

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-moves-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function countsTable(counts: string, rows: number): string {
  return `tables:\n  - {name: t, rows: ${rows}, dim: 4, access: {counts: {file: ${counts}, samples: 100}}}\n`;
}

function array(file: string, type: "|u1" | "<i8" | "<u4"): readonly number[] {
  const bytes = readFileSync(file);
  const begin = 10 + bytes.readUInt16LE(8);
  expect((bytes.length - begin) % NPY_BYTES[type]).toBe(0);
  return [...decode(type, bytes.subarray(begin))];
}

/** Tiers' codes by row id. */
async function tiersById(plan: RowTiersPlan, folder: string): Promise<readonly number[]> {
  const exported = await exportRowTiers(writePlan(plan), "plan.json", loadInstance);
  if (typeof exported.remap === "string") throw new Error(exported.remap);
  await exported.remap({
    folder,
    indexOrder: "falling",
    rankFiles: [],
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  return array(join(folder, "t.tier.npy"), "|u1");
}

const counts = fc.array(fc.nat(12), { minLength: 2, maxLength: 40 });

test("rows with counts are known by their ids: the delta is where two remaps differ, and as large as the plan says", async () => {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  await fc.assert(
    fc.asyncProperty(
      counts,
      counts,
      fc.integer({ min: 0, max: 1500 }),
      fc.integer({ min: 0, max: 1500 }),
      fc.constantFrom("time", "moved-rows", "moved-bytes", "memory"),
      async (then, now, extraThen, extraNow, goal) => {
        fc.pre(then.some((count) => count > 0) && now.some((count) => count > 0));
        writeFileSync(path("then.csv"), `${then.join("\n")}\n`);
        writeFileSync(path("now.csv"), `${now.join("\n")}\n`);
        const rowsNow = Math.max(now.length, then.length - 3);
        const old = `name: then\nbudget: {extraBytesPerGpu: ${extraThen}}\n${countsTable("then.csv", then.length)}`;
        writeFileSync(path("then.yaml"), `${CLUSTER}${old}`);
        const first = (await planRowTiers(path("then.yaml"), { gap: 0 })) as RowTiersPlan;
        writeFileSync(path("then.json"), writePlan(first));
        writeFileSync(
          path("now.yaml"),
          `${CLUSTER}name: now\nbudget: {extraBytesPerGpu: ${extraNow}}\nfrom: {plan: then.json, instance: then.yaml}
goals: [{minimize: time, allow: "20 %"}${goal === "time" ? "" : `, {minimize: ${goal}}`}]\n${countsTable("now.csv", rowsNow)}`,
        );
        const second = (await planRowTiers(path("now.yaml"), { gap: 0 })) as RowTiersPlan;
        expect(second.status).toBe("proved");
        const { passed, differences } = await verifyPlanText(writePlan(second), "plan.json", loadInstance);
        expect(differences).toEqual([]);
        expect(passed).toBe(true);

        const before = await tiersById(first, path("remap-then"));
        const after = await tiersById(second, path("remap-now"));
        const moved = after.flatMap((tier, id) => (id < before.length && tier !== before[id] ? [id] : []));
        expect(second.moves?.rows).toBe(moved.length);
        expect(array(path("remap-now/t.moved.npy"), "<i8")).toEqual(moved);
        expect(array(path("remap-now/t.moved-from.npy"), "|u1")).toEqual(moved.map((id) => before[id]));
        expect(array(path("remap-now/t.moved-to.npy"), "|u1")).toEqual(moved.map((id) => after[id]));
        // Rows that are read more often are never in a later tier than rows that are read less, among those that were alike.
        const ofTier = (code: number) => after.filter((tier) => tier === code).length;
        const planned = (tier: string) => second.tables[0]?.tiers.find((one) => one.tier === tier)?.rows;
        expect([ofTier(0), ofTier(1), ofTier(2)]).toEqual([
          planned("data_parallel"),
          planned("flex"),
          planned("row_wise"),
        ]);
        const reads = after.reduce((sum, tier, id) => sum + (tier === 2 ? (now[id] ?? 0) : 0), 0);
        const rowWise = second.tables[0]?.tiers.find((one) => one.tier === "row_wise");
        expect(rowWise?.readBytesPerSample).toBeCloseTo((reads / 100) * 16, 9);
      },
    ),
    { seed: 1, numRuns: 25 },
  );
}, 300_000);

test("where nothing says which rows are which, the plan is refused, unless the instance says that they are in order", async () => {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  const histogram = (hot: number) =>
    `tables:\n  - {name: t, rows: 8, dim: 4, access: {histogram: [[${hot}, 0.9], [${8 - hot}, 0.1]]}}\n`;
  writeFileSync(path("then.yaml"), `${CLUSTER}name: then\n${histogram(2)}`);
  writeFileSync(path("then.json"), writePlan(await planRowTiers(path("then.yaml"))));
  const write = (from: string, hot: number) => {
    writeFileSync(path("now.yaml"), `${CLUSTER}name: now\nfrom: {plan: then.json${from}}\n${histogram(hot)}`);
    return planRowTiers(path("now.yaml"));
  };
  await expect(write("", 2)).rejects.toThrow('expected to be told which rows of "t" are which');
  await expect(write(", instance: then.yaml", 3)).rejects.toThrow("no more than how often rows are read");
  expect((await write(", instance: then.yaml", 2)).moves?.knownBy).toEqual([{ table: "t", by: "same-access" }]);
  expect((await write(", instance: then.yaml", 2)).moves?.rows).toBe(0);
  expect((await write(", order: same", 3)).moves?.knownBy).toEqual([{ table: "t", by: "order" }]);
  expect((await write(", order: same, mostMovedRows: 0", 3)).moves?.rows).toBe(0);
});

test("a plan whose order of rows came from a plan before it is refused where rows are known by counts", async () => {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  writeFileSync(path("counts.csv"), "3\n1\n1\n0\n");
  const write = (name: string, from: string) =>
    writeFileSync(path(`${name}.yaml`), `${CLUSTER}name: ${name}\n${from}${countsTable("counts.csv", 4)}`);
  write("first", "");
  writeFileSync(path("first.json"), writePlan(await planRowTiers(path("first.yaml"))));
  write("second", "from: {plan: first.json, instance: first.yaml}\n");
  writeFileSync(path("second.json"), writePlan(await planRowTiers(path("second.yaml"))));
  write("third", "from: {plan: second.json, instance: second.yaml}\n");
  await expect(planRowTiers(path("third.yaml"))).rejects.toThrow("expected an instance that moves from no plan itself");
});
