import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { runOwn } from "../../../src/problems/own-method.js";
import { comparePreparedInstance } from "../../../src/problems/planning/compare.js";
import { prepareInstance } from "../../../src/problems/planning/plan.js";
import { loadOwn, ownSourceIn } from "../../../src/study/own-module.js";

const GIVEN = { instance: { name: "i" }, problem: { sizes: Float64Array.of(3, 1) }, seed: 7 };

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "shardproof-own-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function decided(source: Parameters<typeof loadOwn>[0], seconds = 30, shouldStop?: () => boolean) {
  const method = (await loadOwn(source)).requireMethodFor("table-placement");
  const limits = { seconds, ...(shouldStop === undefined ? {} : { shouldStop }) };
  return runOwn(method, GIVEN, limits, (written) => written);
}

test("a module decides in a thread of its own, and is told when its time is over", async () => {
  const folder = folderWith({
    "mine.mjs": `export const tablePlacement = async ({ problem, seed, timeLimitSeconds, deadline }) =>
      [...problem.sizes, seed, timeLimitSeconds, deadline > Date.now()];`,
    "throws.mjs": "export function tablePlacement() { throw new Error('no\\nidea'); }",
    "quits.mjs": "export function tablePlacement() { process.exit(3); }",
  });
  const plan = { kind: "plan", result: [3, 1, 7, 30, true] };
  expect(await decided({ file: join(folder, "mine.mjs") })).toEqual(plan);
  const none = async (name: string) => decided({ file: join(folder, name) });
  expect(await none("throws.mjs")).toEqual({ kind: "none", reason: "it threw no idea" });
  expect(await none("quits.mjs")).toEqual({ kind: "none", reason: "its thread ended without a decision (code 3)" });
});

test("what a module prints goes to standard error", async () => {
  const folder = folderWith({ "talks.mjs": "export function tablePlacement() { console.log('noise'); return [1]; }" });
  const out = vi.spyOn(process.stdout, "write");
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await decided({ file: join(folder, "talks.mjs") })).toEqual({ kind: "plan", result: [1] });
  const told = (spy: typeof out) => spy.mock.calls.map(([chunk]) => String(chunk)).join("");
  await vi.waitFor(() => expect(told(err)).toContain("noise"));
  expect(told(out)).not.toContain("noise");
});

test("a loop that never yields ends with its limit, and when it is asked to", async () => {
  const folder = folderWith({
    "loop.mjs": "export function tablePlacement() { for (;;) {} }",
    "loop.cjs": "for (;;) {}",
  });
  const loops = [{ file: join(folder, "loop.mjs") }, { command: `"${process.execPath}" loop.cjs`, folder }];
  for (const source of loops) {
    expect(await decided(source, 0.3)).toEqual({
      kind: "none",
      reason: "it had not decided after 0.3 s, its time limit",
    });
    const reason = "it was stopped before it had decided";
    expect(await decided(source, 600, () => true)).toEqual({ kind: "none", reason });
  }
});

// What was read of a problem of TorchRec's was handed on with functions: no thread takes those, and without one there is no limit.
test.each(["placement-torchrec", "placement-ssd", "towers-file", "column-wise"])(
  "a loop ends with its limit whatever the instance: %s",
  async (name) => {
    const loop = "for (;;) {}";
    const file = join(
      folderWith({
        "loop.mjs": ["rowTiers", "tablePlacement", "towerPartition"]
          .map((of) => `export function ${of}() { ${loop} }`)
          .join("\n"),
      }),
      "loop.mjs",
    );
    const ready = await prepareInstance(`instances/tiny/${name}.yaml`);
    const own = [(await loadOwn({ file })).requireMethodFor(ready.problem.name)];
    const { rows } = await comparePreparedInstance(ready, { own, timeLimitSeconds: 1, without: new Set(["prices"]) });
    expect(JSON.stringify(rows)).toMatch(/it had not decided after [\d.]+ s, its time limit/);
  },
);

test.skipIf(process.platform !== "linux").each(["timeout 300 sleep 300", "setsid sleep 300", "sleep 300 & wait"])(
  "nothing is left of a command at its limit: %s",
  async (words) => {
    const folder = folderWith({});
    // Told by its environment, which children inherit, from all other processes.
    const mark = `OWN_RUN=${basename(folder)}`;
    const left = () =>
      readdirSync("/proc").filter((pid) => {
        if (!/^\d+$/.test(pid)) return false;
        try {
          return readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
        } catch {
          return false;
        }
      });
    const run = decided({ command: `export ${mark}; sh -c '${words}'`, folder }, 0.5);
    await vi.waitFor(() => expect(left().length).toBeGreaterThan(0));
    expect(await run).toMatchObject({ kind: "none" });
    await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 5000 });
  },
);

test("a command is handed JSON and decides in JSON", async () => {
  const folder = folderWith({
    "mine.cjs": `const given = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
      console.log(JSON.stringify([given.kind, given.problem.sizes, given.seed, given.instance.name, given.timeLimitSeconds]));`,
    "fails.cjs": "console.error('one'); console.error('no idea'); process.exit(2);",
    "talks.cjs": "console.log('hello');",
  });
  const run = (name: string) => decided({ command: `"${process.execPath}" ${name}`, folder });
  expect(await run("mine.cjs")).toEqual({ kind: "plan", result: ["table-placement", [3, 1], 7, "i", 30] });
  expect(await run("fails.cjs")).toEqual({ kind: "none", reason: "it ended with status 2: no idea" });
  const reason = 'expected a decision as JSON on standard output, received "hello"';
  expect(await run("talks.cjs")).toEqual({ kind: "none", reason });
});

test("a command is called as its file, and is another one when that changes", async () => {
  const folder = folderWith({ "mine.py": "1" });
  const source = { command: "python3 mine.py --fast", folder };
  const before = await loadOwn(source);
  expect(before.name).toBe("mine");
  writeFileSync(join(folder, "mine.py"), "2");
  expect((await loadOwn(source)).sha256).not.toBe(before.sha256);
  expect(ownSourceIn("{command: python3 mine.py}")).toEqual({ command: "python3 mine.py", folder: process.cwd() });
  expect(ownSourceIn("mine.mjs")).toEqual({ file: "mine.mjs" });
  expect(() => ownSourceIn("{file: mine.mjs}")).toThrow(
    "--method-file: expected a module's file, or {command: \"python3",
  );
});
