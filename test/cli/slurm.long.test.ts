import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runProcess, temporaryFolder } from "./run-cli.js";

test("a queue is asked how long arrays may be, and why its tasks did not start", { timeout: 120_000 }, async () => {
  const root = join(temporaryFolder(), "of 100%j");
  const tools = join(root, "tools");
  mkdirSync(tools, { recursive: true });
  const tool = (name: string, text: string) => {
    writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(tools, name), 0o755);
  };
  // As Slurm 22.05 answers.
  tool("sbatch", `echo "$@" >> '${root}/asked'; echo "Submitted batch job $(wc -l < '${root}/asked')"`);
  tool(
    "scontrol",
    `if [ "$2" = config ]; then echo "MaxArraySize            = 3"; else
echo "JobId=$4 ArrayTaskId=1 JobState=FAILED Reason=JobLaunchFailure Dependency=(null)"
echo "JobId=$4 ArrayTaskId=2 JobState=COMPLETED Reason=None Dependency=(null)"; fi`,
  );
  const study = join(root, "study.yaml");
  const tiny = resolve("instances/tiny/two-tiers.yaml");
  writeFileSync(
    study,
    `shardproof: 1\nstudy: s\ninstances: [{files: [${tiny}]}]\nmethods: [published]\nseed: [1, 2]\n`,
  );
  const env = { PATH: `${tools}:${process.env.PATH}` };
  const job = join(root, "job");
  expect((await runProcess(["study", study, "--out", job], { env })).status).toBe(0);
  const lines = readFileSync(join(job, "jobs.jsonl"), "utf8").trim().split("\n").length;
  expect(lines).toBeGreaterThan(2);
  const submit = ["study", "submit", job, "--to", "slurm", "--tasks", String(lines)];
  const shown = await runProcess(submit, { env });
  expect(shown.stdout).toContain(`start it:    sbatch '${job}/submit-slurm.sh'`);
  expect(readFileSync(join(job, "submit-slurm.sh"), "utf8")).toContain(`--output=${job.replace("%", "%%")}/slurm-`);
  const { stdout, status } = await runProcess([...submit, "--go"], { env });
  expect([status, stdout]).toEqual([0, expect.stringContaining("Submitted batch job 1\n")]);
  const asked = readFileSync(join(root, "asked"), "utf8").trim().split("\n");
  expect(asked).toHaveLength(Math.ceil(lines / 2));
  expect(asked[1]).toContain("--export=ALL,SHARDPROOF_FIRST_TASK=2");
  const collected = await runProcess(["study", "collect", job], { env });
  expect(collected.status).toBe(3);
  expect(collected.stderr).toContain("Slurm's job 1: 1 task FAILED, JobLaunchFailure\n");
});
