import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { interruptedAfter, runCli, runProcess, temporaryFolder } from "./run-cli.js";

const TINY = "instances/tiny/three-tiers-exposed.yaml";

test("a plan verifies from its file, from standard input and with its instance elsewhere", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "plan.json");
  const copy = join(folder, "copy.yaml");
  writeFileSync(copy, readFileSync(TINY));
  await runCli(["plan", TINY, "--out", file]);
  const verified = await runCli(["verify", file]);
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
  expect(verified.stdout).toMatch(/ok\s+certificate\s+no plan is better than .* checked in exact arithmetic/);
  expect(verified.stdout.trimEnd().split("\n").at(-1)).toBe("verified");
  expect((await runCli(["verify", "-"], { input: readFileSync(file, "utf8") })).status).toBe(0);
  expect((await runCli(["verify", file, "--instance", copy])).status).toBe(0);
});

test("a plan whose instance was standard input asks where the instance is", async () => {
  const { stdout: plan } = await runCli(["plan", "-", "--json"], { input: readFileSync(TINY, "utf8") });
  const asked = await runCli(["verify", "-"], { input: plan });
  expect(asked.stderr).toContain("--instance FILE");
  expect(asked.status).toBe(2);
  expect((await runCli(["verify", "-", "--instance", TINY], { input: plan })).status).toBe(0);
});

test("a plan whose instance is not where it was asks where it is", async () => {
  const folder = temporaryFolder();
  const [file, moved] = [join(folder, "plan.json"), join(folder, "moved.yaml")];
  writeFileSync(moved, readFileSync(TINY));
  await runCli(["plan", moved, "--out", file]);
  rmSync(moved);
  for (const command of [["verify"], ["simulate"], ["export", "--to", "lp"]]) {
    const { status, stderr } = await runCli([...command, file]);
    expect([command, status]).toEqual([command, 2]);
    expect(stderr).toBe(
      `${file}: expected the plan's instance where the plan says it is, received ${JSON.stringify(moved)}: no such file; say where it is with --instance FILE\n`,
    );
  }
});

test("a changed number, a changed word and another instance end with 5 and say what differs", async () => {
  const { stdout: plan } = await runCli(["plan", TINY, "--json"]);
  const number = plan.replace('"value": 0.0213', '"value": 0.0214');
  expect(number).not.toBe(plan);
  const changed = await runCli(["verify", "-"], { input: number });
  expect(changed.status).toBe(5);
  expect(changed.stdout).toMatch(/differs objective\.value: expected 0\.0213\d*, found/);
  expect(changed.stdout.trimEnd().split("\n").at(-1)).toBe("verification failed");
  expect((await runCli(["verify", "-"], { input: plan.replace('"proved"', '"feasible"') })).status).toBe(5);
  expect((await runCli(["verify", "-"], { input: plan.replace('"row-tiers"', '"row-tears"') })).status).toBe(5);
  const twice = plan.replace('"status": "proved"', '"status": "infeasible",\n  "status": "proved"');
  expect((await runCli(["verify", "-"], { input: twice })).stdout).toContain("a key is there twice");
  const other = await runCli(["verify", "-", "--instance", "instances/tiny/two-tiers.yaml"], { input: plan });
  expect(other.stdout).toContain("the plan was made for another");
  expect(other.status).toBe(5);
});

test("what no check covers is listed with the reason; methods are run again, or not", async () => {
  const { stdout: plan } = await runCli(["plan", TINY, "--json"]);
  const verify = async (...more: string[]) => (await runCli(["verify", "-", ...more], { input: plan })).stdout;
  const quick = await verify();
  expect(quick).toMatch(/ok {6}gap +accepted gap 1e-9, as the file asks; value and bound are equal\n/);
  expect(quick).toMatch(/ok {6}baselines +flexshard-2tier, flexshard-3tier run again\n/);
  expect(quick).toMatch(/not checked request\.gap, request\.timeLimitSeconds, request\.seed: what was asked for/);
  expect(await verify("--baselines")).toBe(quick);
  const none = await verify("--no-baselines");
  expect(none).toMatch(/not checked baseline: published methods were not run again/);
  expect(none).not.toContain("run again\n");
  const { notChecked } = JSON.parse(await verify("--json"));
  expect(notChecked).toContainEqual({ path: "timing.proveSeconds", reason: expect.stringContaining("wall-clock") });
});

test("a method that there is not is refused by verify and by report, before a page is made", async () => {
  const folder = temporaryFolder();
  const [file, page] = [join(folder, "plan.json"), join(folder, "page.html")];
  await runCli(["plan", TINY, "--out", file]);
  const forged = JSON.parse(readFileSync(file, "utf8"));
  forged.baseline[0].method = "<script>alert(1)</script>";
  forged.digest = planDigest(forged);
  writeFileSync(file, JSON.stringify(forged));
  for (const command of [["verify"], ["report", "--no-check", "--out", page]]) {
    const { status, stdout, stderr } = await runCli([...command, file]);
    expect([command, status, stdout]).toEqual([command, 2, ""]);
    expect(stderr).toMatch(
      /plan\.json:1:\d+: baseline\[0\]\.method: expected the method row-wise, .* received a method/,
    );
  }
  expect(existsSync(page)).toBe(false);
});

test("Ctrl-C ends a verification without an answer, whatever it waits for", async () => {
  const folder = temporaryFolder();
  const [file, pipe] = [join(folder, "plan.json"), join(folder, "instance.yaml")];
  await runCli(["plan", TINY, "--out", file]);
  // Nothing comes through a pipe that nobody writes to.
  execFileSync("mkfifo", [pipe]);
  const { status, signal, stdout } = await runProcess(["verify", file, "--instance", pipe], {
    onStart: interruptedAfter(1.5),
  });
  expect([status, signal, stdout]).toEqual([null, "SIGINT", ""]);
});
