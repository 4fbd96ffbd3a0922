import type { ChildProcess } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { runCli, runProcess, temporaryFolder } from "./run-cli.js";

const TINY = resolve("instances/tiny");

function studyIn(folder: string, text: string): string {
  const file = join(folder, "study.yaml");
  writeFileSync(file, `shardproof: 1\nstudy: test\n${text}`);
  return file;
}

function results(job: string): readonly string[] {
  const folder = join(job, "results");
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return all.filter((name) => name.endsWith(".json"));
}

/** Sends a signal once some more lines are done. */
function after(lines: number, job: string, signal: NodeJS.Signals) {
  return (child: ChildProcess) => {
    const before = results(job).length;
    const timer = setInterval(() => {
      if (results(job).length < before + lines && child.exitCode === null) return;
      clearInterval(timer);
      child.kill(signal);
    }, 5);
  };
}

test("a run that is killed twice and goes on has the tables of one that was not", { timeout: 600_000 }, async () => {
  const folder = temporaryFolder();
  const study = studyIn(
    folder,
    `instances:
  - generate: tables
    options: {distribution: lognormal, tables: 8, nodes: 1, gpusPerNode: 2}
    seeds: 1-3
  - files: [${TINY}/two-tiers.yaml, ${TINY}/towers-load.yaml]
methods: [optimal, published]
`,
  );
  const [killed, whole] = [join(folder, "killed"), join(folder, "whole")];
  expect((await runCli(["study", study, "--out", killed])).status).toBe(0);
  const first = await runProcess(["study", "run", killed], { onStart: after(3, killed, "SIGKILL") });
  expect(first.signal).toBe("SIGKILL");
  const second = await runProcess(["study", "run", killed], { onStart: after(3, killed, "SIGINT") });
  expect([second.status, second.stderr]).toEqual([130, ""]);
  const partly = results(killed).length;
  expect(partly).toBeGreaterThan(5);
  const open = await runCli(["study", "collect", killed]);
  expect([open.status, open.stderr]).toEqual([3, expect.stringMatching(/^\d+ plans of \d+ not done/)]);
  const third = await runCli(["study", "run", killed]);
  expect([third.status, third.stdout]).toEqual([0, expect.stringContaining(`${partly} done before`)]);
  expect((await runCli(["study", "collect", killed])).status).toBe(0);

  expect((await runCli(["study", study, "--out", whole, "--go"])).status).toBe(0);
  const tables = ["results.csv", "results.parquet", "summary.md"];
  for (const name of tables.filter((each) => existsSync(join(whole, each)))) {
    expect(readFileSync(join(killed, name)).equals(readFileSync(join(whole, name)))).toBe(true);
  }

  // What is done is not done again; what is changed is found out.
  const again = await runCli(["study", "run", whole]);
  expect(again.stdout).toContain(", 0 now");
  const plan = results(whole)
    .map((name) => join(whole, "results", name))
    .find((file) => readFileSync(file, "utf8").includes('"status": "proved"')) as string;
  const text = readFileSync(plan, "utf8");
  writeFileSync(
    plan,
    text.replace(/"bound": (\d)/, (_, digit) => `"bound": ${digit === "1" ? 2 : 1}`),
  );
  const changed = await runCli(["study", "collect", whole]);
  expect([changed.status, changed.stderr]).toEqual([5, expect.stringMatching(/^line \d+ .* fails its check: /)]);
  rmSync(plan);
  expect((await runCli(["study", "collect", whole])).status).toBe(3);

  // What is empty is worked again.
  writeFileSync(plan, "");
  expect((await runCli(["study", "run", whole])).stdout).toContain(", 1 now");
  expect((await runCli(["study", "collect", whole])).status).toBe(0);
});

test("methods of one's own, varied keys, and files that an instance names", { timeout: 300_000 }, async () => {
  const folder = temporaryFolder();
  copyFileSync("examples/own-method.mjs", join(folder, "own.mjs"));
  writeFileSync(
    join(folder, "cheat.mjs"),
    "export const tablePlacement = () => [0, 0];\nexport const towerPartition = () => { throw new Error('no\\nidea'); };\n",
  );
  const study = studyIn(
    folder,
    `instances:
  - files: [${TINY}/placement-given.yaml, ${TINY}/towers-file.yaml]
    vary: {name: [one, two]}
methods: [optimal, {file: own.mjs}, {file: cheat.mjs}]
`,
  );
  const job = join(folder, "job");
  const { status, stderr } = await runCli(["study", study, "--out", job, "--go"]);
  expect([status, stderr]).toEqual([0, ""]);
  const rows = readFileSync(join(job, "results.csv"), "utf8").trim().split("\n").slice(1);
  expect(rows).toHaveLength(12);
  const cheating = rows.filter((row) => row.includes(",cheat,"));
  expect(cheating.filter((row) => /,none,.*it threw no idea/.test(row))).toHaveLength(2);
  expect(cheating.filter((row) => /,none,.*no decision for this instance/.test(row))).toHaveLength(2);
  const own = (status: string) =>
    rows.filter((row) => new RegExp(`,longest-first,.*,${status},.*,true,`).test(row)).map((row) => row.split(",")[2]);
  expect(own("heuristic")).toEqual(["tower-partition", "tower-partition"]);
  // What the largest cost first leaves has no room for the last table.
  expect(own("breaks-limits")).toEqual(["table-placement", "table-placement"]);

  writeFileSync(join(folder, "own.mjs"), `${readFileSync("examples/own-method.mjs", "utf8")}\n`);
  rmSync(join(job, "results"), { recursive: true });
  const changed = await runCli(["study", "run", job]);
  expect([changed.status, changed.stderr]).toEqual([
    2,
    expect.stringMatching(/own\.mjs: expected the file that the job/),
  ]);
});

