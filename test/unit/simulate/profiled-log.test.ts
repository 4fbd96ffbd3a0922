import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isProfiledLog, type LogColumns, readProfiledLog } from "../../../src/simulate/table-log.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "shardproof-events-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The samples of a log, each the ids of its look-ups. */
async function samplesOf(file: string, columns: LogColumns): Promise<string[][]> {
  const samples: string[][] = [];
  let open: string[] = [];
  await readProfiledLog(file, columns, {
    lookup: (id) => open.push(id),
    endSample: () => {
      samples.push(open);
      open = [];
    },
  });
  return samples;
}

function text(name: string, content: string): string {
  const file = join(folder(), name);
  writeFileSync(file, content);
  return file;
}

async function parquet(query: string): Promise<string> {
  const file = join(folder(), "log.parquet");
  await withDuckDb((connection) => connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`));
  return file;
}

describe.skipIf(duckDb === undefined)("logs that profile reads", () => {
  test("a line is a sample, and a line without an id one without a look-up", async () => {
    const csv = text("log.csv", "user,item\n5,a\n,b\n007,a\n");
    expect(await samplesOf(csv, { row: "user" })).toEqual([["5"], [], ["7"]]);
    expect(await samplesOf(csv, { row: "item" })).toEqual([["a"], ["b"], ["a"]]);
    const file = await parquet(`SELECT * FROM (VALUES (5, '1'), (NULL, '02'), (7, '1')) AS t("user", item)`);
    expect(await samplesOf(file, { row: "user" })).toEqual([["5"], [], ["7"]]);
    // Texts that are all integers are numbers.
    expect(await samplesOf(file, { row: "item" })).toEqual([["1"], ["2"], ["1"]]);
  });

  test("a line may hold a list, in Parquet or written out", async () => {
    const file = await parquet("SELECT unnest([[5, 7], [], NULL, [9]]) AS ids");
    expect(await samplesOf(file, { row: "ids" })).toEqual([["5", "7"], [], [], ["9"]]);
    const csv = text("log.csv", 'n,ids\n1,"[5, 7]"\n2,[]\n3,9\n');
    expect(await samplesOf(csv, { list: "ids" })).toEqual([["5", "7"], [], ["9"]]);
  });

  test("the lines of a sample need not stand together", async () => {
    const file = await parquet("SELECT * FROM (VALUES (2, 5), (1, 6), (2, 7), (1, 8)) AS t(s, item)");
    const samples = await samplesOf(file, { row: "item", sample: "s" });
    expect(samples.map((ids) => ids.sort())).toEqual([
      ["6", "8"],
      ["5", "7"],
    ]);
  });

  test("a malformed line has its place", async () => {
    const csv = text("log.csv", "user,item\n5,a\n6\n");
    await expect(samplesOf(csv, { row: "user" })).rejects.toThrow(":3:2: expected 2 fields, received 1");
    await expect(samplesOf(csv, { row: "usr" })).rejects.toThrow("--row: expected one of the columns user, item");
  });
});

test("text in the two plain forms needs no database", () => {
  expect(isProfiledLog("log.txt", {})).toBe(false);
  expect(isProfiledLog("log.csv", {})).toBe(false);
  for (const file of ["log.parquet", "log.csv.gz", "logs/*.csv"]) expect(isProfiledLog(file, {})).toBe(true);
  expect(isProfiledLog("log.csv", { row: "item" })).toBe(true);
});
