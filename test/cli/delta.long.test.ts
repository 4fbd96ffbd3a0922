import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { simulateDelta } from "../../src/simulate/delta.js";
import { runCli, temporaryFolder, writePlanFile } from "./run-cli.js";

const BEFORE = "instances/tiny/placement-migration-before.yaml";
const AFTER = "instances/tiny/placement-migration-after.yaml";
const ROWS: Readonly<Record<string, number>> = { user: 1e6, item: 9e5, shop: 8e5, query: 7e5 };
let before = "";
let after = "";

beforeAll(async () => {
  [before, after] = [join("/tmp", `delta-${process.pid}-before.json`), join("/tmp", `delta-${process.pid}-after.json`)];
  await writePlanFile(before, BEFORE);
  await writePlanFile(after, AFTER);
}, 300_000);

/** Which tables move, of placements that are as good as others. */
function movedIn(shown: string): string[] {
  return (/^ {2}tables that move +\d+: (.*)$/m.exec(shown)?.[1] ?? "").split(", ");
}

test("a person reads what moves, that it fits, and when it pays", async () => {
  const { status, stdout, stderr } = await runCli(["delta", before, after]);
  expect([status, stderr]).toEqual([0, ""]);
  expect(movedIn(stdout).length).toBeGreaterThan(2);
  expect(movedIn(stdout)).toEqual(expect.arrayContaining(["query", "city"]));
  expect(stdout).toMatch(/^ {2}new tables +1: device$/m);
  expect(stdout).toMatch(/^ {2}pays +after [\d,]+ iterations$/m);
  expect(stdout).toMatch(/fits: no memory is exceeded in any step; simulated rank by rank/);
});

test("the file is the JSON, and carries itself out; a changed file does not", async () => {
  const out = join(temporaryFolder(), "delta.json");
  const { status, stdout } = await runCli(["delta", before, after, "--json", "--out", out, "--quiet"]);
  expect([status, readFileSync(out, "utf8")]).toEqual([0, stdout]);
  const delta = JSON.parse(stdout);
  expect(simulateDelta(delta).wrong).toEqual([]);
  const at = delta.new.findIndex(({ reads }: { reads: unknown[] }) => reads.length > 0);
  const changed = structuredClone(delta);
  changed.new[at].reads[0].rows[1]--;
  expect(simulateDelta(changed).wrong.join("\n")).toMatch(/gets \d+ of its \d+ elements/);
  const later = structuredClone(delta);
  later.schedule.steps.reverse();
  expect(simulateDelta(later).wrong).not.toEqual([]);
  const smaller = structuredClone(delta);
  smaller.schedule.memories.find(({ memory }: { memory: string }) => memory === "hbm").limit = 1000;
  expect(simulateDelta(smaller).wrong.join("\n")).toMatch(/more than its limit/);
});

test("TorchRec's form has the tables that its reshard moves, and the others are named", async () => {
  const out = join(temporaryFolder(), "changed.json");
  const { status, stdout } = await runCli([
    "delta",
    before,
    after,
    "--to",
    "torchrec",
    "--module",
    "sparse.ebc",
    "--out",
    out,
  ]);
  expect(status).toBe(0);
  const [volume, tables] = JSON.parse(readFileSync(out, "utf8")).changed_shard_to_params["sparse.ebc"];
  const { stdout: shown } = await runCli(["delta", before, after]);
  const names = movedIn(shown).filter((name) => name !== "city");
  expect(Object.keys(tables)).toEqual(names);
  expect(tables.query).toMatchObject({ sharding_type: "table_wise", compute_kernel: "fused" });
  // 64 floats and the state of each row.
  const rows = names.reduce((sum, name) => sum + (ROWS[name] as number), 0);
  expect(volume).toBeCloseTo((rows * (64 * 4 + 4)) / 2 ** 20, 6);
  expect(stdout).toMatch(/city: it has other rows/);
  expect(stdout).toMatch(/device: the old plan does not have it/);
});

test("wrong files and options are refused in one line", async () => {
  const folder = temporaryFolder();
  const bad = join(folder, "bad.json");
  writeFileSync(bad, "{}");
  const wrong = await runCli(["delta", bad, after]);
  expect([wrong.status, wrong.stderr.trim().split("\n").length]).toEqual([2, 1]);
  expect(wrong.stderr).toContain(`${bad}`);
  const other = await runCli(["delta", before, after, "--instance", BEFORE]);
  expect([other.status, other.stderr]).toEqual([2, expect.stringMatching(/expected the plan of .*before\.yaml/)]);
  const module = await runCli(["delta", before, after, "--module", "x"]);
  expect([module.status, module.stderr]).toEqual([2, "error: --module is for --to torchrec only\n"]);
  const twice = await runCli(["delta", "-", after, "--instance", "-"]);
  expect([twice.status, twice.stderr]).toEqual([2, "error: only one file can be standard input\n"]);
});

test("a sharding plan of TorchRec's is a side where its instance is named, with what the plan file itself gives", async () => {
  const folder = temporaryFolder();
  const theirs = join(folder, "sharding.json");
  const exported = ["export", before, "--to", "torchrec", "--module", "sparse.ebc", "--out", theirs];
  expect((await runCli(exported)).status).toBe(0);
  const { status, stdout } = await runCli(["delta", theirs, after, "--old-instance", BEFORE, "--json"]);
  const found = JSON.parse(stdout);
  const own = JSON.parse((await runCli(["delta", before, after, "--json"])).stdout);
  expect([status, found]).toEqual([0, { ...own, from: { ...own.from, digest: found.from.digest } }]);
  const nameless = await runCli(["delta", theirs, after]);
  expect([nameless.status, nameless.stderr]).toEqual([
    2,
    expect.stringMatching(/a sharding plan of TorchRec's, which does not name one; say with --old-instance FILE/),
  ]);
});
