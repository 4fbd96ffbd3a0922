import type { DuckDBConnection } from "@duckdb/node-api";
import { InputError } from "../../errors/input-error.js";
import { INTEGER, NUMERIC, parquetColumns } from "../duckdb/parquet-columns.js";

/** Names of a column of counts that stands beside others, and of a column of row ids beside it. */
export const COUNT_NAMES = ["accesses", "count", "counts", "cnt", "n", "len", "count_star()", "count(*)", "count(1)"];
const ID_NAMES = ["row", "row_id", "rowid", "id"];

/** What the columns of a Parquet file mean. */
export interface ParquetLayout {
  /** Accesses of a row, or of each of `rows` rows. */
  readonly counts: string;
  /** How many rows have the count: the file is a histogram. */
  readonly rows: string | undefined;
  readonly id: string | undefined;
}

/**
 * One column is of counts; `rows` and `accesses_per_row` are a histogram; among others, the counts are the column named
 * count, counts or accesses, and the row ids are the other one of two, or the one named row, row_id, rowid or id.
 *
 * Throws `InputError` for any other columns, and for types that are not numbers (counts) or integers (rows, ids).
 */
export async function parquetLayout(connection: DuckDBConnection, from: string, path: string): Promise<ParquetLayout> {
  const types = new Map((await parquetColumns(connection, from, [path])).map(({ name, type }) => [name, type]));
  const layout = layoutOf([...types.keys()]);
  if (layout === undefined) {
    const columns = [...types.keys()].join(", ");
    const message = `expected one column of counts, or one named ${COUNT_NAMES.join(", ")} beside a row id, or rows and accesses_per_row; received the columns ${columns}`;
    throw new InputError(message, path);
  }
  for (const [column, isWhole] of [
    [layout.counts, false],
    [layout.rows, true],
    [layout.id, true],
  ] as const) {
    const type = column === undefined ? "INTEGER" : (types.get(column) as string);
    if (INTEGER.test(type) || (!isWhole && NUMERIC.test(type))) continue;
    const expected = isWhole ? "integers" : "numbers";
    throw new InputError(`column "${column}": expected ${expected}, received ${type}; convert the column`, path);
  }
  return layout;
}

function layoutOf(columns: readonly string[]): ParquetLayout | undefined {
  const named = (names: readonly string[]) => columns.filter((column) => names.includes(column.toLowerCase()));
  const [rows, counts] = [named(["rows"]), named(["accesses_per_row"])];
  if (columns.length === 2 && rows.length === 1 && counts.length === 1) {
    return { counts: counts[0] as string, rows: rows[0] as string, id: undefined };
  }
  if (columns.length === 1) return { counts: columns[0] as string, rows: undefined, id: undefined };
  const [count, second] = named(COUNT_NAMES);
  if (count === undefined || second !== undefined) return undefined;
  const ids = columns.length === 2 ? columns.filter((column) => column !== count) : named(ID_NAMES);
  return ids.length === 1 ? { counts: count, rows: undefined, id: ids[0] as string } : undefined;
}