test.each([
  ["instances: []\nmethods: [optimal]\n", ":3:12: instances: expected at least one entry"],
  [
    "instances: [{files: nowhere.yaml}]\nmethods: [optimal]\n",
    ":3:21: instances[0].files: expected files with instances, received nowhere.yaml",
  ],
  ["instances: [{generate: rows}]\nmethods: [optimal]\n", ":3:13: instances[0]: expected the key seeds"],
  [
    "instances: [{generate: rows, seeds: 5-1}]\nmethods: [optimal]\n",
    ":3:37: instances[0].seeds: expected seeds such as",
  ],
  [
    `instances: [{files: ${TINY}/two-tiers.yaml}]\nmethods: [row-wize]\n`,
    ":4:11: methods[0]: there is no method row-wize",
  ],
  [
    `instances: [{files: ${TINY}/two-tiers.yaml}]\nmethods: [{file: none.mjs}]\n`,
    ":4:18: methods[0].file: expected a module that can be read",
  ],
  [
    `instances: [{files: ${TINY}/two-tiers.yaml}]\nmethods: [optimal]\nvary:\n  bugdet: [1]\n`,
    ":6:11: vary.bugdet: bugdet: unknown key; did you mean budget?",
  ],
  [
    `instances: [{files: ${TINY}/two-tiers.yaml}]\nmethods: [optimal]\ngaps: 3\n`,
    ":5:1: gaps: unknown key; did you mean gap?",
  ],
])("a mistake is one line with its place: %j", async (text, said) => {
  const study = studyIn(temporaryFolder(), text);
  const { status, stdout, stderr } = await runCli(["study", study]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${study}${said}`);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("compare has methods of one's own after the published ones", async () => {
  const { status, stdout } = await runCli([
    ...["compare", "instances/tiny/placement-given.yaml", "instances/tiny/two-tiers.yaml", "--json"],
    ...["--method-file", "examples/own-method.mjs"],
  ]);
  expect(status).toBe(0);
  const own = JSON.parse(stdout).rows.filter(({ method }: { method: string }) => method === "longest-first");
  expect(own).toEqual([
    // The largest cost first leaves no room for the last table.
    expect.objectContaining({ status: "breaks-limits", gap: null, reason: expect.stringMatching(/./) }),
    expect.objectContaining({ status: "heuristic" }),
  ]);
  expect(own[1].gap).toBeCloseTo(own[1].value / own[1].bound - 1, 12);
});

test("a module that is none is one line, with the place of a mistake in its syntax", async () => {
  const file = join(temporaryFolder(), "bad.mjs");
  // A process loads a module once.
  const compare = () => runProcess(["compare", "instances/tiny/two-tiers.yaml", "--method-file", file]);
  writeFileSync(file, "import { join } from 'node:path';\nexport function rowTiers( { return 1 }\n");
  expect((await compare()).stderr).toMatch(
    /bad\.mjs:2:36: expected a module that can be loaded, received SyntaxError: /,
  );
  writeFileSync(file, "const a = 1;\n  throw new Error('early');\n");
  expect((await compare()).stderr).toMatch(/bad\.mjs:2:9: expected a module that can be loaded, received Error: early/);
  const program = join(temporaryFolder(), "mine.py");
  writeFileSync(program, "print([])\n");
  const other = await runProcess(["compare", "instances/tiny/two-tiers.yaml", "--method-file", program]);
  expect(other.stderr).toContain(
    `${program}: expected a module (.mjs), received .py; a program in another language is a command: '{command: python3 ${program}}'\n`,
  );
  writeFileSync(file, `import ${JSON.stringify(program)};\n`);
  expect((await compare()).stderr).toMatch(/bad\.mjs: expected a module that can be loaded, received TypeError/);
  writeFileSync(file, "export const tablePlacement = 3;\n");
  expect((await compare()).stderr).toMatch(/bad\.mjs: expected a module that exports a function/);
});
