import { DIALECTS, type Dialect, type DialectName, tableName } from "./dialect.js";

/** A row id in a list that is written as text: in quotes of either kind, or up to a separator. */
const ENTRY = `"[^"]*"|'[^']*'|[^\\[\\]\\s|;,"']+`;

/** What the aggregation reads. */
export interface AggregateSource {
  /** What stands behind FROM: a table, quoted, or a query in brackets with a name. */
  readonly from: string;
  /** The column of row ids, or of lists. */
  readonly row: string;
  /** `array` is a column of that type, `text` a list that is written out. */
  readonly list?: "array" | "text";
  readonly weight?: string;
}

/**
 * The accesses of every row: the columns `row_id` and `accesses`. This one text serves every dialect; `profile` runs it
 * on DuckDB itself, and a cluster that has run it hands its result to `profile --from-aggregate`.
 */
export function aggregateSql({ from, row, list, weight }: AggregateSource, dialectName: DialectName): string {
  const dialect: Dialect = DIALECTS[dialectName];
  const accesses = weight === undefined ? "1" : dialect.name(weight);
  const rowId = dialect.name(row);
  const ofLists = {
    array: { entry: "entry", lists: from, list: rowId },
    text: {
      entry: `TRIM(BOTH ${dialect.pattern(`"'`)} FROM entry)`,
      // Cut in a query of its own: some databases would cut a list again for each of its entries.
      lists: `(SELECT ${dialect.matches(rowId, dialect.pattern(ENTRY))} AS ids FROM ${from}) AS lists`,
      list: "ids",
    },
  };
  const { entry, lists, list: array } = ofLists[list ?? "array"];
  return `SELECT row_id, CAST(SUM(accesses) AS BIGINT) AS accesses
FROM (
  SELECT ${list === undefined ? rowId : entry} AS row_id, ${accesses} AS accesses
  FROM ${list === undefined ? from : `${lists}\n  ${dialect.entries(array, "entry")}`}
) AS accesses_of_rows
GROUP BY row_id`;
}

/** How many samples there are. */
export function samplesSql({ from, sample }: { from: string; sample?: string }, dialectName: DialectName): string {
  const column = sample === undefined ? "*" : `DISTINCT ${DIALECTS[dialectName].name(sample)}`;
  return `SELECT COUNT(${column}) AS samples FROM ${from}`;
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

/**
 * The aggregation for a table of a database, with the query for `--samples` in a comment: the text is one statement.
 */
export function printedSql({ dialect, table, row, list, sample, weight }: PrintedSqlOptions): string {
  const from = tableName(DIALECTS[dialect], table);
  const samples =
    list === undefined && sample === undefined
      ? "-- Samples, for --samples: known to whoever wrote the log."
      : `-- Samples, for --samples: ${samplesSql({ from, ...(sample === undefined ? {} : { sample }) }, dialect)}`;
  const source = { from, row, ...(list === undefined ? {} : { list }), ...(weight === undefined ? {} : { weight }) };
  return `-- Accesses per row. Write the result as Parquet or CSV, then: shardproof profile --from-aggregate FILE --samples N
${samples}
${aggregateSql(source, dialect)};
`;
}
