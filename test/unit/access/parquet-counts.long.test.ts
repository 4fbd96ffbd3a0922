import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readRowCounts } from "../../../src/access/counts/counts.js";
import { tableClasses } from "../../../src/access/table-classes.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shardproof-parquet-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes the rows of a query. */
async function parquet(query: string): Promise<string> {
  const file = join(folder, "c[1].parquet");
  await withDuckDb((connection) => connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`));
  return file;
}

async function classes(query: string, rows: number, samples = 1) {
  const access = { kind: "counts", file: await parquet(query), samples } as const;
  const table = { name: "t", rows, dim: 4, dataType: "fp32", elementBytes: 4, access } as const;
  const found = await tableClasses(table, "/instance.yaml");
  return [Array.from(found.rows), Array.from(found.appearances)];
}

async function inOrder(query: string, rows: number): Promise<number[]> {
  const counts: number[] = [];
  for await (const chunk of readRowCounts(await parquet(query), rows)) for (const count of chunk) counts.push(count);
  return counts;
}

const values = (rows: string, columns: string) => `SELECT * FROM (VALUES ${rows}) AS t(${columns})`;

describe.skipIf(duckDb === undefined)("Parquet", () => {
  test.each([
    ["one column of counts", values("(3), (0), (3), (7)", "n")],
    ["of decimals", values("(3.0), (0), (3), (7)", "n")],
    ["of doubles", "SELECT CAST(n AS DOUBLE) AS n FROM (VALUES (3), (0), (3), (7)) AS t(n)"],
    ["of unsigned integers", "SELECT CAST(n AS UBIGINT) AS n FROM (VALUES (3), (0), (3), (7)) AS t(n)"],
    ["accesses beside a row id", values("(2, 3), (0, 0), (1, 3), (3, 7)", "item, accesses")],
    ["count among others", values("('x', 2, 3), ('y', 0, 0), ('x', 1, 3), ('x', 3, 7)", "label, row_id, count")],
    ["a histogram", values("(1, 7), (2, 3), (1, 0)", "rows, accesses_per_row")],
  ])("%s", async (_, query) => {
    expect(await classes(query, 5, 10)).toEqual([
      [1, 2, 2],
      [0.7, 0.3, 0],
    ]);
  });

  test("many rows, in the order of the file", async () => {
    const counts = await inOrder("SELECT (range * 7919) % 100003 AS n FROM range(500000)", 500_000);
    expect(counts).toEqual(Array.from({ length: 500_000 }, (_, row) => (row * 7919) % 100_003));
  });

  test("in the order of row ids, those between them never read", async () => {
    expect(await inOrder(values("(5, 3), (0, 1), (2, 7)", "row, count"), 8)).toEqual([1, 0, 7, 0, 0, 3]);
    const spread = "SELECT ((range * 7919) % 100003) * 2 AS id, range AS count FROM range(100003)";
    const expected = new Array<number>(200_005).fill(0);
    for (let k = 0; k < 100_003; k++) expected[((k * 7919) % 100_003) * 2] = k;
    expect(await inOrder(spread, 300_000)).toEqual(expected);
  });

  test.each([
    [
      "two columns without a name",
      values("(1, 2)", "a, b"),
      "expected one column of counts, or one named accesses, count, counts, cnt, n, len, count_star(), count(*), count(1) beside a row id, or rows and accesses_per_row; received the columns a, b",
    ],
    ["texts", values("('3')", "n"), 'column "n": expected numbers, received VARCHAR; convert the column'],
    [
      "a null",
      values("(3), (NULL), (-1)", "n"),
      'row 1, column "n": expected a count from 0 to 2^53 − 1, received null',
    ],
    [
      "a negative count",
      values("(3), (-1)", "n"),
      'row 1, column "n": expected a count from 0 to 2^53 − 1, received -1',
    ],
    [
      "a count beyond 2^53",
      "SELECT 9007199254740993 AS n",
      'row 0, column "n": expected a count from 0 to 2^53 − 1, received 9007199254740993',
    ],
    [
      "a count that is no number",
      "SELECT CAST('nan' AS DOUBLE) AS n",
      'row 0, column "n": expected a count from 0 to 2^53 − 1, received nan',
    ],
    ["no row id", values("(NULL, 3)", "row, count"), 'row 0, column "row": expected a row id, received null'],
    [
      "a row id beyond the table",
      values("(4, 3)", "row, count"),
      'column "row": expected row ids from 0 to 3, received 4; correct the table\'s rows or the file',
    ],
    [
      "too many rows",
      "SELECT 1 AS n FROM range(5)",
      "expected at most 4 rows, the table's, received 5; correct one of both",
    ],
    ["no rows", "SELECT 1 AS n FROM range(0)", "expected counts of up to 4 rows, received an empty file"],
    [
      "a negative number of rows",
      values("(-1, 3)", "rows, accesses_per_row"),
      'row 0, column "rows": expected a whole number of rows, received -1',
    ],
  ])("%s is refused", async (_, query, message) => {
    await expect(classes(query, 4)).rejects.toThrow(`${join(folder, "c[1].parquet")}: ${message}`);
  });

  test.each([
    [
      "a histogram",
      values("(1, 7)", "rows, accesses_per_row"),
      "expected counts in the order of the rows, received a histogram; write the counts",
    ],
    ["a row id twice", values("(1, 7), (1, 2)", "row, count"), "expected every row id once, received 1 more often"],
  ])("%s has no order", async (_, query, message) => {
    await expect(inOrder(query, 4)).rejects.toThrow(message);
  });

  test("a footer that claims more than there is makes no room for it", async () => {
    const file = join(folder, "claims.parquet");
    // Version 1, and a schema of 16 million elements, ten times.
    const claim = Buffer.concat(Array(10).fill(Buffer.from("150219fcffffff07", "hex")));
    const bytes = Buffer.concat([Buffer.from("PAR1"), claim, Buffer.from("50000000", "hex"), Buffer.from("PAR1")]);
    await writeFile(file, bytes);
    const before = process.memoryUsage().rss;
    const said = `${file}: expected a Parquet file that can be read, received a footer with lengths that are not those of its parts`;
    await expect(readRowCounts(file, 4).next()).rejects.toThrow(said);
    const access = { kind: "counts", file, samples: 1 } as const;
    const table = { name: "t", rows: 4, dim: 4, dataType: "fp32", elementBytes: 4, access } as const;
    await expect(tableClasses(table, "/instance.yaml")).rejects.toThrow(said);
    expect(process.memoryUsage().rss - before).toBeLessThan(2 ** 29);
    bytes.writeUInt32LE(0x7fffffff, bytes.length - 8);
    await writeFile(file, bytes);
    await expect(readRowCounts(file, 4).next()).rejects.toThrow("received a footer that is longer than the file");
  });

  test("another kind of file, and none", async () => {
    const file = join(folder, "other.parquet");
    await writeFile(file, "not Parquet at all");
    await expect(readRowCounts(file, 4).next()).rejects.toThrow(
      `${file}: expected a Parquet file that can be read, received`,
    );
    await expect(readRowCounts(join(folder, "gone.parquet"), 4).next()).rejects.toThrow("received no such file");
  });
});
