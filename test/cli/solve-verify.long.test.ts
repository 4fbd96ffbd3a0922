import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { runCli, temporaryFolder } from "./run-cli.js";

const PRODUCTION = "instances/programs/production.lp";
const MAKESPAN = "instances/programs/makespan-20x3.lp";

test("a certificate is written, named in the result, and verifies from its own words", async () => {
  const file = join(temporaryFolder(), "certificate.json");
  const { status, stdout } = await runCli(["solve", PRODUCTION, "--certificate", file, "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ certificate: null, certificateFile: file, proof: { steps: 1 } });
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    shardproof: 1,
    kind: "certificate",
    model: { name: "production", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    point: { bread: "5215/38", rolls: "15" },
    objective: { gap: 0 },
  });
  for (const more of [[], ["--instance", PRODUCTION]]) {
    const verified = await runCli(["verify", file, ...more]);
    expect([verified.status, verified.stderr]).toEqual([0, ""]);
    expect(verified.stdout).toContain("no feasible point is better than 11909/19: 1 step");
  }
});

test("a solution verifies too, with a certificate beside it; one whose certificate is gone does not", async () => {
  const folder = temporaryFolder();
  const out = join(folder, "solution.json");
  await runCli(["solve", PRODUCTION, "--out", out]);
  expect((await runCli(["verify", out])).status).toBe(0);
  const certificate = join(folder, "certificate.json");
  await runCli(["solve", PRODUCTION, "--out", out, "--certificate", certificate]);
  expect((await runCli(["verify", out])).status).toBe(0);
  rmSync(certificate);
  const { status, stdout } = await runCli(["verify", out]);
  expect(status).toBe(5);
  expect(stdout).toContain(
    `in a file of its own: ${certificate}: expected a certificate that can be read, received no such file`,
  );
});

test("a solution whose certificate is VIPR's verifies by that, and by no other", async () => {
  const folder = temporaryFolder();
  const [out, vipr] = [join(folder, "solution.json"), join(folder, "certificate.vipr")] as const;
  await runCli(["solve", PRODUCTION, "--certificate", vipr, "--out", out]);
  const { status, stdout } = await runCli(["verify", out]);
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining("no feasible point is better than 11909/19: 1 derivation,"),
  ]);
  expect(stdout).toMatch(/not checked proof: the size of the proof/);
  const solution = JSON.parse(readFileSync(out, "utf8"));
  const { digest: _, ...changed } = {
    ...solution,
    exact: { ...solution.exact, bound: solution.exact.bound.replace(/\d/, "7") },
  };
  writeFileSync(out, JSON.stringify({ ...changed, digest: planDigest(changed) }));
  expect((await runCli(["verify", out])).status).toBe(5);
  writeFileSync(out, JSON.stringify(solution));
  for (const other of [readFileSync(vipr, "utf8").replace(/^RTP range .*$/m, "RTP infeas"), "% nothing\nVER 1.0\n"]) {
    writeFileSync(vipr, other);
    expect((await runCli(["verify", out])).status).toBe(5);
  }
  await runCli(["solve", "instances/programs/knapsack-30.mps", "--certificate", vipr]);
  const moved = await runCli(["verify", out]);
  expect([moved.status, moved.stdout]).toEqual([5, expect.stringContaining("is not the model")]);
});

test("another model, and a changed number, end with 5", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "certificate.json");
  await runCli(["solve", PRODUCTION, "--certificate", file]);
  const other = join(folder, "other.lp");
  writeFileSync(other, readFileSync(PRODUCTION, "utf8").replace("2.4 bread", "2.5 bread"));
  const moved = await runCli(["verify", file, "--instance", other]);
  expect(moved.status).toBe(5);
  expect(moved.stdout).toContain("made for another model");
  writeFileSync(file, readFileSync(file, "utf8").replace('"5215/38"', '"5214/38"'));
  expect((await runCli(["verify", file])).status).toBe(5);
});

test.each([
  { model: "instances/programs/knapsack-30.mps", says: "no feasible point is better than 8903; the best solution" },
  { model: PRODUCTION, says: "no feasible point is better than 11909/19; the best solution" },
  { model: MAKESPAN, says: "no feasible point is better than 390; the best solution" },
])("$model: a VIPR file verifies alone and against its model, and against no other", async ({ model, says }) => {
  const strangers = model === MAKESPAN ? PRODUCTION : MAKESPAN;
  const file = join(temporaryFolder(), "proof.VIPR");
  expect((await runCli(["solve", model, "--certificate", file])).status).toBe(0);
  expect(readFileSync(file, "utf8")).toMatch(/^(%.*\n)*VER 1\.1\n/);
  const alone = await runCli(["verify", file]);
  expect([alone.status, alone.stderr]).toEqual([0, ""]);
  const against = await runCli(["verify", file, "--instance", model]);
  expect([against.status, against.stderr]).toEqual([0, ""]);
  expect(against.stdout).toContain(says);
  const other = await runCli(["verify", file, "--instance", strangers]);
  expect(other.status).toBe(5);
  expect(other.stdout).toMatch(/FAILED +model/);
});

// Of three integers that add up to 1 one may be -1: they are no table on one of three devices. The optimum is 1.
const NEGATIVE = `Minimize
 obj: z
Subject To
 table: a1 + a2 + a3 = 1
 load1: a1 - z <= 0
 load2: a2 - z <= 0
 load3: 10 a3 - z <= -10
Bounds
 -1 <= a1 <= 1
 -1 <= a2 <= 1
 -1 <= a3 <= 1
 0 <= z <= 100
General
 a1 a2 a3
End
`;

test("a step that goes through sets of tables proves nothing of integers below zero", async () => {
  const folder = temporaryFolder();
  const [model, file] = [join(folder, "negative.lp"), join(folder, "certificate.json")];
  writeFileSync(model, NEGATIVE);
  await runCli(["solve", model, "--certificate", file]);
  const honest = JSON.parse(readFileSync(file, "utf8"));
  expect(honest.exact).toEqual({ value: "1", bound: "1" });
  const forged = {
    ...honest,
    objective: { value: 10, bound: 10, gap: 0 },
    exact: { value: "10", bound: "10" },
    point: { z: "10", a1: "1", a2: "0", a3: "0" },
    certificate: {
      ...honest.certificate,
      claim: { kind: "bound", bound: "10" },
      steps: [{ partition: ["load1", "load2", "load3"] }],
    },
  };
  writeFileSync(file, JSON.stringify({ ...forged, digest: planDigest(forged) }));
  const { status, stdout } = await runCli(["verify", file, "--instance", model]);
  expect(stdout).toContain("a table's column may be negative");
  expect(status).toBe(5);
});
