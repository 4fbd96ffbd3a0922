import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadCostData } from "../../../../src/cost/neural/read-data.js";

const folder = mkdtempSync(join(tmpdir(), "shardproof-costs-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HEADER = `rows,poolingFactor,${Array.from({ length: 17 }, (_, b) => `bin${b}`).join()}`;
const BINS = new Array(17).fill(0).fill(0.5, 0, 2);
const CSV = `# made by hand\n${HEADER}\n100,1.5,${BINS.join()}\n2000,7,${BINS.join()}\n`;

const sets = Array.from({ length: 10 }, (_, s) => ({ cost: s + 0.5, tables: [s % 4, 3] }));
const byFile = { shardproof: 1, kind: "measured-costs", tables: { file: "tables.csv", dims: [32, 4] }, sets };

function fileOf(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content, null, 1));
  return path;
}

test("tables of a list, once for each width", async () => {
  fileOf("tables.csv", CSV);
  const data = await loadCostData(fileOf("by-file.json", byFile));
  expect(
    data.tables.map(({ rows, dim, poolingFactor, elementBytes }) => [rows, dim, poolingFactor, elementBytes]),
  ).toEqual([
    [100, 32, 1.5, 4],
    [2000, 32, 7, 4],
    [100, 4, 1.5, 4],
    [2000, 4, 7, 4],
  ]);
  expect(data.tables[0]?.accessBins).toEqual(BINS);
  expect(data.sets).toEqual(sets);
});

test("tables in the file itself", async () => {
  const table = { rows: 9, dim: 8, dataType: "fp16", poolingFactor: 2, accessBins: BINS };
  const own = { ...byFile, tables: [table, table, table, { ...table, dataType: undefined }] };
  const { tables } = await loadCostData(fileOf("own.json", own));
  expect(tables.map(({ elementBytes }) => elementBytes)).toEqual([2, 2, 2, 4]);
});

test("the hash is of the costs and of the tables", async () => {
  fileOf("tables.csv", CSV);
  const path = fileOf("hashed.json", byFile);
  const before = (await loadCostData(path)).sha256;
  expect((await loadCostData(path)).sha256).toBe(before);
  fileOf("tables.csv", CSV.replace("2000", "2001"));
  expect((await loadCostData(path)).sha256).not.toBe(before);
});

test.each<[string, object, RegExp]>([
  ["too few sets", { ...byFile, sets: sets.slice(1) }, /sets: expected .*at least 10 sets/],
  [
    "a table that there is not",
    { ...byFile, sets: sets.with(2, { cost: 1, tables: [0, 4] }) },
    /:\d+:\d+: sets\[2\]\.tables\[1\]: expected the number of a table, from 0 to 3, received 4$/,
  ],
  ["a set without tables", { ...byFile, sets: sets.with(2, { cost: 1, tables: [] }) }, /sets\[2\]\.tables: expected/],
  [
    "a negative cost",
    { ...byFile, sets: sets.with(2, { cost: -1, tables: [0] }) },
    /sets\[2\]\.cost: expected .*milliseconds of the set.*received -1/,
  ],
  ["another kind of file", { ...byFile, kind: "plan" }, /kind: expected .*measured-costs.*received string "plan"/],
  ["a misspelt key", { ...byFile, source: undefined, sorce: "" }, /sorce: unknown key; did you mean source\?/],
  [
    "a list of tables that is not there",
    { ...byFile, tables: { file: "none.csv", dims: [4] } },
    /none\.csv: expected a file that can be read, received no such file; check the path$/,
  ],
])("%s is refused", async (_, content, message) => {
  fileOf("tables.csv", CSV);
  const path = fileOf("bad.json", content);
  await expect(loadCostData(path)).rejects.toThrow(message);
  await expect(loadCostData(path)).rejects.toMatchObject({ name: "InputError" });
});

test.each<[string, string, RegExp]>([
  [
    "another header",
    CSV.replace("poolingFactor", "pooling"),
    /tables\.csv:2:1: expected the header rows,poolingFactor,bin0,…,bin16, received 19 columns that begin with rows$/,
  ],
  [
    "a missing field",
    CSV.replace("2000,7,", "2000,"),
    /tables\.csv:4:1: expected 19 fields, one per column of the header, received 18$/,
  ],
  [
    "rows that are no integer",
    CSV.replace("2000", "2e-1"),
    /tables\.csv:4:1: rows: expected an integer of at least 1, received "2e-1"$/,
  ],
  [
    "a field that is no number",
    CSV.replace("2000,7", "2000,x"),
    /tables\.csv:4:6: poolingFactor: expected a number of at least 0, received "x"$/,
  ],
  ["no tables", `${HEADER}\n`, /tables\.csv: expected a header and at least one table, received none$/],
])("a list of tables with %s is refused with its place", async (_, content, message) => {
  fileOf("tables.csv", content);
  await expect(loadCostData(fileOf("good.json", byFile))).rejects.toThrow(message);
});
