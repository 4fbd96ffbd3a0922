import type { DuckDBConnection } from "@duckdb/node-api";

/** DuckDB, which is an optional dependency, or undefined where it is not installed. */
export const duckDb = await import("@duckdb/node-api").catch(() => undefined);

/** Runs work on a database of its own. */
export async function withDuckDb<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  if (duckDb === undefined) throw new Error("DuckDB is not installed");
  const instance = await duckDb.DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
