import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { InputError } from "../../errors/input-error.js";
import { duckDbMessage, openDuckDb, parquetSql, sqlName } from "../duckdb/open.js";
import { requireParquetFooter } from "../duckdb/parquet-footer.js";
import { asNumber, oneRow, streamColumns, streamRows } from "../duckdb/rows.js";
import { NO_ORDER } from "./csv-lines.js";
import { type ParquetLayout, parquetLayout } from "./parquet-layout.js";
import { CountTally } from "./tally.js";

/** Rows of a batch of counts, at least; the last one has fewer. */
const BATCH_ROWS = 1 << 14;

/**
 * Counts of accesses from a Parquet file (see {@link parquetLayout}). DuckDB counts equal counts while it reads, so
 * memory is that of the distinct ones.
 *
 * Throws `InputError` for other columns, a count that is null, negative, not a number or above 2^53 − 1, more rows than
 * `tableRows`, and without DuckDB. That no row id stands there twice is for the writer of the file to see to.
 */
export async function readParquetCounts(path: string, tableRows: number): Promise<CountTally> {
  return withParquet(path, async (connection, from) => {
    const layout = await parquetLayout(connection, from, path);
    const { counts, rows } = layout;
    const tally = new CountTally();
    const rowsPerCount = rows === undefined ? "COUNT(*)" : `SUM(CAST(${sqlName(rows)} AS HUGEINT))`;
    const count = `CAST(${sqlName(counts)} AS DOUBLE)`;
    const sql = `SELECT ${count}, CAST(${rowsPerCount} AS DOUBLE) FROM ${from} GROUP BY 1`;
    let isGood = rows === undefined;
    for await (const chunk of streamRows(connection, sql)) {
      for (const [value, ofValue] of chunk) {
        isGood &&= isCount(value);
        tally.add(Number(value), Number(ofValue));
      }
    }
    // Which row it is takes another reading, and so do numbers of rows: a bad one does not show in a sum.
    if (!isGood) await requireGoodRows(connection, path, layout);
    if (tally.rows > tableRows) refuseRows(path, tableRows, tally.rows);
    await requireIds(connection, from, path, layout, tableRows);
    return tally;
  });
}

/**
 * The counts themselves: in the order of the file, or of the row ids where it has them; rows between two ids were never
 * read. Throws as {@link readParquetCounts} does, and for a histogram and an id that is there twice.
 */
export async function* parquetRowCounts(path: string, tableRows: number): AsyncGenerator<Float64Array> {
  const open = await openParquet(path);
  const { connection, from } = open;
  try {
    const layout = await parquetLayout(connection, from, path);
    const { counts, rows, id } = layout;
    if (rows !== undefined) {
      throw new InputError(`expected counts in the order of the rows, ${NO_ORDER}`, path);
    }
    await requireGoodRows(connection, path, layout);
    await requireIds(connection, from, path, layout, tableRows);
    const listed = asNumber((await oneRow(connection, `SELECT COUNT(*) FROM ${from}`))[0]);
    if (listed > tableRows) refuseRows(path, tableRows, listed);
    await connection.run("SET preserve_insertion_order = true");
    const count = `CAST(${sqlName(counts)} AS DOUBLE)`;
    if (id === undefined) yield* inFileOrder(connection, `SELECT ${count} FROM ${from}`);
    else {
      const name = sqlName(id);
      yield* inIdOrder(connection, `SELECT ${count}, CAST(${name} AS DOUBLE) FROM ${from} ORDER BY ${name}`, path);
    }
  } catch (error) {
    throw readableError(error, path);
  } finally {
    await open.close();
  }
}

async function* inFileOrder(connection: DuckDBConnection, sql: string): AsyncGenerator<Float64Array> {
  for await (const [counts] of batches(connection, sql)) yield Float64Array.from(counts as number[]);
}

/** Fills up the rows between the ids with counts of 0. */
async function* inIdOrder(connection: DuckDBConnection, sql: string, path: string): AsyncGenerator<Float64Array> {
  const batch = new Float64Array(BATCH_ROWS);
  let filled = 0;
  let next = 0;
  for await (const [counts, ids] of batches(connection, sql)) {
    for (const [index, id] of (ids as number[]).entries()) {
      if (id < next)
        throw new InputError(`expected every row id once, received ${id} more often; add up its counts`, path);
      for (; next <= id; next++) {
        if (filled === BATCH_ROWS) {
          yield batch;
          filled = 0;
        }
        batch[filled++] = next === id ? ((counts as number[])[index] as number) : 0;
      }
    }
  }
  if (filled > 0) yield batch.subarray(0, filled);
}

