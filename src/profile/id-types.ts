import { sqlName } from "../access/duckdb/open.js";
import { INTEGER } from "../access/duckdb/parquet-columns.js";

const TEXT = /^(VARCHAR|UUID|BLOB|ENUM\(.*\))$/;
const WHOLE_DECIMAL = /^DECIMAL\(\d+,0\)$/;

/** Integers up to these are exact in the type: what a writer makes of integers as soon as one is missing. */
const EXACT_BELOW: Readonly<Record<string, number>> = { DOUBLE: 2 ** 53, FLOAT: 2 ** 24 };

/** How a column's values are read as row ids. */
export interface IdType {
  readonly kind: "integer" | "whole" | "decimal" | "text";
  /** Lists within one another; 0 for a single id. */
  readonly depth: number;
  /** What its values are: fractions and numbers that are not exact end a query of `ids`, missing ones are NULL. */
  readonly ids: (column: string) => string;
  /** SQL for whether a value holds what is no id, or undefined where the type rules that out. */
  readonly isOther?: (column: string) => string;
  /** What is expected of each, for messages. */
  readonly expected: string;
}

/** Undefined for a type that holds no ids: dates, fractions, structures. */
export function idType(type: string): IdType | undefined {
  const [, element, lists] = /^(.*?)((?:\[\d*\])*)$/.exec(type) as unknown as [string, string, string];
  const depth = lists.split("[").length - 1;
  // One list of all that the lists within it hold.
  const flat = (column: string) =>
    "flatten(".repeat(Math.max(0, depth - 1)) + column + ")".repeat(Math.max(0, depth - 1));
  const each = (convert: (value: string) => string) => (column: string) =>
    depth === 0 ? convert(column) : `list_transform(${flat(column)}, lambda entry: ${convert("entry")})`;
  if (INTEGER.test(element)) return { kind: "integer", depth, ids: flat, expected: "a row id" };
  if (WHOLE_DECIMAL.test(element)) {
    return { kind: "decimal", depth, ids: each((value) => `CAST(${value} AS HUGEINT)`), expected: "a row id" };
  }
  if (TEXT.test(element)) {
    const asText = /^(UUID|BLOB)$/.test(element) ? each((value) => `CAST(${value} AS VARCHAR)`) : flat;
    return { kind: "text", depth, ids: asText, expected: "a row id" };
  }
  const below = EXACT_BELOW[element];
  if (below === undefined) return undefined;
  const isWhole = (value: string) => `(${value} = floor(${value}) AND abs(${value}) < ${below})`;
  const isOther = (value: string) => `NOT coalesce(isnan(${value}) OR ${isWhole(value)}, true)`;
  return {
    kind: "whole",
    depth,
    ids: each(
      (value) =>
        `CASE WHEN ${isWhole(value)} THEN CAST(${value} AS BIGINT) WHEN isnan(${value}) THEN NULL WHEN ${value} IS NOT NULL THEN error('no whole id') END`,
    ),
    isOther: (column) =>
      depth === 0 ? isOther(column) : `len(list_filter(${flat(column)}, lambda entry: ${isOther("entry")})) > 0`,
    expected: `a whole row id below ${below}, as ${element} holds it exactly`,
  };
}

/** A column of a relation, and what DuckDB says of its type. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** Names that writers give to columns of their own: pandas' index, in Parquet and in text. */
const INDEX = /^(__index_level_\d+__|Unnamed: \d+|)$/;

/** Why `--columns all` leaves a column out, or undefined where it takes it. */
export function reasonToLeaveOut({ name, type }: Column): string | undefined {
  if (isIndexName(name)) return INDEX_REASON;
  const ids = idType(type);
  if (ids === undefined) return `${type}, which holds no row ids`;
  if (/^FLOAT/.test(type)) return "FLOAT, which is exact for whole numbers below 2^24 alone";
  return undefined;
}

export const INDEX_REASON = "its name is that of an index, which pandas and R write beside the columns";

export function isIndexName(name: string): boolean {
  return INDEX.test(name);
}

/** SQL that is true where every value of a column of doubles is an id or missing, and some value is there. */
export function areIdsSql({ name, type }: Column): string | undefined {
  const isOther = idType(type)?.isOther?.(sqlName(name));
  if (isOther === undefined) return undefined;
  return `coalesce(NOT bool_or(${isOther}), false)`;
}
