import { afterAll, describe, expect, test } from "vitest";
import { aggregateSql, printedColumnsSql, printedSql } from "../../../src/profile/sql/aggregate.js";
import { duckDb, withDuckDb } from "../../support/duckdb.js";
import { startPostgres } from "../../support/postgres.js";

/** The same tables, in the words that DuckDB and PostgreSQL have in common; lists apart. */
const TABLES = `
CREATE SCHEMA logs;
CREATE TABLE logs.events ("row" BIGINT, "Sample" VARCHAR, n INTEGER);
INSERT INTO logs.events VALUES (9007199254740993, 'a', 2), (9007199254740992, 'a', 1), (9007199254740993, 'b', 40);
CREATE TABLE texts (ids VARCHAR);
INSERT INTO texts VALUES ('1 2|3'), ('["x y", ''2'', 3]'), (''), ('[]'), ('3;,  3'), (NULL);
`;
const QUERIES = [
  {
    options: { table: "logs.events", row: "row", sample: "Sample" },
    rows: ["9007199254740992,1", "9007199254740993,2"],
  },
  {
    options: { table: "logs.events", row: "row", sample: "Sample", weight: "n" },
    rows: ["9007199254740992,1", "9007199254740993,42"],
  },
  { options: { table: "lists", row: "ids", list: "array" }, rows: ["5,2", "7,2", "9,1"] },
  { options: { table: "texts", row: "ids", list: "text" }, rows: ["1,1", "2,2", "3,4", "x y,1"] },
] as const;

describe.skipIf(duckDb === undefined)("the printed SQL on DuckDB", () => {
  test.each(QUERIES)("$options", async ({ options, rows }) => {
    const found = await withDuckDb(async (connection) => {
      await connection.run(`${TABLES} CREATE TABLE lists AS SELECT unnest([[5, 7], [], NULL, [5, 9, 7]]) AS ids`);
      return (await connection.runAndReadAll(printedSql({ dialect: "duckdb", ...options }))).getRows();
    });
    expect(found.map(([row, accesses]) => `${row},${accesses}`).sort()).toEqual(rows);
  });
});

const postgres = await startPostgres();
if (typeof postgres !== "string") {
  afterAll(() => postgres.stop());
  postgres.query(`${TABLES} CREATE TABLE lists (ids BIGINT[]);
    INSERT INTO lists VALUES ('{5, 7}'), ('{}'), (NULL), ('{5, 9, 7}');`);
}
const reason = typeof postgres === "string" ? ` (skipped: ${postgres})` : "";

describe.skipIf(typeof postgres === "string")(`the printed SQL on PostgreSQL${reason}`, () => {
  test.each(QUERIES)("$options", ({ options, rows }) => {
    if (typeof postgres === "string") throw new Error(postgres);
    const found = postgres.query(printedSql({ dialect: "postgres", ...options }));
    expect(found.trim().split("\n").sort()).toEqual(rows);
    const samples = /^-- Samples, for --samples: (.*)$/m.exec(printedSql({ dialect: "postgres", ...options }))?.[1];
    const expected = { "logs.events": "2", lists: "4", texts: "6" };
    expect(postgres.query(`${samples};`).trim()).toBe(expected[options.table]);
  });
});

test("dialects differ in quotes, patterns and lists alone", () => {
  const text = { row: "ids", list: "text", from: "t" } as const;
  expect(aggregateSql(text, "trino")).toBe(aggregateSql(text, "duckdb"));
  expect(aggregateSql({ from: "t", row: "a`b" }, "spark")).toContain("SELECT `a``b` AS row_id, 1 AS accesses");
  expect(aggregateSql({ from: "t", row: 'a"b' }, "trino")).toContain('SELECT "a""b" AS row_id');
  expect(aggregateSql({ from: "t", row: "ids", list: "array" }, "spark")).toContain(
    "LATERAL VIEW EXPLODE(`ids`) entries AS entry",
  );
  // Spark reads \\ and \' in its literals: what arrives is the one pattern.
  const literal = /REGEXP_EXTRACT_ALL\(`ids`, '(.*)', 0\)/.exec(aggregateSql(text, "spark"))?.[1] as string;
  const standard = /REGEXP_EXTRACT_ALL\("ids", '(.*)'\)/.exec(aggregateSql(text, "trino"))?.[1] as string;
  expect(literal.replace(/\\(.)/g, "$1")).toBe(standard.replaceAll("''", "'"));
});

test("ClickHouse has its own words for lists and texts, and escapes in quotes", () => {
  const text = aggregateSql({ row: "ids", list: "text", from: "t" }, "clickhouse");
  expect(text).toContain("ARRAY JOIN ids AS entry");
  expect(text).toContain("SELECT extractAll(coalesce(\"ids\", ''), '");
  const columns = printedColumnsSql({ dialect: "clickhouse", table: "logs.events", columns: ["it's"], sample: "s" });
  expect(columns).toContain(`SELECT 'it\\'s' AS column_name, toString(row_id) AS row_id, accesses`);
  expect(columns).toContain(`CAST(COUNT(DISTINCT "s") AS BIGINT) AS accesses FROM "logs"."events"`);
});

test("a log whose samples nothing tells says so", () => {
  expect(printedSql({ dialect: "trino", table: "events", row: "row" })).toContain("known to whoever wrote the log");
});
