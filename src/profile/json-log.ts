import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, literalPath, sqlName, sqlText } from "../access/duckdb/open.js";
import { InputError } from "../errors/input-error.js";
import { copiedLog } from "./copied-log.js";
import type { ProfileOptions } from "./options.js";
import type { LogFile } from "./raw-lines.js";
import { isNoFault } from "./session.js";

/** What the values of a column are, by questions to DuckDB. */
const QUESTIONS = {
  hasLists: (column: string) => `json_type(${column}) = 'ARRAY'`,
  hasListsOfLists: (column: string) => `list_contains(${typesOf(entriesOf(column))}, 'ARRAY')`,
  hasObjects: (column: string) =>
    `json_type(${column}) = 'OBJECT' OR list_contains(${typesOf(entriesOf(column))}, 'OBJECT') OR list_has_any(${typesOf(innerOf(column))}, ['OBJECT', 'ARRAY'])`,
  hasTruths: (column: string) => `json_type(${column}) = 'BOOLEAN'`,
  hasTexts: (column: string) => hasAny(column, (value) => `json_type(${value}) = 'VARCHAR'`),
  hasIntegers: (column: string) => isIntegerSql(column),
  hasFractions: (column: string) =>
    hasAny(column, (value) => `json_type(${value}) = 'DOUBLE' AND NOT ${isIntegerSql(value)}`),
} as const;

type Question = keyof typeof QUESTIONS;
type Found = Readonly<Record<Question, boolean>>;

const KEYS = Object.keys(QUESTIONS) as Question[];

/** The entries of a list, and those of the lists in it. */
function entriesOf(column: string): string {
  return `json_extract(${column}, '$[*]')`;
}

function innerOf(column: string): string {
  return `json_extract(${column}, '$[*][*]')`;
}

function typesOf(values: string): string {
  return `list_transform(${values}, lambda entry: json_type(entry))`;
}

/** Whether it holds of a value, of an entry of it, or of one of a list in it. */
function hasAny(column: string, condition: (value: string) => string): string {
  const among = (values: string) => `len(list_filter(${values}, lambda entry: ${condition("entry")})) > 0`;
  return `(${condition(column)}) OR ${among(entriesOf(column))} OR ${among(innerOf(column))}`;
}

/** As it is written: beyond 64 bits DuckDB calls integers doubles. */
function isIntegerSql(column: string): string {
  return `(json_type(${column}) IN ('UBIGINT', 'BIGINT', 'DOUBLE') AND regexp_full_match(${column}->>'$', '-?[0-9]+'))`;
}

/**
 * JSON files, an object a line or an array of objects, copied into `folder` as Parquet. Values are taken as they are
 * written, not as a sniffer would type them: integers of any size and texts are texts, numbers with a point among numbers
 * doubles, arrays lists of texts. Throws `InputError` for a file that is no such JSON.
 */
export async function jsonAsParquet(
  connection: DuckDBConnection,
  names: readonly string[],
  _options: ProfileOptions,
  folder: string,
): Promise<readonly LogFile[]> {
  const columns = new Map<string, Found>();
  for (const name of names) {
    for (const [column, found] of await columnsOf(connection, name)) {
      const before = columns.get(column);
      columns.set(column, before === undefined ? found : merged(before, found));
    }
  }
  if (columns.size === 0) throw new InputError("expected JSON objects with columns, received none", names[0]);
  const types = [...columns.keys()].map((column) => `${sqlText(column)}: 'JSON'`).join(", ");
  const selected = [...columns].map(([column, found]) => `${valueSql(sqlName(column), found)} AS ${sqlName(column)}`);
  return copiedLog(connection, names, folder, async (name, path) => {
    const read = `read_json(${literalPath(name)}, columns = {${types}}, hive_partitioning = false)`;
    await connection
      .run(`COPY (SELECT ${selected.join(", ")} FROM ${read}) TO ${sqlText(path)} (FORMAT parquet)`)
      .catch((error: unknown) => refuse(error, name));
  });
}

/** Every column of a file, and the types of its values. */
async function columnsOf(connection: DuckDBConnection, name: string): Promise<readonly [string, Found][]> {
  try {
    const read = `read_json(${literalPath(name)}, maximum_depth = 1, sample_size = -1, hive_partitioning = false)`;
    const described = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${read}`)).getRows();
    const columns = described.map(([column]) => String(column));
    const asked = columns.flatMap((column) =>
      KEYS.map((key) => `coalesce(bool_or(${QUESTIONS[key](sqlName(column))}), false)`),
    );
    const [answers = []] = (await connection.runAndReadAll(`SELECT ${asked.join(", ")} FROM ${read}`)).getRows();
    return columns.map((column, c) => {
      const own = KEYS.map((key, k) => [key, answers[c * KEYS.length + k] === true] as const);
      return [column, Object.fromEntries(own) as Found];
    });
  } catch (error) {
    return refuse(error, name);
  }
}

function merged(one: Found, other: Found): Found {
  return Object.fromEntries(KEYS.map((key) => [key, one[key] || other[key]])) as Found;
}

/** Objects stay what they are, so that it is said that they hold no ids. */
function valueSql(column: string, found: Found): string {
  const { hasLists, hasListsOfLists, hasObjects, hasTruths, hasTexts, hasIntegers, hasFractions } = found;
  const text = `${column}->>'$'`;
  if (hasObjects) return column;
  const areNumbers = hasFractions && !hasTexts && !hasTruths;
  if (hasLists) {
    // Lists of lists may stand beside plain ones, in other lines or in one.
    const entries = hasListsOfLists
      ? `list_concat(list_filter(${entriesOf(column)}, lambda entry: json_type(entry) <> 'ARRAY'), ${innerOf(column)})`
      : entriesOf(column);
    const list = `list_transform(${entries}, lambda entry: entry->>'$')`;
    const lists = `CASE json_type(${column}) WHEN 'ARRAY' THEN ${list} ELSE CASE WHEN ${text} IS NOT NULL THEN [${text}] END END`;
    return areNumbers ? `CAST(${lists} AS DOUBLE[])` : lists;
  }
  if (hasTruths && !hasTexts && !hasIntegers && !hasFractions) return `CAST(${column} AS BOOLEAN)`;
  return areNumbers ? `CAST(${column} AS DOUBLE)` : text;
}

function refuse(error: unknown, name: string): never {
  if (isNoFault(error)) throw error;
  throw new InputError(`expected a JSON object a line, or an array of them, received ${duckDbMessage(error)}`, name);
}
