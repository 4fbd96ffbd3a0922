import { duckDbMessage, openDuckDb, sqlName, sqlText } from "../access/duckdb/open.js";
import { InputError } from "../errors/input-error.js";
import type { resultColumns } from "./table.js";

/**
 * Writes a CSV file of results as Parquet. Throws `InputError` where DuckDB, an optional dependency, is not installed, and
 * where it cannot write.
 */
export async function writeParquet(
  csv: string,
  file: string,
  columns: ReturnType<typeof resultColumns>,
): Promise<void> {
  const db = await openDuckDb("writing Parquet", { threads: 1 });
  const types = columns.map(({ name, type }) => `${sqlText(name)}: ${sqlText(type)}`).join(", ");
  const source = `read_csv(${sqlText(csv)}, header = true, hive_partitioning = false, columns = {${types}}, quote = '"', escape = '"')`;
  try {
    await db.connection.run(
      `COPY (SELECT * FROM ${source} ORDER BY ${sqlName("line")}) TO ${sqlText(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  } catch (error) {
    throw new InputError(`expected a file that DuckDB can write, received its error: ${duckDbMessage(error)}`, file);
  } finally {
    db.close();
  }
}
