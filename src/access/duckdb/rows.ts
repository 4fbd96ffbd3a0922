import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";

/**
 * The rows of a query's result, a chunk at a time; the result is never whole in memory. 64-bit integers are bigint.
 * Rows are arrays in the order of the query's columns.
 */
export async function* streamRows(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBValue[][]> {
  const result = await connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    yield chunk.getRows();
  }
}

/** The same by columns: a list of each column's values per chunk. */
export async function* streamColumns(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBValue[][]> {
  const result = await connection.stream(sql);
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    yield chunk.getColumns();
  }
}

/** The only row of a query's result. */
export async function oneRow(connection: DuckDBConnection, sql: string): Promise<DuckDBValue[]> {
  const [row] = (await connection.runAndReadAll(sql)).getRows();
  if (row === undefined) throw new Error(`no row came of ${sql}`);
  return row;
}

/** An integer of a result, whatever its width. */
export function asNumber(value: DuckDBValue | undefined): number {
  return Number(value);
}
