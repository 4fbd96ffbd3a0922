import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRowCounts } from "../../../src/access/counts/counts.js";
import { mergePartials, profileColumns, writePartial } from "../../../src/profile/profile-columns.js";
import { duckDb } from "../../support/duckdb.js";
import { folder, parquet, write } from "./support.js";

/** Equal ids are rows of two tables. */
const LINES = [
  ["user", 7, 5],
  ["item", 7, 2],
  ["item", 3, 4],
  ["user", 1, 1],
  ["user", 7, 3],
] as const;
const CSV = `table,row_id,count\n${LINES.map((line) => `${line.join(",")}\n`).join("")}`;
const VALUES = LINES.map(([table, row, count]) => `('${table}', ${row}, ${count})`).join(", ");
const QUERY = `SELECT * FROM (VALUES ${VALUES}) AS t("table", row_id, count)`;
const COUNTS = {
  item: [
    [4, 1],
    [2, 1],
  ],
  user: [
    [8, 1],
    [1, 1],
  ],
};
const OPTIONS = { table: "table", weight: "count", samples: 10 };

async function countsIn(file: string, options: object = OPTIONS) {
  const { samples, columns } = await profileColumns([file], "all", options);
  return { samples, ...Object.fromEntries(columns.map(({ name, profile }) => [name, profile.counts])) };
}

