import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ColumnsOptions, LogProfile } from "../../../src/profile/profile-columns.js";
import { mergePartials, profileColumns, writePartial } from "../../../src/profile/profile-columns.js";
import { printedColumnsSql } from "../../../src/profile/sql/aggregate.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";
import { folder, parquet, write } from "./support.js";

/** Four samples; the third has no user, the second no item, the last two tags of none. */
const CSV = "user,item,tags\n1,a,1|2\n2,,3\n,b,\n1,a,1|2\n";
const QUERY = `SELECT * FROM (VALUES (1::BIGINT, 'a', [1, 2]), (2, NULL, [3]), (NULL, 'b', []), (1, 'a', [1, 2])) AS t("user", item, tags)`;
const COUNTS = {
  user: [
    [2, 1],
    [1, 1],
  ],
  item: [
    [2, 1],
    [1, 1],
  ],
  tags: [
    [2, 2],
    [1, 1],
  ],
};

const countsOf = ({ columns }: LogProfile) =>
  Object.fromEntries(columns.map(({ name, profile }) => [name, profile.counts]));

describe.skipIf(duckDb === undefined)("several columns of a log", () => {
  test("a line is a sample, and what it lacks no access: in text as in Parquet", async () => {
    for (const file of [write("log.csv", CSV), await parquet(QUERY)]) {
      const found = await profileColumns([file], "all");
      expect(found.samples).toBe(4);
      expect(countsOf(found)).toEqual(COUNTS);
      expect(found.columns.map(({ name }) => name)).toEqual(["user", "item", "tags"]);
      expect(found.columns[0]?.profile.meanLength).toBe(0.75);
      const two = await profileColumns([file], ["tags", "user"], { rowsOf: { user: 10 } });
      expect(countsOf(two)).toEqual({ tags: COUNTS.tags, user: [...COUNTS.user, [0, 8]] });
    }
  });

  test("a column or a number says how many samples there are; columns that hold no ids are left out", async () => {
    const file = await parquet("SELECT i // 4 AS s, i % 3 AS a, i * 0.5 AS price FROM range(12) AS t(i)");
    const all = await profileColumns([file], "all", { sample: "s" });
    expect([all.samples, all.columns.map(({ name }) => name)]).toEqual([3, ["a"]]);
    expect((await profileColumns([file], ["a"], { samples: 6 })).columns[0]?.profile.meanLength).toBe(2);
  });

  test("lines without a header have columns by number, also of several files", async () => {
    const names = ["1,5\n2,5\n", "1,6\n"].map((text, k) => write(`log-${k}.csv`, text));
    const found = await profileColumns(names, "all");
    expect(countsOf(found)).toEqual({ "1": COUNTS.user, "2": COUNTS.user });
    expect(found.files).toEqual(names);
  });

  test("row ids by falling accesses are written by column", async () => {
    const rankFolder = folder();
    await profileColumns([write("log.csv", CSV)], ["user", "item"], { rankFolder });
    expect(readFileSync(join(rankFolder, "user.txt"), "utf8")).toBe("1\n2\n");
    expect(readFileSync(join(rankFolder, "item.txt"), "utf8")).toBe("a\nb\n");
  });

  test("parts that are counted by themselves add up to the whole", async () => {
    const own = folder();
    const halves = await Promise.all([
      parquet("SELECT i % 7 AS a, 'x' || i % 5 AS b FROM range(50) AS t(i)"),
      parquet("SELECT i % 3 AS a, 'x' || i % 9 AS b FROM range(80) AS t(i)"),
    ]);
    const partials = halves.map((_, k) => join(own, `p-${k}.parquet`));
    for (const [k, half] of halves.entries()) {
      expect(await writePartial([half], "all", partials[k] as string)).toBe(k === 0 ? 50 : 80);
    }
    const { files: _, ...whole } = await profileColumns(halves, "all");
    const { files: __, ...merged } = await mergePartials([join(own, "*.parquet")], "all");
    expect(withoutFiles(merged)).toEqual(withoutFiles(whole));
    expect((await mergePartials(partials, ["b"], { samples: 9 })).samples).toBe(9);
    // The result of the printed SQL as CSV is such a part, and so is one with another of its columns.
    const rows = await withDuckDb(async (connection) => {
      await connection.run(`CREATE TABLE events AS SELECT * FROM read_parquet('${halves[1]}')`);
      const sql = printedColumnsSql({ dialect: "duckdb", table: "events", columns: ["a", "b"] });
      return (await connection.runAndReadAll(sql)).getRows();
    });
    const csv = join(own, "part.csv");
    writeFileSync(csv, `column_name,row_id,accesses\n${rows.map((row) => `${row.join(",")}\n`).join("")}`);
    const { files: ___, ...mixed } = await mergePartials([csv], "all");
    const { files: ____, ...second } = await profileColumns([halves[1] as string], "all");
    expect(withoutFiles(mixed)).toEqual(withoutFiles(second));
  });

  test.each([
    [
      "user,item\n1,a\nx,b\n",
      ["user"],
      {},
      ':3:1: expected an integer, as most of the first row ids are, received "x"',
    ],
    ["user,item\n1,a\n2\n", ["item"], {}, ":3:2: expected 2 fields, received 1"],
    ["user,item\n1,\n2,\n", ["item"], {}, 'column "item": expected accesses, received none; leave it out of --columns'],
    ["user,item\n1,a\n", ["usr"], {}, "--columns: expected one of the columns user, item, received"],
    ["user,n\n1,2\n", ["user"], { weight: "n" }, "expected --sample COLUMN or --samples N beside --weight"],
    ["user,n\n1|2,2\n", "all", { weight: "n", samples: 3 }, ""],
    ["user\n1\n2\n3\n", ["user"], { rowsOf: { user: 2 } }, "expected at most 2 rows (the instance's), received 3"],
  ] as const)("%j, %j: %s", async (text, columns, options, says) => {
    const file = write("log.csv", text);
    const done = profileColumns([file], columns, options as ColumnsOptions);
    if (says === "") await expect(done).resolves.toBeDefined();
    else await expect(done).rejects.toThrow(says);
  });

  test("counts without samples, or of other columns, are refused", async () => {
    const none = write("part.csv", "column_name,row_id,accesses\na,1,5\n");
    await expect(mergePartials([none], "all")).rejects.toThrow("no line of a table *, whose accesses");
    expect((await mergePartials([none], "all", { samples: 3 })).samples).toBe(3);
    const part = write("part.csv", "column_name,row_id,accesses\n*,,5\nuser,1,5\n");
    await expect(mergePartials([part], ["usr"])).rejects.toThrow("columns user, received usr; did you mean user?");
    const bad = write("part.csv", "column_name,row_id,accesses\n*,,5\nuser,1,2.5\n");
    await expect(mergePartials([bad], "all")).rejects.toThrow(":3:8: expected a whole number of accesses");
  });
});

function withoutFiles({ samples, columns }: Omit<LogProfile, "files">) {
  return { samples, columns: columns.map(({ name, profile: { files: _, ...rest } }) => ({ name, ...rest })) };
}
