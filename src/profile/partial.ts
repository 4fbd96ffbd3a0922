import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, parquetSql, sqlText } from "../duckdb/open.js";
import { asNumber, oneRow } from "../duckdb/rows.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { nearestWord } from "../errors/nearest.js";
import { stageFile } from "../files/staged-file.js";
import { type Counted, OF_SAMPLES } from "./counted.js";
import { openLog } from "./log.js";
import type { Log } from "./opened-log.js";
import type { ProfileOptions } from "./options.js";
import { isInterrupt, isOutOfMemory } from "./session.js";

/** Partial counts: what they are of, in the columns `column_name`, `row_id` and `accesses`. */
const PARTIAL = { row: "row_id", sample: "column_name", weight: "accesses" } as const;

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
  const staged = await stageFile(file).catch((error: unknown) => {
    throw fileError(error, file, "a file that can be written");
  });
  try {
    await connection.run(`COPY partial TO ${sqlText(staged.path)} (FORMAT parquet, USE_TMP_FILE false)`);
    await staged.commit();
  } catch (error) {
    staged.abandon();
    if (isInterrupt(error) || isOutOfMemory(error)) throw error;
    throw new InputError(`expected a file that can be written, received ${duckDbMessage(error)}`, file);
  }
}

/** Opens partial counts, as one log of which every column has its rows' accesses. Throws `InputError`. */
export async function openPartials(
  connection: DuckDBConnection,
  patterns: readonly string[],
  asked: readonly string[] | "all",
  { samples: given, ...options }: ProfileOptions,
  folder: string,
): Promise<Counted> {
  // The line of the samples has no row.
  const written = { ...options, ...PARTIAL, ids: "texts", mayBeMissing: true } as const;
  const partials = await openLog(connection, patterns, written, folder);
  const { files } = partials;
  const staged = join(folder, "partials.parquet");
  const copy = (strict: boolean) =>
    connection.run(`COPY (SELECT "sample" AS "column", "row", "weight" FROM ${partials.from(strict)})
      TO ${sqlText(staged)} (FORMAT parquet)`);
  await copy(true).catch(async (error: unknown) => {
    if (isInterrupt(error) || isOutOfMemory(error)) throw error;
    await partials.findFault();
    throw error;
  });
  const read = parquetSql([staged]);
  const [samples] = await oneRow(connection, `SELECT SUM("weight") FROM ${read} WHERE "column" = '${OF_SAMPLES}'`);
  if (given === undefined && !(asNumber(samples ?? 0) > 0)) {
    const message = `expected a line of the column ${OF_SAMPLES}, whose accesses are the samples, received none; say --samples N`;
    throw new InputError(message, files[0]);
  }
  const found = await columnNames(connection, read);
  if (found.length === 0) throw new InputError("expected partial counts, received none of any column", files[0]);
  const columns = asked === "all" ? found : asked;
  for (const name of columns) requireColumn(name, found, files[0] as string);
  return {
    files,
    samples: given ?? asNumber(samples ?? 0),
    columns: columns.map((name) => ({
      name,
      log: {
        ...partials,
        from: () =>
          `(SELECT "row", "weight" FROM ${read} WHERE "column" = ${sqlText(name)} AND trim("row") <> '') AS log`,
        list: undefined,
        hasSample: false,
        ids: options.ids ?? "either",
      },
    })),
  };
}

/** In the order of their numbers, where names differ by one. */
async function columnNames(connection: DuckDBConnection, read: string): Promise<string[]> {
  const rows = await connection.runAndReadAll(
    `SELECT DISTINCT "column" FROM ${read} WHERE "column" <> '${OF_SAMPLES}'`,
  );
  const names = rows.getRows().map(([name]) => String(name));
  return names.sort(new Intl.Collator("en", { numeric: true }).compare);
}

function requireColumn(name: string, found: readonly string[], file: string): void {
  if (found.includes(name)) return;
  const nearest = nearestWord(name, found);
  const advice = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  throw new InputError(
    `--columns: expected some of the counted columns ${found.join(", ")}, received ${name}${advice}`,
    file,
  );
}
