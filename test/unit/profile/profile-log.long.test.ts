import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../src/exact/random.js";
import { profileLog } from "../../../src/profile/profile-log.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";
import { folder, parquet, profiled, write } from "./support.js";

/** Row 5 read by three samples, row 7 by two, row 9 by one. */
const ACCESSES = [
  [5, 1],
  [7, 1],
  [5, 2],
  [9, 2],
  [5, 3],
  [7, 3],
] as const;
const EXPECTED = {
  samples: 3,
  counts: [
    [3, 1],
    [2, 1],
    [1, 1],
  ],
};
const LINES = ACCESSES.map(([row, sample]) => `${row},${sample}\n`).join("");
const BY_NAME = { row: "item", sample: "user" };

describe.skipIf(duckDb === undefined)("a log with one access per line", () => {
  test.each([
    ["CSV with a header", "e.csv", `item,user\n${LINES}`, BY_NAME],
    ["CSV without one", "e.csv", LINES, { row: "1", sample: "2" }],
    ["a last line without an end", "e.csv", `item,user\n${LINES.trimEnd()}`, BY_NAME],
    ["carriage returns", "e.csv", `item,user\r\n${LINES.replaceAll("\n", "\r\n")}`, BY_NAME],
    ["lines that end in two ways", "e.csv", `item,user\r\n${LINES}`, BY_NAME],
    ["empty lines", "e.csv", `item,user\n\n${LINES.replace("\n", "\n\n")}\n\n`, BY_NAME],
    ["a byte order mark", "e.csv", `\uFEFFitem,user\n${LINES}`, BY_NAME],
    ["quotes", "e.csv", `"item","user"\n${LINES.replaceAll("7", '"7"')}`, BY_NAME],
    ["blanks", "e.csv", `item,user\n${LINES.replaceAll("7", " 7 ")}`, BY_NAME],
    ["leading zeros", "e.csv", `item,user\n${LINES.replace("7", "007").replace("9", "+9")}`, BY_NAME],
    ["TSV", "e.tsv", `item\tuser\n${LINES.replaceAll(",", "\t")}`, BY_NAME],
    ["tabs in a text file", "e.txt", `item\tuser\n${LINES.replaceAll(",", "\t")}`, BY_NAME],
    ["another delimiter", "e.csv", `item;user\n${LINES.replaceAll(",", ";")}`, { ...BY_NAME, delimiter: ";" }],
    ["more columns", "e.csv", `a,item,user\n${LINES.replace(/^/gm, '"x,y",').slice(0, -6)}`, BY_NAME],
    ["gzip", "e.csv.gz", gzipSync(`item,user\n${LINES}`), BY_NAME],
    ["texts as ids", "e.csv", `item,user\n${LINES}`, { ...BY_NAME, ids: "texts" }],
    ["samples that are texts", "e.csv", `item,user\n${LINES.replace(/,(\d)$/gm, ",user $1")}`, BY_NAME],
    ["weights", "e.csv", "item,user,n\n5,1,3\n7,2,1\n7,3,1\n9,3,1\n", { ...BY_NAME, weight: "n" }],
    ["samples by number", "e.csv", `item,user\n${LINES}`, { row: "item", samples: 3 }],
  ] as const)("%s", async (_, name, content, options) => {
    expect(await profiled(write(name, content), options)).toEqual(EXPECTED);
  });

  test("Zstandard", async () => {
    const file = join(folder(), "e.csv.zst");
    const values = ACCESSES.map(([row, sample]) => `(${row}, ${sample})`).join(", ");
    await withDuckDb((connection) =>
      connection.run(
        `COPY (SELECT * FROM (VALUES ${values}) AS t(item, "user")) TO '${file}' (FORMAT csv, COMPRESSION zstd)`,
      ),
    );
    expect(await profiled(file, BY_NAME)).toEqual(EXPECTED);
  });

  test.each(["BIGINT", "UBIGINT", "INTEGER", "VARCHAR"])("Parquet with ids of %s", async (type) => {
    const values = ACCESSES.map(([row, sample]) => `(${row}, ${sample})`).join(", ");
    const file = await parquet(`SELECT CAST(i AS ${type}) AS item, u AS "user" FROM (VALUES ${values}) AS t(i, u)`);
    expect(await profiled(file, BY_NAME)).toEqual(EXPECTED);
  });

  test("many files by a pattern, and a name that looks like one", async () => {
    const [first, second] = [`item,user\n${LINES.slice(0, 8)}`, `item,user\n${LINES.slice(8)}`];
    const path = write("e-1.csv", first);
    writeFileSync(join(dirname(path), "e-2.csv"), second);
    writeFileSync(join(dirname(path), "e[1].csv"), first);
    const { files, counts } = await profileLog([join(dirname(path), "e-*.csv")], BY_NAME);
    expect(files.map((file) => file.slice(-7))).toEqual(["e-1.csv", "e-2.csv"]);
    expect(counts).toEqual(EXPECTED.counts);
    expect(await profiled([join(dirname(path), "e[1].csv"), join(dirname(path), "e-2.csv")], BY_NAME)).toEqual(
      EXPECTED,
    );
  });

  test("64-bit ids are kept apart, and ranked as numbers", async () => {
    const rankFile = join(folder(), "ranks.txt");
    const ids = ["18446744073709551615", "9007199254740993", "9007199254740992", "10", "9", "-3", "9"];
    const file = write("e.csv", `row,s\n${ids.map((id) => `${id},1\n`).join("")}`);
    expect(await profiled(file, { sample: "s", rankFile })).toEqual({
      samples: 1,
      counts: [
        [2, 1],
        [1, 5],
      ],
    });
    expect(readFileSync(rankFile, "utf8")).toBe(
      "9\n-3\n10\n9007199254740992\n9007199254740993\n18446744073709551615\n",
    );
  });

  test("texts are ranked as texts, and written as they are", async () => {
    const rankFile = join(folder(), "ranks.txt");
    const file = write("e.csv", 'row,s\nzoë,1\nb,1\n"a ""q"", c",1\nb,2\n10,2\n9,1\n');
    expect(await profiled(file, { sample: "s", rankFile })).toEqual({
      samples: 2,
      counts: [
        [2, 1],
        [1, 4],
      ],
    });
    expect(readFileSync(rankFile, "utf8")).toBe('b\n10\n9\na "q", c\nzoë\n');
  });

  test("rows of the table that were never read", async () => {
    const file = write("e.csv", `item,user\n${LINES}`);
    const profile = await profileLog([file], { ...BY_NAME, rows: 10 });
    expect(profile).toMatchObject({ rows: 10, accesses: 6, meanLength: 2, samples: 3 });
    expect(profile.histogram).toEqual([
      [1, 1],
      [1, 2 / 3],
      [1, 1 / 3],
      [7, 0],
    ]);
    await expect(profileLog([file], { ...BY_NAME, rows: 2 })).rejects.toThrow(
      `${file}: expected at most 2 rows (--rows), received 3 distinct row ids in the log; correct one of both`,
    );
  });

  test("a weight of zero names a row that is never read", async () => {
    const file = write("e.csv", "row,n\n1,5\n2,0\n");
    const options = { weight: "n", samples: 5 };
    expect(await profiled(file, { ...options, rows: 4 })).toEqual({
      samples: 5,
      counts: [
        [5, 1],
        [0, 3],
      ],
    });
    expect(await profiled(file, options)).toEqual({
      samples: 5,
      counts: [
        [5, 1],
        [0, 1],
      ],
    });
  });
});

