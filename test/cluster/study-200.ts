import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { type CliResult, runCli } from "../cli/run-cli.js";

/** A study of 200 plans that take a moment each: 40 instances, five methods. */
const STUDY = `shardproof: 1
study: two hundred plans
instances:
  - generate: tables
    options: {distribution: lognormal, tables: 8, nodes: 1, gpusPerNode: 2}
    seeds: 1-40
methods: [optimal, size-greedy, torchrec-greedy, random-search, hugectr-greedy]
`;

export const PLANS = 200;

/** A folder for the jobs of one test. */
export function studyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-cluster-"));
  writeFileSync(join(folder, "study.yaml"), STUDY);
  return folder;
}

/** Writes the job of the study. */
export async function writeJob(folder: string, name: string): Promise<string> {
  const job = join(folder, name);
  await study([join(folder, "study.yaml"), "--out", job]);
  return job;
}

/** Runs `study`, which has to end with `status`. */
export async function study(args: readonly string[], status = 0): Promise<CliResult> {
  const result = await runCli(["study", ...args]);
  expect([result.status, result.status === status ? "" : result.stderr]).toEqual([status, ""]);
  return result;
}

/** How many results there are. */
export function resultsIn(job: string): number {
  const folder = join(job, "results");
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json")).length;
}

/** What does not depend on who ran the lines. */
export function tablesOf(job: string): readonly string[] {
  const names = ["results.csv", "results.parquet"].filter((name) => existsSync(join(job, name)));
  expect(names).toContain("results.csv");
  return names.map((name) => readFileSync(join(job, name)).toString("base64"));
}
