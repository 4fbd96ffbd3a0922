import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import { loadInstance } from "../../../src/problems/planning/instances.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shardproof-load-"));
});
afterAll(() => rm(folder, { recursive: true }));

const sha256 = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");

test("the hash is that of the file's bytes, byte order mark and all", async () => {
  const file = "instances/paper/flexshard-rm1.yaml";
  const bytes = await readFile(file);
  expect((await loadInstance(file)).sha256).toBe(sha256(bytes));
  const marked = join(folder, "marked.yaml");
  const markedBytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  await writeFile(marked, markedBytes);
  expect((await loadInstance(marked)).sha256).toBe(sha256(markedBytes));
});

test("a counts file is part of the hash", async () => {
  const file = join(folder, "counts.yaml");
  const plain = await readFile("instances/tiny/latency.yaml", "utf8");
  const text = plain.replace(/histogram: .*\]\]/, "counts: {file: c.csv, samples: 10}");
  await writeFile(file, text);
  await writeFile(join(folder, "c.csv"), "1\n2\n");
  const first = await loadInstance(file);
  expect(first.sha256).toBe(sha256(`${sha256(text)}\n${sha256("1\n2\n")}\n`));
  await writeFile(join(folder, "c.csv"), "1\n3\n");
  expect((await loadInstance(file)).sha256).not.toBe(first.sha256);
});

test("a placement's counts are part of its hash too, and are read with it", async () => {
  const plain = await readFile("instances/tiny/placement-hot-rows.yaml", "utf8");
  const text = plain.replace("histogram: [[100, 0.008], [59900, 3.3e-6]]", "counts: {file: p.csv, samples: 4}");
  const file = join(folder, "placed.yaml");
  await writeFile(file, text);
  await writeFile(join(folder, "p.csv"), "0\n1\n5\n1\n");
  const instance = (await loadInstance(file)) as TablePlacementInstance;
  expect(instance.sha256).toBe(sha256(`${sha256(text)}\n${sha256("0\n1\n5\n1\n")}\n`));
  expect(instance.tables[1]?.access).toEqual({
    kind: "histogram",
    bins: [
      [1, 1.25],
      [2, 0.25],
      [59997, 0],
    ],
    counts: { kind: "counts", file: "p.csv", samples: 4 },
  });
  await writeFile(join(folder, "p.csv"), "-1\n");
  await expect(loadInstance(file)).rejects.toThrow("p.csv:1:1: expected");
});

test("- is standard input", async () => {
  const text = await readFile("instances/tiny/latency.yaml", "utf8");
  const instance = await loadInstance("-", async () => text);
  expect(instance).toMatchObject({ name: "latency", file: "-", sha256: sha256(text) });
});

test.each([
  ["no-such.yaml", "expected an instance file that can be read, received no such file; check the path"],
  ["", "expected an instance file that can be read, received a directory; check the path"],
])("a file that cannot be read: %j", async (name, message) => {
  const path = join(folder, name);
  await expect(loadInstance(path)).rejects.toThrow(`${path}: ${message}`);
});

test("bytes that are not UTF-8", async () => {
  const path = join(folder, "latin1.yaml");
  await writeFile(path, Buffer.from("name: caf\xe9\n", "latin1"));
  await expect(loadInstance(path)).rejects.toThrow(`${path}: expected UTF-8 text`);
});
