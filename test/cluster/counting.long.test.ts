import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { profileColumns, writePartial } from "../../src/profile/profile-columns.js";
import { printedColumnsSql } from "../../src/profile/sql/aggregate.js";
import type { DialectName } from "../../src/profile/sql/dialect.js";
import { runCli } from "../cli/run-cli.js";
import { drawsOf } from "../support/draws.js";
import { duckDb, withDuckDb } from "../support/duckdb.js";
import { startPostgres } from "../support/postgres.js";

const run = promisify(execFile);

const ROWS = drawsOf(10_000_000, 0).amount;
const MINUTES = 60_000;
const COLUMNS = ["user", "Item id", "big"];
const CLICKHOUSE = resolve("test/cluster/clickhouse");

/** Integers of which some are missing, texts, and integers beyond 2^53; four lines are a sample. */
const LOG = `SELECT i // 4 AS s,
  CASE WHEN i % 20 = 0 THEN NULL ELSE CAST(floor(300000 * pow((hash(i) % 1000003) / 1000003.0, 3)) AS INTEGER) END AS "user",
  'i-' || CAST(floor(50000 * pow((hash(i + 7) % 1000003) / 1000003.0, 2)) AS INTEGER) AS "Item id",
  9007199254740993 + CAST(hash(i + 11) % 1000 AS BIGINT) AS big
FROM range(${ROWS}) AS t(i)`;

const folder = mkdtempSync(join(tmpdir(), "shardproof-counting-"));
const log = join(folder, "log.parquet");
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const postgres = duckDb === undefined ? "DuckDB is not installed" : await startPostgres();
afterAll(async () => {
  if (typeof postgres !== "string") await postgres.stop();
});

const hasClickHouse = existsSync(join(CLICKHOUSE, "node_modules", "chdb"));
const noClickHouse = hasClickHouse ? "" : " (skipped: npm ci --prefix test/cluster/clickhouse installs it)";
const noPostgres = typeof postgres === "string" ? ` (skipped: ${postgres})` : "";

describe.skipIf(duckDb === undefined)(`${ROWS} lines counted by several engines`, () => {
  /** Samples, and each column's rows, accesses and counts, as profile itself has them. */
  let expected: object;

  beforeAll(async () => {
    await withDuckDb((connection) => connection.run(`COPY (${LOG}) TO '${log}' (FORMAT parquet)`));
    expected = exact(await profileColumns([log], COLUMNS, { sample: "s", threads: 2 }));
    expect(expected).toMatchObject({ samples: ROWS / 4, user: { accesses: ROWS - ROWS / 20 }, big: { rows: 1000 } });
  }, 10 * MINUTES);

  const sqlOf = (dialect: DialectName) =>
    printedColumnsSql({ dialect, table: "events", columns: COLUMNS, sample: "s" });

  /** What `profile merge` makes of results. */
  async function merged(...files: string[]): Promise<object> {
    const { stdout, stderr } = await runCli(["profile", "merge", ...files, "--json", "--columns", COLUMNS.join(",")]);
    expect(stderr).toBe("");
    return exact(JSON.parse(stdout));
  }

  test("DuckDB, its result as CSV and as Parquet", { timeout: 10 * MINUTES }, async () => {
    const query = sqlOf("duckdb").replace(/;\s*$/, "");
    await withDuckDb(async (connection) => {
      await connection.run(`CREATE VIEW events AS SELECT * FROM '${log}'`);
      await connection.run(`COPY (${query}) TO '${at("duckdb.csv")}' (HEADER)`);
      await connection.run(`COPY (${query}) TO '${at("duckdb.parquet")}' (FORMAT parquet)`);
    });
    expect(await merged(at("duckdb.csv"))).toEqual(expected);
    expect(await merged(at("duckdb.parquet"))).toEqual(expected);
  });

  test("files of a log, each counted by itself", { timeout: 10 * MINUTES }, async () => {
    const parts = ["s % 3 = 0", "s % 3 > 0"].map((condition, k) => ({ condition, file: at(`part-${k}.parquet`) }));
    for (const [k, { condition, file }] of parts.entries()) {
      await withDuckDb((connection) =>
        connection.run(`COPY (SELECT * FROM '${log}' WHERE ${condition}) TO '${file}' (FORMAT parquet)`),
      );
      await writePartial([file], COLUMNS, at(`counts-${k}.parquet`), { sample: "s", threads: 2 });
    }
    expect(await merged(at("counts-*.parquet"))).toEqual(expected);
  });

  test.skipIf(typeof postgres === "string")(`PostgreSQL${noPostgres}`, { timeout: 20 * MINUTES }, async () => {
    if (typeof postgres === "string") throw new Error(postgres);
    const csv = at("log.csv");
    await withDuckDb((connection) => connection.run(`COPY (SELECT * FROM '${log}') TO '${csv}' (HEADER)`));
    postgres.query(`CREATE UNLOGGED TABLE events (s BIGINT, "user" INTEGER, "Item id" VARCHAR, big BIGINT);`);
    postgres.copyFrom("events", csv);
    writeFileSync(at("postgres.csv"), `column_name,row_id,accesses\n${postgres.query(sqlOf("postgres"))}`);
    expect(await merged(at("postgres.csv"))).toEqual(expected);
  });

  test.skipIf(!hasClickHouse)(`ClickHouse${noClickHouse}`, { timeout: 10 * MINUTES }, async () => {
    writeFileSync(at("query.sql"), sqlOf("clickhouse"));
    await run(process.execPath, [join(CLICKHOUSE, "query.mjs"), log, at("query.sql"), at("clickhouse.csv")]);
    expect(readFileSync(at("clickhouse.csv"), "utf8")).toContain('"*","",');
    expect(await merged(at("clickhouse.csv"))).toEqual(expected);
  });
});

interface Profiled {
  readonly samples: number;
  readonly columns: readonly { readonly name: string; readonly profile: object }[];
}

function exact({ samples, columns }: Profiled): object {
  const own = columns.map(({ name, profile }) => {
    const { rows, accesses, counts } = profile as { rows: number; accesses: number; counts: unknown };
    return [name, { rows, accesses, counts }];
  });
  return { samples, ...Object.fromEntries(own) };
}
