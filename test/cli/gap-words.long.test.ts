import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { runCli } from "./run-cli.js";

const folder = mkdtempSync(join(tmpdir(), "shardproof-gap-words-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const OPTIMAL = /\boptimal\b|no (plan|placement) [^.;—]*(better|less)|comes to less/;

function wordsOf(page: string): string {
  return page.replace(/<(style|script)[\s\S]*?<\/\1>|<p class="muted">[\s\S]*?<\/p>|<[^>]*>/g, " ");
}

describe("within a gap that was asked for", () => {
  const INSTANCE = "instances/tiny/placement-migration.yaml";
  const plan = join(folder, "plan.json");

  test("plan, report and export say within, and nothing is optimal", { timeout: 300_000 }, async () => {
    const planned = await runCli(["plan", INSTANCE, "--gap", "0.9", "--out", plan]);
    expect(planned.status).toBe(0);
    // 11 is there, says the instance.
    expect(planned.stdout).toMatch(/largest device cost +12\.0000 ms/);
    expect(planned.stdout).not.toMatch(OPTIMAL);
    expect(planned.stdout).toMatch(/^proved: within 41\.2 % of the optimum, proved bound 8\.5\d* ms/m);
    const page = join(folder, "plan.html");
    const reported = await runCli(["report", plan, "--out", page]);
    expect(reported.stdout).toContain("table-placement, within 41.2 % of the optimum, proved, checked again");
    const words = wordsOf(readFileSync(page, "utf8"));
    expect(words).not.toMatch(OPTIMAL);
    expect(words).toMatch(/table-placement, exact/);
  });

  test("a plan handed to TorchRec is not called optimal for its method", { timeout: 300_000 }, async () => {
    const other = join(folder, "torchrec.json");
    await runCli(["plan", "instances/tiny/placement-torchrec.yaml", "--gap", "0.5", "--out", other]);
    const exported = await runCli(["export", other, "--to", "torchrec", "--out", join(folder, "sharding.json")]);
    expect(exported.status).toBe(0);
    expect(exported.stdout).toMatch(/sharding plan for TorchRec, exact\n/);
    expect(exported.stdout).not.toMatch(OPTIMAL);
  });

  test.each([1, 1e300, -0.5])("a file that says that a gap of %d was asked for is refused", async (gap) => {
    const text = readFileSync(plan, "utf8");
    const forged = { ...JSON.parse(text), status: "proved" };
    forged.request.gap = gap;
    const file = join(folder, "forged.json");
    writeFileSync(file, JSON.stringify({ ...forged, digest: planDigest(forged) }));
    for (const command of [["verify"], ["report", "--out", join(folder, "no.html")], ["export", "--to", "lp"]]) {
      const { status, stdout, stderr } = await runCli([...command, file]);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        /^\S+forged\.json:\d+:\d+: request\.gap: expected a relative gap of at least 0 and below 1/,
      );
      expect(stderr.trim().split("\n")).toHaveLength(1);
    }
  });
});

test.each([
  ["plan", "instances/tiny/placement-given.yaml"],
  ["compare", "instances/tiny/placement-given.yaml"],
  ["frontier", "instances/tiny/two-tiers.yaml"],
  ["solve", "instances/programs/production.lp"],
])("%s takes no gap of 1 and more", async (command, file) => {
  for (const gap of ["1", "1e300", "-0.1"]) {
    const { status, stderr } = await runCli([command, file, "--gap", gap]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: .*Expected a number of at least 0 and below 1/);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  }
});