describe.skipIf(duckDb === undefined)("a log of all tables", () => {
  test("equal ids of different tables are never added up: in text as in Parquet", async () => {
    const keys = LINES.map(([table, row_id, count]) => `${JSON.stringify({ table, row_id, count })}\n`).join("");
    for (const file of [write("all.csv", CSV), await parquet(QUERY), write("all.jsonl", keys)]) {
      expect(await countsIn(file)).toEqual({ samples: 10, ...COUNTS });
      const { columns } = await profileColumns([file], ["user"], { ...OPTIONS, rowsOf: { user: 9 } });
      expect(columns.map(({ name, profile }) => [name, profile.counts])).toEqual([["user", [...COUNTS.user, [0, 7]]]]);
    }
  });

  test("lines may end in two ways, as in a log of one table", async () => {
    expect(await countsIn(write("mixed.csv", CSV.replace("\n", "\r\n")))).toEqual({ samples: 10, ...COUNTS });
  });

  test.each([
    ["UINTEGER", "UTINYINT", "UBIGINT"],
    ["VARCHAR", "DOUBLE", "HUGEINT"],
    ["BLOB", "DECIMAL(20, 0)", "DECIMAL(9, 2)"],
    ["ENUM ('8', '9')", "VARCHAR", "DOUBLE"],
    ["INTEGER", "BIGINT", "VARCHAR"],
  ])("columns of %s, %s and %s", async (table, row, count) => {
    const as = (name: string, type: string) => `CAST(${name} AS ${type}) AS ${name}`;
    const numbered = QUERY.replaceAll("'user'", "'8'").replaceAll("'item'", "'9'");
    const typed = `SELECT ${as('"table"', table)}, ${as("row_id", row)}, ${as("count", count)} FROM (${numbered})`;
    expect(await countsIn(await parquet(typed))).toEqual({ samples: 10, "8": COUNTS.user, "9": COUNTS.item });
    const named = `SELECT "table" AS column_name, row_id, count AS accesses FROM (${typed})`;
    const { columns } = await mergePartials([await parquet(named)], "all", { samples: 10 });
    expect(columns.map(({ name, profile }) => [name, profile.counts])).toEqual([
      ["8", COUNTS.user],
      ["9", COUNTS.item],
    ]);
  });

  test("a log names its samples, and a table may have texts where another has integers", async () => {
    const text = "request,feature,id\n1,user,7\n1,item,a\n2,user,07\n2,item,b\n2,item,a\n3,item,\n";
    const lines = text
      .split("\n")
      .slice(1, -1)
      .map((line) => line.split(","));
    const values = lines.map(
      ([request, feature, id]) => `(${request}, '${feature}', ${id === "" ? "NULL" : `'${id}'`})`,
    );
    const query = `SELECT * FROM (VALUES ${values.join(", ")}) AS t(request, feature, id)`;
    for (const file of [write("log.csv", text), await parquet(query)]) {
      expect(await countsIn(file, { table: "feature", row: "id", sample: "request" })).toEqual({
        samples: 3,
        item: [
          [2, 1],
          [1, 1],
        ],
        user: [[2, 1]],
      });
    }
  });

  test("lists of ids", async () => {
    const query = `SELECT * FROM (VALUES ('a', 1, [1, 2, 2]), ('b', 1, [2]), ('a', 2, [])) AS t("table", s, ids)`;
    const text = "table,s,ids\na,1,1|2|2\nb,1,[2]\na,2,\n";
    for (const file of [await parquet(query), write("log.csv", text)]) {
      expect(await countsIn(file, { table: "table", list: "ids", sample: "s" })).toEqual({
        samples: 2,
        a: [
          [2, 1],
          [1, 1],
        ],
        b: [[1, 1]],
      });
    }
  });

  test("parts of such a log add up", async () => {
    const parts = ["1.parquet", "2.parquet"].map((name) => join(folder(), name));
    for (const part of parts) expect(await writePartial([write("all.csv", CSV)], "all", part, OPTIONS)).toBe(10);
    const { samples, columns } = await mergePartials(parts, "all");
    expect([samples, columns[1]?.profile.counts]).toEqual([
      20,
      [
        [16, 1],
        [2, 1],
      ],
    ]);
  });

  test("counts by row id are written where ids are rows of the table", async () => {
    const countsFolder = folder();
    const text = `${CSV}tag,a,1\nfar,12,1\n`;
    const rowsOf = { user: 9, item: 8, far: 12 };
    const { columns } = await profileColumns([write("all.csv", text)], "all", { ...OPTIONS, countsFolder, rowsOf });
    expect(columns.map(({ name, countsFile }) => [name, countsFile])).toEqual([
      ["far", undefined],
      ["item", "item.parquet"],
      ["tag", undefined],
      ["user", "user.parquet"],
    ]);
    const read: number[] = [];
    for await (const chunk of readRowCounts(join(countsFolder, "user.parquet"), 9)) read.push(...chunk);
    expect(read).toEqual([0, 1, 0, 0, 0, 0, 0, 8]);
  });

  test("ranks are written by table, whatever its name", async () => {
    const rankFolder = folder();
    const file = await parquet(QUERY.replaceAll("'user'", "'a/user'"));
    await profileColumns([file], "all", { ...OPTIONS, rankFolder });
    expect(readFileSync(join(rankFolder, "a_user.txt"), "utf8")).toBe("7\n1\n");
  });

  test.each([
    [
      CSV,
      { table: "table", weight: "count" },
      "expected --samples N or --sample COLUMN, received neither, and no line of a table *",
    ],
    [CSV, { ...OPTIONS, table: "tble" }, "--table: expected one of the columns table, row_id, count, received"],
    ["table,row_id,count\nuser,1,1\n,2,1\n", OPTIONS, ":3:1: expected a table, received nothing"],
    ["table,row_id,count\nuser,1,x\n", OPTIONS, ":2:8: expected a whole number of accesses"],
    ["table,ids,count\nuser,1|2,1\n", { ...OPTIONS, list: "ids" }, "expected --weight beside one row id per line"],
  ])("%j, %j: %s", async (text, options, says) => {
    await expect(countsIn(write("all.csv", text), options)).rejects.toThrow(says);
  });

  test("counts that are no parts say which columns parts have", async () => {
    const merged = mergePartials([write("all.csv", CSV)], "all", { samples: 10 });
    await expect(merged).rejects.toThrow("--merge: expected one of the columns table, row_id, count, received");
  });

  test("a line without a table in Parquet is named, and one of counts that are not read is said", async () => {
    const file = await parquet(QUERY.replaceAll("'item'", "NULL"));
    await expect(countsIn(file)).rejects.toThrow('row 1 (from 0), column "table": expected a table, received null');
    const notes: string[] = [];
    const onNote = (note: string) => notes.push(note);
    await countsIn(write("all.csv", CSV), { table: "table", samples: 10, onNote });
    expect(notes).toEqual([
      'column "count" is not read, and a line is one access; if it counts several, say --weight count',
    ]);
  });
});
