import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { drawData } from "../unit/cost/neural/support.js";
import { interruptedAfter, runCli, runProcess, temporaryFolder } from "./run-cli.js";

/** A file of measured costs with its tables in itself; its folder goes after the test. */
function writeData(sets = 60): { readonly data: string; readonly out: string } {
  const folder = temporaryFolder();
  const drawn = drawData(sets, 1);
  const tables = drawn.tables.map(({ elementBytes: _, ...table }) => table);
  const data = join(folder, "costs.json");
  writeFileSync(data, JSON.stringify({ shardproof: 1, kind: "measured-costs", tables, sets: drawn.sets }));
  return { data, out: join(folder, "weights.json") };
}

test("the fit of each part of the data, to a person and as JSON", async () => {
  const { data, out } = writeData();
  const args = ["learn-cost", data, "--out", out, "--epochs", "5", "--seed", "2"];
  const shown = await runCli(args);
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/^neural\n/);
  expect(shown.stdout).toMatch(/60 sets of 40 tables/);
  expect(shown.stdout).toMatch(/of epoch [0-5] of 5; seed 2/);
  for (const part of ["train +48", "validation +6", "test +6"])
    expect(shown.stdout).toMatch(new RegExp(`\\n  ${part} +`));
  const first = readFileSync(out, "utf8");
  const { status, stdout } = await runCli([...args, "--json"]);
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    shardproof: 1,
    kind: "neural",
    data: { file: data, sets: 60, tables: 40, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    seed: 2,
    askedEpochs: 5,
    epochs: 5,
    fits: { train: { sets: 48 }, validation: { sets: 6 }, test: { sets: 6, meanAbsoluteError: expect.any(Number) } },
  });
  // The same data, options and seed: the same bytes.
  expect(readFileSync(out, "utf8")).toBe(first);
});

/** The same data, as a stream of JSON lines. */
function asLines(data: string): string {
  const { sets, ...head } = JSON.parse(readFileSync(data, "utf8")) as { sets: readonly object[] };
  return [head, ...sets].map((line) => `${JSON.stringify(line)}\n`).join("");
}

test("sets that arrive one by one, from standard input and from a file, give the same weights", async () => {
  const { data, out } = writeData(200);
  const args = ["--stream", "--buffer", "100", "--out", out];
  const shown = await runCli(["learn-cost", "-", ...args], { input: asLines(data) });
  expect([shown.status, shown.stderr]).toEqual([0, ""]);
  expect(shown.stdout).toMatch(/200 sets of 40 tables/);
  expect(shown.stdout).toMatch(/of round [345] of 4, from a stream; the newest 100 sets kept; seed 0/);
  for (const part of ["train +100", "validation +20", "test +20"])
    expect(shown.stdout).toMatch(new RegExp(`\\n  ${part} +`));
  const first = JSON.parse(readFileSync(out, "utf8"));
  const lines = `${data}l`;
  writeFileSync(lines, asLines(data));
  const { status, stdout } = await runCli(["learn-cost", lines, ...args, "--json"]);
  expect(status).toBe(0);
  const learned = JSON.parse(stdout);
  expect(learned).toMatchObject({ stream: { buffer: 100 }, rounds: 4, data: { file: lines, sets: 200, tables: 40 } });
  const second = JSON.parse(readFileSync(out, "utf8"));
  expect(second.origin).toEqual({ ...first.origin, data: basename(lines) });
  expect([second.table, second.head]).toEqual([first.table, first.head]);
  expect(second.origin).toMatchObject({ rounds: 4, bestRound: learned.bestRound, sha256: learned.data.sha256 });
});

test("Ctrl-C ends a stream that goes on, with what was learned so far", async () => {
  const { data, out } = writeData(100);
  const { status, signal, stdout } = await runProcess(["learn-cost", "-", "--stream", "--out", out, "--json"], {
    input: asLines(data),
    inputStaysOpen: true,
    onStart: interruptedAfter(3),
  });
  expect([status, signal]).toEqual([3, null]);
  expect(JSON.parse(stdout)).toMatchObject({ data: { sets: 100 } });
  expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ kind: "neural", origin: { rounds: 3 } });
});

