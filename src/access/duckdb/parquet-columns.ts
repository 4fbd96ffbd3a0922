import type { DuckDBConnection } from "@duckdb/node-api";
import { literalPath } from "./open.js";

/** DuckDB's names of types. */
export const INTEGER = /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/;
export const NUMERIC = /^(FLOAT|DOUBLE|DECIMAL\(.*\))$/;

/** Digits of the widest decimals that DuckDB has. */
const MAX_DIGITS = 38;

/** The type of a column that holds wider decimals, in lists or alone: DuckDB takes them for doubles, and reads 117440512 for 7. */
export const WIDE_DECIMAL = `DECIMAL of more than ${MAX_DIGITS} digits`;

/** The columns of what stands behind FROM and reads some Parquet files, each with DuckDB's type or {@link WIDE_DECIMAL}. */
export async function parquetColumns(
  connection: DuckDBConnection,
  from: string,
  files: readonly string[],
): Promise<{ readonly name: string; readonly type: string }[]> {
  const described = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${from}`)).getRows();
  const paths = files.map(literalPath).join(", ");
  const schema = await connection.runAndReadAll(`SELECT name, num_children, precision FROM parquet_schema([${paths}])`);
  const wide = columnsOfWideDecimals(schema.getRows());
  return described.map(([name, type]) => ({
    name: String(name),
    type: wide.has(String(name)) ? WIDE_DECIMAL : String(type),
  }));
}

/** The elements of files' schemas, each before those within it, and a file's root before all of it. */
function columnsOfWideDecimals(elements: readonly (readonly unknown[])[]): ReadonlySet<string> {
  const wide = new Set<string>();
  /** How many are left within each of those that this one is within, from the root on. */
  let left: number[] = [];
  let column = "";
  for (const [name, children, precision] of elements) {
    while (left.at(-1) === 0) left.pop();
    const within = Number(children ?? 0);
    if (left.length === 0) {
      left = [within];
      continue;
    }
    if (left.length === 1) column = String(name);
    left.push((left.pop() as number) - 1);
    if (Number(precision ?? 0) > MAX_DIGITS) wide.add(column);
    if (within > 0) left.push(within);
  }
  return wide;
}
