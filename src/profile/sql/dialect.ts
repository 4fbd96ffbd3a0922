/** Where databases differ in what the aggregation needs. */
export interface Dialect {
  /** A name in quotes. */
  readonly name: (name: string) => string;
  /** A text, such as a regular expression, as a literal. */
  readonly literal: (text: string) => string;
  /** A value as text. */
  readonly text: (value: string) => string;
  /** All matches of a regular expression in a text, as an array. */
  readonly matches: (text: string, pattern: string) => string;
  /** What follows a table in FROM so that there is a row for each entry of an array. */
  readonly entries: (array: string, entry: string) => string;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
/** Where literals have escapes, quotes among them. */
const escaped = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const text = (value: string): string => `CAST(${value} AS VARCHAR)`;
const unnested = (array: string, entry: string): string => `CROSS JOIN UNNEST(${array}) AS entries(${entry})`;

export const DIALECTS = {
  duckdb: {
    name: quoted,
    literal,
    text,
    matches: (text, pattern) => `REGEXP_EXTRACT_ALL(${text}, ${pattern})`,
    entries: unnested,
  },
  spark: {
    name: (name) => `\`${name.replaceAll("`", "``")}\``,
    literal: escaped,
    text: (value) => `CAST(${value} AS STRING)`,
    matches: (text, pattern) => `REGEXP_EXTRACT_ALL(${text}, ${pattern}, 0)`,
    entries: (array, entry) => `LATERAL VIEW EXPLODE(${array}) entries AS ${entry}`,
  },
  trino: {
    name: quoted,
    literal,
    text,
    matches: (text, pattern) => `REGEXP_EXTRACT_ALL(${text}, ${pattern})`,
    entries: unnested,
  },
  postgres: {
    name: quoted,
    literal,
    text,
    // A group around all of it, so that its only element is the whole match.
    matches: (text, pattern) =>
      `ARRAY(SELECT found[1] FROM REGEXP_MATCHES(${text}, '(' || ${pattern} || ')', 'g') AS found)`,
    entries: unnested,
  },
  clickhouse: {
    name: (name) => `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`,
    literal: escaped,
    text: (value) => `toString(${value})`,
    matches: (text, pattern) => `extractAll(coalesce(${text}, ''), ${pattern})`,
    entries: (array, entry) => `ARRAY JOIN ${array} AS ${entry}`,
  },
} as const satisfies Readonly<Record<string, Dialect>>;

export type DialectName = keyof typeof DIALECTS;

/** A name of a table as its parts between dots, each quoted. */
export function tableName(dialect: Dialect, table: string): string {
  return table
    .split(".")
    .map((part) => dialect.name(part))
    .join(".");
}
