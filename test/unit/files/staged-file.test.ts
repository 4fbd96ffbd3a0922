import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stageFile } from "../../../src/files/staged-file.js";
import { StagedFolder } from "../../../src/files/staged-folder.js";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "shardproof-files-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function replace(file: string, text: string): Promise<void> {
  const staged = await stageFile(file);
  writeFileSync(staged.path, text);
  await staged.commit();
}

test("a file is the old one up to the commit, and nothing else is left", async () => {
  const file = join(folder(), "plan.json");
  writeFileSync(file, "old");
  const staged = await stageFile(file);
  expect(dirname(staged.path)).toBe(dirname(file));
  writeFileSync(staged.path, "half of the ne");
  expect(readFileSync(file, "utf8")).toBe("old");
  staged.abandon();
  expect(readdirSync(dirname(file))).toEqual(["plan.json"]);
  await replace(file, "new");
  expect([readFileSync(file, "utf8"), readdirSync(dirname(file))]).toEqual(["new", ["plan.json"]]);
  await replace(join(dirname(file), "first.json"), "1");
  expect(readdirSync(dirname(file))).toEqual(["first.json", "plan.json"]);
});

test("a write that begins after the file was removed fails and makes none", async () => {
  const file = join(folder(), "plan.json");
  const staged = await stageFile(file);
  staged.abandon();
  expect(() => writeFileSync(staged.path, "new", { flag: staged.flag })).toThrow("ENOENT");
  expect(readdirSync(dirname(file))).toEqual([]);
});

test("a commit that fails leaves the old file and no other", async () => {
  const file = join(folder(), "plan.json");
  writeFileSync(file, "old");
  const staged = await stageFile(file);
  rmSync(file);
  mkdirSync(join(file, "in the way"), { recursive: true });
  await expect(staged.commit()).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(dirname(file))).toEqual(["plan.json"]);
});

test("links stay links, and what they lead to is replaced, there or not", async () => {
  const at = folder();
  mkdirSync(join(at, "far"));
  const file = join(at, "far", "plan.json");
  writeFileSync(file, "old");
  symlinkSync("far/plan.json", join(at, "one"));
  symlinkSync("one", join(at, "two"));
  symlinkSync("far/none.json", join(at, "dangling"));
  symlinkSync("loop", join(at, "loop"));
  await replace(join(at, "two"), "new");
  await replace(join(at, "dangling"), "made");
  expect(["two", "one", "dangling"].map((name) => readlinkSync(join(at, name)))).toEqual([
    "one",
    "far/plan.json",
    "far/none.json",
  ]);
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(lstatSync(file).isFile()).toBe(true);
  expect(readFileSync(join(at, "far", "none.json"), "utf8")).toBe("made");
  expect(readdirSync(at).sort()).toEqual(["dangling", "far", "loop", "one", "two"]);
  await expect(stageFile(join(at, "loop"))).rejects.toThrow("too many links");
});

test.each([0o600, 0o640, 0o755])("the mode %o stays", async (mode) => {
  const file = join(folder(), "plan.json");
  writeFileSync(file, "old");
  chmodSync(file, mode);
  await replace(file, "new");
  expect(statSync(file).mode & 0o7777).toBe(mode);
});

test.skipIf(process.getuid?.() === 0)(
  "a file that may not be written is not replaced (skipped for root, who may write any)",
  async () => {
    const file = join(folder(), "plan.json");
    writeFileSync(file, "old", { mode: 0o444 });
    await expect(stageFile(file)).rejects.toThrow("EACCES");
    const locked = folder();
    const inside = join(locked, "plan.json");
    writeFileSync(inside, "old");
    chmodSync(locked, 0o555);
    await replace(inside, "new");
    chmodSync(locked, 0o755);
    expect(readFileSync(inside, "utf8")).toBe("new");
  },
);

test("pipes and streams are written to, not replaced", async () => {
  const pipe = join(folder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  const reading = readFile(pipe, "utf8");
  await replace(pipe, "through");
  expect(await reading).toBe("through");
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  for (const stream of ["/dev/null", "/dev/stdout", "/proc/self/fd/1"]) {
    expect((await stageFile(stream)).path).toBe(stream);
  }
});

test("files of a folder are the old ones up to the commit; another file stays", async () => {
  const at = folder();
  for (const name of ["a.npy", "manifest.json", "notes.txt"]) writeFileSync(join(at, name), `old ${name}`);
  const given = new StagedFolder(at);
  for (const name of ["a.npy", "b.npy"]) writeFileSync(join(given.path, name), `new ${name}`);
  given.abandon();
  expect(readdirSync(at)).toEqual(["a.npy", "manifest.json", "notes.txt"]);
  chmodSync(join(at, "a.npy"), 0o600);
  const staged = new StagedFolder(at);
  for (const name of ["a.npy", "b.npy", "manifest.json"]) writeFileSync(join(staged.path, name), `new ${name}`);
  expect(readFileSync(join(at, "a.npy"), "utf8")).toBe("old a.npy");
  await staged.commit(["a.npy", "b.npy"], "manifest.json");
  expect(readdirSync(at)).toEqual(["a.npy", "b.npy", "manifest.json", "notes.txt"]);
  expect(readFileSync(join(at, "a.npy"), "utf8")).toBe("new a.npy");
  expect(statSync(join(at, "a.npy")).mode & 0o777).toBe(0o600);
});

test("folders that were made for nothing go again", () => {
  const at = folder();
  new StagedFolder(join(at, "x", "y")).abandon();
  expect(readdirSync(at)).toEqual([]);
});
