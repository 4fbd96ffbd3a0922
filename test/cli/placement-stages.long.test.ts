import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import { runCli, temporaryFolder } from "./run-cli.js";

const STAGES = "instances/tiny/placement-stages.yaml";

/** The plan's file with the bound of its second stage, and a digest that says nothing of the change. */
function withSecondBound(text: string, bound: number): string {
  const { digest: _, ...plan } = JSON.parse(text);
  const [first, second, ...others] = plan.stages;
  const stages = [first, { ...second, bound, exact: { ...second.exact, bound: `${bound}` } }, ...others];
  return `${JSON.stringify({ ...plan, stages, digest: planDigest({ ...plan, stages }) })}\n`;
}

test("goals in order: each with its bound and what binds it, on the terminal, once checked, and on the page", async () => {
  const file = join(temporaryFolder(), "plan.json");
  const planned = await runCli(["plan", STAGES, "--gap", "0", "--out", file]);
  expect([planned.status, planned.stderr]).toEqual([0, ""]);
  expect(planned.stdout).toMatch(
    /goal 1 +largest device cost 6\.00000 ms +\(proved bound 5\.00000 ms, gap 0; least found 5\.00000 ms; 20 % more/,
  );
  expect(planned.stdout).toMatch(/floor 2 +70\.0000 B: one shard of table giant: .* \(most is on device \d\)/);
  // The first goal's bound beside the plan's own value, which may be more, would look like a gap.
  expect(planned.stdout).not.toMatch(/^ {2}proved bound/m);
  const verified = await runCli(["verify", file]);
  expect([verified.status, verified.stderr]).toEqual([0, ""]);
  for (const stage of [1, 2, 3]) expect(verified.stdout).toMatch(new RegExp(`ok +certificate of stage ${stage} `));
  expect(verified.stdout).not.toContain("apart, which is more");
  const page = await runCli(["report", file]);
  expect(page.status).toBe(0);
  for (const words of ["goal 1", "goal 2", "goal 3", "one shard of table giant"]) expect(page.stdout).toContain(words);
});

test("a stage whose bound was changed does not verify: exit status 5, and the stage is named", async () => {
  const file = join(temporaryFolder(), "plan.json");
  await runCli(["plan", STAGES, "--gap", "0", "--out", file]);
  writeFileSync(file, withSecondBound(readFileSync(file, "utf8"), 71));
  const { status, stdout } = await runCli(["verify", file]);
  expect(status).toBe(5);
  expect(stdout).toMatch(/differs stages\[1\]\.bound: expected 70, found 71/);
  expect((await runCli(["report", file])).status).toBe(5);
});
