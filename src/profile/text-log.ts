import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../duckdb/open.js";
import { type CsvLayout, csvLayout } from "./csv-layout.js";
import { findFault } from "./find-fault.js";
import type { Log } from "./log.js";
import type { ProfileOptions } from "./options.js";
import { LONGEST_LINE, literalPath } from "./raw-lines.js";

/** A log in text files. Their first lines say how they are written; those of the first file count. */
export async function openTextLog(
  connection: DuckDBConnection,
  files: readonly string[],
  options: ProfileOptions,
): Promise<Log> {
  const layout = await csvLayout(connection, files[0] as string, options);
  // Headers that differ would put columns under wrong names; a file alone cannot differ.
  for (const file of files.slice(1)) await requireSameHeader(connection, file, layout);
  const { isList, sample, weight, isInteger } = layout;
  return {
    files,
    from: (strict) => `(${selectOf(files, layout, strict)}) AS log`,
    list: isList ? "text" : undefined,
    hasSample: sample !== undefined,
    hasWeight: weight !== undefined,
    ids: isInteger ? "integers" : "texts",
    findFault: () => findFault(connection, files, layout),
  };
}

function selectOf(files: readonly string[], layout: CsvLayout, strict: boolean): string {
  const { columns, delimiter, isQuoted, hasHeader, row, sample, weight } = layout;
  const names = Array.from({ length: columns }, (_, k) => `'c${k}': 'VARCHAR'`).join(", ");
  const quote = isQuoted ? `'"'` : "''";
  const selected = [`c${row} AS "row"`];
  if (sample !== undefined) selected.push(`c${sample} AS "sample"`);
  // DuckDB's own casts round 2.5; a text that is no whole number must end the query.
  if (weight !== undefined) {
    const whole = `regexp_full_match(c${weight}, ' *[0-9]{1,15} *')`;
    selected.push(`CASE WHEN ${whole} THEN CAST(c${weight} AS BIGINT) ELSE error('no whole number') END AS "weight"`);
  }
  return `SELECT ${selected.join(", ")} FROM read_csv([${files.map(literalPath).join(", ")}], columns = {${names}},
    auto_detect = false, header = ${hasHeader}, delim = ${sqlText(delimiter)}, quote = ${quote}, escape = ${quote},
    strict_mode = ${strict}, max_line_size = ${LONGEST_LINE}, buffer_size = ${LONGEST_LINE * 4})`;
}

async function requireSameHeader(connection: DuckDBConnection, file: string, layout: CsvLayout): Promise<void> {
  if (layout.hasHeader) await findFault(connection, [file], layout, 1);
}