test.each([
  [["--epochs", "3", "--stream"], /--epochs are of a file that is whole, not of a --stream/],
  [["--buffer", "3"], /--buffer is of a --stream/],
  [["--stream", "--buffer", "0"], /Expected an integer of at least 1/],
])("%j is bad usage", async (extra, message) => {
  const { data, out } = writeData();
  const { status, stdout, stderr } = await runCli(["learn-cost", data, "--out", out, ...extra]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});

test("Ctrl-C ends with the best weights so far", async () => {
  const { data, out } = writeData();
  const { status, signal, stdout } = await runProcess(
    ["learn-cost", data, "--out", out, "--epochs", "10000000", "--kind", "neural-convex", "--json"],
    { onStart: interruptedAfter(2) },
  );
  expect([status, signal]).toEqual([3, null]);
  const { epochs, bestEpoch, askedEpochs } = JSON.parse(stdout);
  expect(askedEpochs).toBe(10_000_000);
  expect(epochs).toBeGreaterThan(1);
  expect(epochs).toBeLessThan(askedEpochs);
  expect(bestEpoch).toBeGreaterThan(0);
  const weights = JSON.parse(readFileSync(out, "utf8"));
  expect(weights).toMatchObject({ kind: "neural-convex", origin: { epochs, bestEpoch } });
});

test("what was learned is a cost model: plans are made, compared and verified under it", async () => {
  const { data, out } = writeData();
  expect((await runCli(["learn-cost", data, "--out", out, "--epochs", "3", "--kind", "neuroshard"])).status).toBe(0);
  const drawn = drawData(10, 1).tables.slice(0, 8);
  const document = {
    shardproof: 1,
    name: "learned",
    problem: "table-placement",
    costModel: { neural: "weights.json" },
    cluster: { nodes: 1, gpusPerNode: 2 },
    splits: { columns: true, maxShardsPerTable: 2 },
    tables: drawn.map(({ elementBytes: _, ...table }, t) => ({ name: `t${t}`, ...table })),
  };
  const instance = join(out, "..", "learned.json");
  writeFileSync(instance, JSON.stringify(document));
  const plan = join(out, "..", "plan.json");
  const planned = await runCli(["plan", instance, "--method", "neuroshard-search", "--out", plan, "--json"]);
  expect([planned.status, planned.stderr]).toEqual([0, ""]);
  const { objective, deviceCosts, status, method } = JSON.parse(planned.stdout);
  expect({ status, method, unit: objective.unit }).toEqual({
    status: "heuristic",
    method: "neuroshard-search",
    unit: "ms",
  });
  expect(Math.max(...deviceCosts)).toBe(objective.value);
  expect((await runCli(["verify", plan])).status).toBe(0);
  const exported = await runCli(["export", plan, "--to", "lp"]);
  expect([exported.status, exported.stderr]).toEqual([0, ""]);
  expect(exported.stdout).toMatch(/minimize[\s\S]+subject to[\s\S]+cost\.gpu1/i);
  const compared = await runCli(["compare", instance, "--json", "--time-limit", "10"]);
  // 3: within the seconds asked for, the gap may stay open.
  expect([0, 3]).toContain(compared.status);
  const { rows } = JSON.parse(compared.stdout) as { rows: { method: string; value: number | null; bound: number }[] };
  expect(rows.find((row) => row.method === "neuroshard-search")?.value).toBe(objective.value);
  const optimal = rows.find((row) => row.method === "optimal");
  for (const { value } of rows) if (value !== null) expect(value).toBeGreaterThanOrEqual(optimal?.bound as number);
  // The weights belong to the instance: with others the plan is of another one.
  writeFileSync(out, readFileSync(out, "utf8").replace('"seed":0', '"seed":1'));
  expect((await runCli(["verify", plan])).status).toBe(5);
  writeFileSync(instance, JSON.stringify({ ...document, costModel: { neural: "none.json" } }));
  const missing = await runCli(["plan", instance, "--method", "random"]);
  expect(missing.status).toBe(2);
  expect(missing.stderr).toMatch(
    /learned\.json:1:\d+: costModel\.neural: expected a file that can be read, received none\.json \(no such file\)[^\n]+\n$/,
  );
});

test.each([
  [["--epochs", "0"], /Expected an integer of at least 1/],
  [["--kind", "linear"], /Allowed choices are neural, neural-convex, neuroshard/],
  [["--out", "/nowhere/at/all.json"], /expected a folder that can be written to, received \/nowhere\/at/],
  [["--out", "-"], /expected a file to write, received -/],
])("%j is bad usage", async (args, message) => {
  const { data, out } = writeData();
  const written = args.includes("--out") ? [] : ["--out", out];
  const { status, stdout, stderr } = await runCli(["learn-cost", data, ...written, ...args]);
  expect([status, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(existsSync(out)).toBe(false);
});

test("bad data is one line with its place, and no weights are written", async () => {
  const { data, out } = writeData();
  writeFileSync(data, readFileSync(data, "utf8").replace('"cost":', '"costs":'));
  const { status, stderr } = await runCli(["learn-cost", data, "--out", out]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^\S+costs\.json:1:\d+: sets\[0\]\.costs: unknown key; did you mean cost\?[^\n]*\n$/);
  expect(existsSync(out)).toBe(false);
});

test("the example is where the help says", async () => {
  const { stdout } = await runCli(["learn-cost", "--help"]);
  for (const path of stdout.match(/(src|instances)\/[\w/.-]+/g) ?? []) expect(existsSync(resolve(path))).toBe(true);
  expect(stdout).toContain("instances/costs/");
});
