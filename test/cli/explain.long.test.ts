import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directProgram } from "../../models/table-placement/direct-program.js";
import { placementModel } from "../../models/table-placement/from-instance.js";
import { parseInstance, verify } from "../../src/index.js";
import type { TablePlacementInstance } from "../../src/instance/types/table-placement.js";
import type { Certificate } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { runCli, temporaryFolder, writePlanFile } from "./run-cli.js";

const TORCHREC = "instances/tiny/placement-torchrec.yaml";

test("a person reads what every choice is worth, what fills the devices and what binds", async () => {
  const file = join(temporaryFolder(), "plan.json");
  await writePlanFile(file, TORCHREC);
  const { status, stdout, stderr } = await runCli(["explain", file]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^ {2}t0 +row_wise fused .* 51\.9 % more$/m);
  expect(stdout).toMatch(/^ {2}t2 +table_wise fused .* as good$/m);
  expect(stdout).toMatch(/load binds +device 1: t0, t1/);
  expect(stdout).toMatch(/memory binds +no: none is below 0\.0284477 ms with any memory either/);
  expect(stdout).toMatch(
    /irreducible +table t0: every option costs some device at least 0\.0218588 ms \(76\.8 % of the plan\)/,
  );
});

test("the JSON has every table, the file its proofs, and the same plan the same bytes", async () => {
  const folder = temporaryFolder();
  const [file, out] = [join(folder, "plan.json"), join(folder, "why.json")];
  await writePlanFile(file, TORCHREC);
  const runs = [await runCli(["explain", file, "--json", "--out", out]), await runCli(["explain", file, "--json"])];
  const [first, second] = runs.map(({ stdout }) => stdout.replace(/"timing": \{[^}]*\}/, ""));
  expect(second).toBe(first);
  const explanation = JSON.parse(runs[0]?.stdout ?? "");
  expect(explanation).not.toHaveProperty("proofs");
  expect(explanation.tables).toHaveLength(3);
  const { proofs } = JSON.parse(readFileSync(out, "utf8"));
  // Each proof is about the program of the instance without the option, built here anew.
  const instance = parseInstance(readFileSync(TORCHREC, "utf8"), TORCHREC) as TablePlacementInstance;
  const { problem } = placementModel(instance);
  let checked = 0;
  for (const { table, certificate } of proofs as { table: string | null; certificate: Certificate }[]) {
    const { without, option } = explanation.tables.find(({ name }: { name: string }) => name === table) ?? {};
    if (without?.by === undefined || without.by === "plan") continue;
    const tables = problem.tables.map((one) =>
      one.name === table ? { ...one, options: one.options.filter((_, o) => o !== option) } : one,
    );
    const { bound } = checkCertificate(directProgram({ ...problem, tables }).program, certificate);
    expect(bound?.toString()).toBe(without.exact.bound);
    checked++;
  }
  expect(checked).toBeGreaterThan(0);
});

test("a plan that does not hold is not explained: what fails is said, with exit status 5", async () => {
  const file = join(temporaryFolder(), "plan.json");
  await writePlanFile(file, TORCHREC);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace(/"seed": 0/, '"seed": 1'));
  const { status, stdout } = await runCli(["explain", file]);
  expect(status).toBe(5);
  expect(stdout).toContain("digest");
  expect((await verify(text)).passed).toBe(true);
});

test("plans of other problems, and files without a plan, are refused", async () => {
  const folder = temporaryFolder();
  const [rows, none] = [join(folder, "rows.json"), join(folder, "none.json")];
  await writePlanFile(rows, "instances/tiny/two-tiers.yaml");
  await writePlanFile(none, "instances/tiny/placement-infeasible.yaml");
  const refused = await runCli(["explain", rows]);
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining("expected a plan of table-placement")]);
  const infeasible = await runCli(["explain", none]);
  expect([infeasible.status, infeasible.stderr]).toEqual([2, expect.stringContaining("there is none (infeasible)")]);
});

test("a placement's frontier: points, plot, CSV, monotone, the same bytes", async () => {
  const asked = ["frontier", TORCHREC, "--points", "4", "--time-limit", "120"];
  const [shown, csv, one, two] = await Promise.all([
    runCli(asked),
    runCli([...asked, "--csv"]),
    runCli([...asked, "--json"]),
    runCli([...asked, "--json"]),
  ]);
  expect(shown.status).toBe(0);
  expect(shown.stdout).toContain("o optimum");
  expect(shown.stdout).toMatch(/^ +95\.367 .* the budget$/m);
  const [first, second] = [one, two].map(({ stdout }) => stdout.replace(/"timing": \{[^}]*\}/, ""));
  expect(second).toBe(first);
  const { optimal, isComplete } = JSON.parse(one.stdout);
  expect(isComplete).toBe(true);
  const values = optimal.flatMap(({ value }: { value: number | null }) => value ?? []);
  expect(values).toEqual([...values].sort((a: number, b: number) => b - a));
  const lines = csv.stdout.trim().split("\n");
  expect(lines[0]).toBe("series,bytesPerGpu,value,bound,gap,status,usedBytesPerGpu,provedAtBytesPerGpu");
  expect(lines).toHaveLength(1 + optimal.length);
});
