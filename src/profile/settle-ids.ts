import type { DuckDBConnection } from "@duckdb/node-api";
import { asNumber, oneRow } from "../duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { INTEGER_PATTERN } from "./ids.js";
import type { Log } from "./opened-log.js";

/**
 * Makes `row_id` of the table `accesses_per_row` what it is to be: integers that are written as text become integers, and
 * two ways to write one are one row. Texts stay as they are, blanks included, as in the SQL that is printed.
 *
 * Throws `InputError` for an id that is missing, or no integer where all must be.
 */
export async function settleIds(connection: DuckDBConnection, log: Log): Promise<void> {
  if (log.ids === "native") {
    const [missing] = await oneRow(connection, "SELECT COUNT(*) FROM accesses_per_row WHERE row_id IS NULL");
    if (asNumber(missing) > 0) await refuse(log, "a row id");
    return;
  }
  const [missing, others] = await oneRow(
    connection,
    `SELECT COUNT(*) FILTER (WHERE id IS NULL OR trim(id) = ''),
       COUNT(*) FILTER (WHERE NOT regexp_full_match(trim(id), '${INTEGER_PATTERN}'))
     FROM (SELECT CAST(row_id AS VARCHAR) AS id FROM accesses_per_row) AS ids`,
  );
  const areNot = asNumber(others) > 0;
  if (asNumber(missing) > 0) await refuse(log, "a row id");
  if (log.ids === "integers" && areNot) await refuse(log, "an integer");
  const areIntegers = log.ids === "integers" || (log.ids === "either" && !areNot);
  if (!areIntegers) return;
  const id = "CAST(trim(row_id) AS HUGEINT)";
  await connection.run(`CREATE TABLE settled AS
    SELECT ${id} AS row_id, CAST(SUM(accesses) AS BIGINT) AS accesses FROM accesses_per_row GROUP BY ${id}`);
  await connection.run("DROP TABLE accesses_per_row");
  await connection.run("ALTER TABLE settled RENAME TO accesses_per_row");
}

/** Throws with the place, which takes another reading. */
async function refuse(log: Log, expected: string): Promise<never> {
  await log.findFault();
  throw new InputError(`expected ${expected} everywhere, received another; correct the log`, log.files[0]);
}