/** The columns of a query's result, some thousands of rows at a time. */
async function* batches(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBValue[][]> {
  let columns: DuckDBValue[][] = [];
  for await (const chunk of streamColumns(connection, sql)) {
    columns = columns.length === 0 ? chunk : columns.map((values, k) => values.concat(chunk[k] as DuckDBValue[]));
    if ((columns[0]?.length ?? 0) < BATCH_ROWS) continue;
    yield columns;
    columns = [];
  }
  if (columns.length > 0) yield columns;
}

async function withParquet<T>(path: string, work: (connection: DuckDBConnection, from: string) => Promise<T>) {
  const open = await openParquet(path);
  try {
    return await work(open.connection, open.from);
  } catch (error) {
    throw readableError(error, path);
  } finally {
    await open.close();
  }
}

/** What DuckDB says of a file, as an `InputError`. */
function readableError(error: unknown, path: string): InputError {
  if (error instanceof InputError) return error;
  return new InputError(`expected a Parquet file that can be read, received ${duckDbMessage(error)}`, path);
}

async function openParquet(path: string) {
  // DuckDB would take a name with * for many files, and says less of one that is not there.
  await requireParquetFooter(path);
  const temporaryFolder = await mkdtemp(join(tmpdir(), "shardproof-duckdb-"));
  try {
    const { connection, close } = await openDuckDb("a .parquet file of counts", { temporaryFolder });
    return {
      connection,
      from: parquetSql([path]),
      close: async () => {
        close();
        await rm(temporaryFolder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(temporaryFolder, { recursive: true, force: true });
    throw error;
  }
}

/** Throws for the first row whose count, or number of rows, is none. */
async function requireGoodRows(connection: DuckDBConnection, path: string, layout: ParquetLayout): Promise<void> {
  const from = parquetSql([path], ["file_row_number = true"]);
  for (const [column, expected] of [
    [layout.counts, "a count from 0 to 2^53 − 1"],
    [layout.rows, "a whole number of rows"],
    [layout.id, "a row id"],
  ] as const) {
    if (column === undefined) continue;
    const name = sqlName(column);
    const good =
      column === layout.id
        ? `${name} IS NOT NULL`
        : `CAST(${name} AS DOUBLE) BETWEEN 0 AND 9007199254740991${column === layout.rows ? ` AND ${name} = floor(${name})` : ""}`;
    const sql = `SELECT file_row_number, CAST(${name} AS VARCHAR) FROM ${from} WHERE NOT coalesce(${good}, false) ORDER BY 1 LIMIT 1`;
    for await (const [[row, value] = []] of streamRows(connection, sql)) {
      const message = `row ${row}, column "${column}": expected ${expected}, received ${value ?? "null"}; correct the file`;
      throw new InputError(message, path);
    }
  }
}

/** Throws for a row id that is missing or beyond the table. */
async function requireIds(
  connection: DuckDBConnection,
  from: string,
  path: string,
  layout: ParquetLayout,
  tableRows: number,
): Promise<void> {
  if (layout.id === undefined) return;
  const name = sqlName(layout.id);
  const [least, most, missing] = await oneRow(
    connection,
    `SELECT CAST(MIN(${name}) AS VARCHAR), CAST(MAX(${name}) AS VARCHAR), COUNT(*) - COUNT(${name}) FROM ${from}`,
  );
  if (asNumber(missing) > 0) await requireGoodRows(connection, path, layout);
  for (const value of [least, most]) {
    if (typeof value !== "string" || (BigInt(value) >= 0n && BigInt(value) < BigInt(tableRows))) continue;
    const message = `column "${layout.id}": expected row ids from 0 to ${tableRows - 1}, received ${value}; correct the table's rows or the file`;
    throw new InputError(message, path);
  }
}

function isCount(value: DuckDBValue | undefined): boolean {
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function refuseRows(path: string, tableRows: number, received: number): never {
  const message = `expected at most ${tableRows} rows, the table's, received ${received}; correct one of both`;
  throw new InputError(message, path);
}
