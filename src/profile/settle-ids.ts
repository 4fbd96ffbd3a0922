import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../access/duckdb/open.js";
import { asNumber, oneRow } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";
import { INTEGER_PATTERN, isInteger } from "./ids.js";
import type { Log, ProfileOptions } from "./options.js";

/**
 * Makes `row_id` of the table `accesses_per_row` what it is to be: integers that are written as text become integers, and
 * two ways to write one are one row. Texts stay as they are, blanks included, as in the SQL that is printed. What is to be
 * skipped is left out. Returns whether ids are integers.
 *
 * Throws `InputError` for an id that is missing, or no integer where all must be.
 */
export async function settleIds(
  connection: DuckDBConnection,
  log: Log,
  options: ProfileOptions,
  column?: string,
): Promise<boolean> {
  await requireAll(connection, log, options, column);
  const areIntegers = await settled(connection, log);
  await leaveOut(connection, areIntegers, options, column);
  return areIntegers;
}

/** Throws `InputError` where an id is missing, but for what is to be skipped. */
export async function requireAll(
  connection: DuckDBConnection,
  log: Log,
  options: ProfileOptions,
  column?: string,
): Promise<void> {
  // What is missing within lists is skipped before it is looked for.
  if (skippedIn(options, column).includes(MISSING)) {
    await connection.run("DELETE FROM accesses_per_row WHERE row_id IS NULL");
  }
  const [missing] = await oneRow(connection, "SELECT COUNT(*) FROM accesses_per_row WHERE row_id IS NULL");
  if (asNumber(missing) > 0) await refuse(log, "a row id");
}

/** How {@link ProfileOptions.skip} says a missing entry. */
const MISSING = "null";

/** The ids of a column that are to be skipped; of a log of one column, all. */
function skippedIn({ skip = [] }: ProfileOptions, column: string | undefined): string[] {
  return skip.flatMap((asked) => {
    const at = asked.indexOf("=");
    if (column === undefined || at === -1) return [asked];
    return asked.slice(0, at) === column ? [asked.slice(at + 1)] : [];
  });
}

/** Throws `InputError` where an id is to be skipped in a column that is not counted: it would stay in another without a word. */
export function requireSkipped({ skip = [] }: ProfileOptions, columns: readonly string[]): void {
  for (const asked of skip) {
    const at = asked.indexOf("=");
    const column = asked.slice(0, at);
    if (at === -1 || columns.includes(column)) continue;
    const advice = didYouMean(column, columns) ?? "say COLUMN=ID, or the ID alone for all";
    throw new InputError(
      `--skip ${asked}: expected one of the columns ${columns.join(", ")} before =, received ${column}; ${advice}`,
    );
  }
}

/** Leaves the ids that are to be skipped out of the table `accesses_per_row`, and says where there is none of them. */
export async function leaveOut(
  connection: DuckDBConnection,
  areIntegers: boolean,
  options: ProfileOptions,
  column?: string,
): Promise<void> {
  for (const id of skippedIn(options, column)) {
    const text = "CAST(row_id AS VARCHAR)";
    const isNumber = areIntegers && isInteger(id);
    const isSame = isNumber
      ? `CAST(trim(${text}) AS HUGEINT) = ${BigInt(id.trim().replace("+", ""))}`
      : `${text} = ${sqlText(id)}${id === MISSING ? " OR row_id IS NULL" : ""}`;
    const { rowsChanged } = await connection.run(`DELETE FROM accesses_per_row WHERE ${isSame}`);
    if (rowsChanged > 0 || id === MISSING) continue;
    options.onNote?.(`--skip ${id}: ${column === undefined ? "the log" : `column "${column}"`} has no such id`);
  }
}

/** Whether the ids are integers now. */
async function settled(connection: DuckDBConnection, log: Log): Promise<boolean> {
  if (log.ids === "native") return true;
  const [missing, others] = await oneRow(
    connection,
    `SELECT COUNT(*) FILTER (WHERE trim(id) = ''),
       COUNT(*) FILTER (WHERE NOT regexp_full_match(trim(id), '${INTEGER_PATTERN}'))
     FROM (SELECT CAST(row_id AS VARCHAR) AS id FROM accesses_per_row) AS ids`,
  );
  const areNot = asNumber(others) > 0;
  if (asNumber(missing) > 0) await refuse(log, "a row id");
  if (log.ids === "integers" && areNot) await refuse(log, "an integer");
  const areIntegers = log.ids === "integers" || (log.ids === "either" && !areNot);
  if (!areIntegers) return false;
  const id = "CAST(trim(row_id) AS HUGEINT)";
  await connection.run(`CREATE TABLE settled AS
    SELECT ${id} AS row_id, CAST(SUM(accesses) AS BIGINT) AS accesses FROM accesses_per_row GROUP BY ${id}`);
  await connection.run("DROP TABLE accesses_per_row");
  await connection.run("ALTER TABLE settled RENAME TO accesses_per_row");
  return true;
}

/** Throws with the place, which takes another reading. */
async function refuse(log: Log, expected: string): Promise<never> {
  await log.findFault();
  throw new InputError(`expected ${expected} everywhere, received another; correct the log`, log.files[0]);
}
