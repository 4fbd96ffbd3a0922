import { OF_SAMPLES } from "../options.js";
import { DIALECTS, type Dialect, type DialectName, tableName } from "./dialect.js";

/** A row id in a list that is written as text: in quotes of either kind, or up to a separator. */
export const ENTRY = `"[^"]*"|'[^']*'|[^\\[\\]\\s|;,"']+`;

/** What the aggregation reads. */
export interface AggregateSource {
  /** What stands behind FROM: a table, quoted, or a query in brackets with a name. */
  readonly from: string;
  /** The column of row ids, or of lists. */
  readonly row: string;
  /** `array` is a column of that type, `text` a list that is written out. */
  readonly list?: "array" | "text" | undefined;
  readonly weight?: string | undefined;
  /** Whether what is missing is left out; otherwise it is a row without an id, for the caller to find. */
  readonly skipsMissing?: boolean;
}

/**
 * The accesses of every row: the columns `row_id` and `accesses`. This one text serves every dialect; `profile` runs it
 * on DuckDB itself, and a cluster that has run it hands its result to `profile count --from-aggregate`.
 */
export function aggregateSql(
  { from, row, list, weight, skipsMissing }: AggregateSource,
  dialectName: DialectName,
): string {
  const dialect: Dialect = DIALECTS[dialectName];
  const accesses = weight === undefined ? "1" : dialect.name(weight);
  const rowId = dialect.name(row);
  const ofLists = {
    array: { entry: "entry", lists: from, list: rowId },
    text: {
      entry: `TRIM(BOTH ${dialect.literal(`"'`)} FROM entry)`,
      // Cut in a query of its own: some databases would cut a list again for each of its entries.
      lists: `(SELECT ${dialect.matches(rowId, dialect.literal(ENTRY))} AS ids FROM ${from}) AS lists`,
      list: "ids",
    },
  };
  const { entry, lists, list: array } = ofLists[list ?? "array"];
  return `SELECT row_id, CAST(SUM(accesses) AS BIGINT) AS accesses
FROM (
  SELECT ${list === undefined ? rowId : entry} AS row_id, ${accesses} AS accesses
  FROM ${list === undefined ? from : `${lists}\n  ${dialect.entries(array, "entry")}`}
) AS accesses_of_rows
${skipsMissing === true ? "WHERE row_id IS NOT NULL\n" : ""}GROUP BY row_id`;
}

/** How many samples there are: lines, or the distinct values of a column. */
function samplesOf(sample: string | undefined, { name }: Dialect): string {
  return `COUNT(${sample === undefined ? "*" : `DISTINCT ${name(sample)}`})`;
}

/**
 * The accesses of every row of several columns, and the number of samples as the accesses of the column `*`: what
 * `profile merge` adds up. A line without a value has no access of that column. Samples are lines, or the distinct values
 * of a column.
 */
function columnsSql(
  { from, columns, sample, weight }: { from: string; columns: readonly string[]; sample?: string; weight?: string },
  dialectName: DialectName,
): string {
  const dialect: Dialect = DIALECTS[dialectName];
  const parts = columns.map((column) => {
    const source = { from, row: column, skipsMissing: true, weight };
    return `SELECT ${dialect.literal(column)} AS column_name, ${dialect.text("row_id")} AS row_id, accesses
FROM (
${aggregateSql(source, dialectName)}
) AS accesses_of_column`;
  });
  const all = `SELECT '${OF_SAMPLES}' AS column_name, '' AS row_id, CAST(${samplesOf(sample, dialect)} AS BIGINT) AS accesses FROM ${from}`;
  return [all, ...parts].join("\nUNION ALL\n");
}

export interface PrintedSqlOptions {
  readonly dialect: DialectName;
  /** The table or view of accesses, its parts between dots. */
  readonly table: string;
  readonly row: string;
  readonly list?: "array" | "text";
  readonly sample?: string;
  readonly weight?: string;
}

/** The aggregation of several columns of a table of a database. */
export function printedColumnsSql(
  options: Pick<PrintedSqlOptions, "dialect" | "table" | "sample" | "weight"> & { readonly columns: readonly string[] },
): string {
  const { dialect, table, ...source } = options;
  const from = tableName(DIALECTS[dialect], table);
  return `-- Accesses per row of each column, and the samples (${OF_SAMPLES}). Write the result, or that of every part of the log, as Parquet or as
-- CSV with a header, then: shardproof profile merge FILE… (--samples N where samples have lines in several parts)
${columnsSql({ from, ...source }, dialect)};
`;
}

/**
 * The aggregation for a table of a database, with the query for `--samples` in a comment: the text is one statement.
 */
export function printedSql({ dialect, table, row, list, sample, weight }: PrintedSqlOptions): string {
  const from = tableName(DIALECTS[dialect], table);
  const samples =
    list === undefined && sample === undefined
      ? "-- Samples, for --samples: known to whoever wrote the log."
      : `-- Samples, for --samples: SELECT ${samplesOf(sample, DIALECTS[dialect])} AS samples FROM ${from}`;
  return `-- Accesses per row. Write the result as Parquet or CSV, then: shardproof profile count --from-aggregate FILE --samples N
${samples}
${aggregateSql({ from, row, list, weight, skipsMissing: true }, dialect)};
`;
}
