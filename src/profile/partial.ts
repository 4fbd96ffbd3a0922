import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../duckdb/open.js";
import { copyTo } from "./count.js";
import { type Counted, OF_SAMPLES } from "./counted.js";
import type { Log } from "./opened-log.js";

/** Columns of partial counts: what they are of, in words of {@link ProfileOptions}. */
export const PARTIAL = { table: "column_name", row: "row_id", weight: "accesses" } as const;

/** Writes each column's accesses per row, and the samples. */
export async function writePartialFile(
  connection: DuckDBConnection,
  { columns, samples }: Counted,
  file: string,
  aggregateInto: (name: string, log: Log) => Promise<void>,
): Promise<void> {
  await connection.run(
    `CREATE TABLE partial AS SELECT '${OF_SAMPLES}' AS column_name, '' AS row_id, CAST(${samples} AS BIGINT) AS accesses`,
  );
  for (const { name, log } of columns) {
    await aggregateInto(name, log);
    await connection.run(`INSERT INTO partial
      SELECT ${sqlText(name)}, CAST(row_id AS VARCHAR), accesses FROM accesses_per_row`);
    await connection.run("DROP TABLE accesses_per_row");
  }
  await copyTo(connection, "SELECT * FROM partial", file, "(FORMAT parquet");
}