describe.skipIf(duckDb === undefined)("a log with one sample per line", () => {
  test.each([
    ["blanks", "e.txt", "5 7\n5 9\n5 7\n", {}],
    ["a header", "e.csv", "ids\n5 7\n5 9\n5 7\n", {}],
    ["bars", "e.csv", "ids,label\n5|7,a\n5|9,b\n5|7,c\n", { row: "ids" }],
    ["semicolons and blanks", "e.csv", "label,ids\na,5; 7\nb,5; 9\nc,5; 7\n", { row: "ids" }],
    ["commas in quotes", "e.csv", 'ids,label\n"5,7",a\n"5,9",b\n"5,7",c\n', { row: "ids" }],
    ["JSON in quotes", "e.csv", 'ids,label\n"[5, 7]",a\n"[5,9]",b\n"[5,7]",c\n', { row: "ids" }],
    ["JSON in TSV", "e.tsv", "label\tids\na\t[5, 7]\nb\t[5,9]\nc\t[5, 7]\n", { row: "ids" }],
    ["JSON texts in TSV", "e.tsv", 'label\tids\na\t["x y", "7"]\nb\t["x y","9"]\nc\t["x y", "7"]\n', { row: "ids" }],
    ["JSON in quotes with texts", "e.csv", 'ids\n"[""x y"", ""b""]"\n"[""x y""]"\n"[""x y"", ""b"", ""c""]"\n', {}],
    ["lines of JSON", "e.txt", "[5, 7]\n[5, 9]\n[5, 7]\n", {}],
    ["lines of Python's lists of texts", "e.txt", "['5', '7']\n['5', '9']\n['5', '7']\n", {}],
    ["texts, asked for", "e.csv", "ids\na b\na c\na b\n", { list: "ids" }],
    ["texts between bars", "e.csv", "ids,label\na1|b,x\na1|c,y\na1|b,z\n", { row: "ids" }],
    ["texts between blanks", "e.tsv", "ids\tlabel\na1 b\tx\na1 c\ty\na1 b\tz\n", { row: "ids" }],
    ["a sample column all the same", "e.csv", "ids,user\n5 7,1\n5,2\n9,2\n5 7,3\n", { row: "ids", sample: "user" }],
  ] as const)("%s", async (_, name, content, options) => {
    expect(await profiled(write(name, content), options)).toEqual(EXPECTED);
  });

  test("an empty line and an empty list are samples without accesses", async () => {
    expect(await profiled(write("e.txt", "5 7\n\n5\n[]\n"))).toEqual({
      samples: 4,
      counts: [
        [2, 1],
        [1, 1],
      ],
    });
    expect(await profiled(write("e.csv", "ids,x\n5 7,1\n,2\n"), { row: "ids" })).toEqual({
      samples: 2,
      counts: [[1, 2]],
    });
  });

  test("Parquet with lists, an empty one and none among them", async () => {
    const file = await parquet("SELECT * FROM (VALUES ([5, 7]), ([5, 5, 9]), ([]), (NULL)) AS t(ids)");
    expect(await profiled(file)).toEqual({
      samples: 4,
      counts: [
        [3, 1],
        [1, 2],
      ],
    });
    expect(await profiled(file, { samples: 10 })).toEqual({
      samples: 10,
      counts: [
        [3, 1],
        [1, 2],
      ],
    });
    const texts = await parquet("SELECT * FROM (VALUES ('5|7'), ('5|5|9')) AS t(ids)");
    expect(await profiled(texts)).toEqual({
      samples: 2,
      counts: [
        [3, 1],
        [1, 2],
      ],
    });
  });

  test("a line of a hundred thousand ids", async () => {
    const line = Array.from({ length: 100_000 }, (_, k) => k + 1_000_000).join(" ");
    expect(await profiled(write("e.txt", `${line}\n${line}\n`))).toEqual({ samples: 2, counts: [[2, 100_000]] });
  });
});

describe.skipIf(duckDb === undefined)("two hundred thousand accesses", () => {
  const random = seededRandom(3);
  const accesses = Array.from({ length: 200_000 }, (_, index) => {
    const row = BigInt(Math.floor(20 * random.next() ** -0.9)) * 1_000_000_007n + 9_007_199_254_740_993n;
    return [row, Math.floor(index / 20)] as const;
  });
  const naive = new Map<bigint, number>();
  for (const [row] of accesses) naive.set(row, (naive.get(row) ?? 0) + 1);
  const rowsOf = new Map<number, number>();
  for (const count of naive.values()) rowsOf.set(count, (rowsOf.get(count) ?? 0) + 1);
  const counts = [...rowsOf].sort((a, b) => b[0] - a[0]);
  const ranks = [...naive].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([row]) => `${row}\n`);
  const lines = accesses.map(([row, sample]) => `${row},${sample}\n`).join("");

  test("as CSV, ranked, within little memory, and as Parquet: what a naive count gives", async () => {
    const rankFile = join(folder(), "ranks.txt");
    const file = write("e.csv", `row,sample\n${lines}`);
    const options = { sample: "sample" };
    expect(await profiled(file, { ...options, rankFile })).toEqual({ samples: 10_000, counts });
    expect(readFileSync(rankFile, "utf8")).toBe(ranks.join(""));
    expect(await profiled(file, { ...options, memoryLimit: "150MB" })).toEqual({ samples: 10_000, counts });
    const columns = "{'row': 'UBIGINT', 'sample': 'BIGINT'}";
    const packed = await parquet(`SELECT * FROM read_csv('${file}', columns = ${columns}, header = true)`);
    expect(await profiled(packed, options)).toEqual({ samples: 10_000, counts });
  });
});

describe.skipIf(duckDb === undefined)("the result of the aggregation elsewhere", () => {
  test.each([
    ["CSV with the columns' names", "a.csv", "row_id,accesses\n5,3\n7,2\n9,1\n", {}],
    ["CSV without names", "a.csv", "5,3\n7,2\n9,1\n", {}],
    ["CSV with other names", "a.csv", "item,n\n5,3\n7,2\n9,1\n", {}],
    ["columns asked for", "a.csv", "n,item\n3,5\n2,7\n1,9\n", { row: "item", weight: "n" }],
    ["several parts of one row", "a.csv", "row_id,accesses\n5,2\n7,2\n9,1\n5,1\n", {}],
    ["texts with blanks", "a.csv", "row_id,accesses\nx 1,3\nx 2,2\n1 2,1\n", {}],
  ] as const)("%s", async (_, name, content, options) => {
    expect(await profiled(write(name, content), { ...options, isAggregate: true, samples: 3 })).toEqual(EXPECTED);
  });

  test("Parquet", async () => {
    const file = await parquet("SELECT * FROM (VALUES (5, 3), (7, 2), (9, 1)) AS t(row_id, accesses)");
    expect(await profiled(file, { isAggregate: true, samples: 3 })).toEqual(EXPECTED);
  });
});

test.skipIf(duckDb === undefined)("an interrupted profile throws what it was interrupted with", async () => {
  const abort = new AbortController();
  abort.abort(new Error("enough"));
  await expect(profileLog([write("e.txt", "1 2\n")], { signal: abort.signal })).rejects.toThrow("enough");
  const lines = Array.from({ length: 300_000 }, (_, k) => `${k} ${k + 1} ${k + 2} ${k + 3}\n`).join("");
  const later = new AbortController();
  setTimeout(() => later.abort(new Error("enough by now")), 50);
  const file = write("long.txt", lines.repeat(4));
  await expect(profileLog([file], { signal: later.signal, threads: 1 })).rejects.toThrow("enough by now");
});
