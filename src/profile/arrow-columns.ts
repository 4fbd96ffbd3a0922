import type { DuckDBValue } from "@duckdb/node-api";
import type { Data, DataType, Decimal, Field, Time, Timestamp, Vector } from "apache-arrow";
import { sqlName } from "../access/duckdb/open.js";

/** The packages that are loaded for Arrow files alone. */
export interface Packages {
  readonly arrow: typeof import("apache-arrow");
  readonly duckdb: typeof import("@duckdb/node-api");
}

/** How values of a type come into DuckDB. */
export interface Reading {
  /** DuckDB's type of the column to which they are appended. */
  readonly stored: string;
  /** SQL for what a Parquet file has in such a column. */
  readonly sql: (column: string) => string;
  /** The value of each place, `null` where it is missing. */
  readonly values: (data: Data) => (place: number) => DuckDBValue;
  /** Whether they lie in memory as DuckDB has them. */
  readonly isFlat: boolean;
}

/** What two libraries write of types that Arrow has as extensions of others. */
const EXTENSIONS: Readonly<Record<string, (column: string) => string>> = {
  "arrow.uuid": (column) => `CAST(lower(hex(${column})) AS UUID)`,
  "arrow.json": (column) => `CAST(decode(${column}) AS JSON)`,
};

const INTEGERS: Readonly<Record<number, string>> = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" };

/** Digits of DuckDB's widest decimals. */
const MAX_DIGITS = 38;

/** Undefined for a type that Parquet has not. */
export function readingOfField(packages: Packages, { type, metadata }: Field): Reading | undefined {
  const reading = readingOf(packages, type);
  const sql = EXTENSIONS[metadata.get("ARROW:extension:name") ?? ""];
  return reading !== undefined && sql !== undefined ? { ...reading, sql } : reading;
}

/** The type that DuckDB reads from a Parquet file with such a column is that of `sql`. */
function readingOf(packages: Packages, type: DataType): Reading | undefined {
  const { Binary, BinaryView, DataType: Is, LargeBinary, Precision, Vector: Values } = packages.arrow;
  const read = (data: Data) => {
    const vector = new Values([data]);
    return (place: number) => vector.get(place);
  };
  const bytes = (sql: Reading["sql"], as?: DataType) =>
    boxed("BLOB", sql, (data) => {
      const value = read(as === undefined ? data : data.clone(as));
      return (place) => packages.duckdb.blobValue(value(place));
    });
  // DuckDB looks at the bytes: what is no UTF-8 must not become one text.
  const text = (as: DataType) => bytes((column) => `decode(${column})`, as);
  if (Is.isNull(type)) return { stored: "TINYINT", sql: () => "NULL", values: () => () => null, isFlat: false };
  if (Is.isInt(type) && INTEGERS[type.bitWidth] !== undefined)
    return flat(`${type.isSigned ? "" : "U"}${INTEGERS[type.bitWidth]}`);
  if (Is.isFloat(type)) {
    if (type.precision === Precision.HALF) return boxed("FLOAT", same, read);
    return flat(type.precision === Precision.SINGLE ? "FLOAT" : "DOUBLE");
  }
  if (Is.isBool(type)) return boxed("BOOLEAN", same, read);
  if (Is.isUtf8(type)) return text(new Binary());
  if (Is.isLargeUtf8(type)) return text(new LargeBinary());
  if (Is.isUtf8View(type)) return text(new BinaryView());
  if (Is.isBinary(type) || Is.isLargeBinary(type) || Is.isBinaryView(type) || Is.isFixedSizeBinary(type)) {
    return bytes(same);
  }
  if (Is.isDecimal(type)) return decimals(packages, type);
  // As whole numbers, which Parquet has of durations too.
  if (Is.isDuration(type)) return flat("BIGINT");
  if (Is.isDate(type)) {
    const isDays = type.unit === packages.arrow.DateUnit.DAY;
    return flat(isDays ? "INTEGER" : "BIGINT", (column) =>
      isDays ? `make_date(${column})` : `make_date(CAST(${column} // 86400000 AS INTEGER))`,
    );
  }
  if (Is.isTime(type)) return flat(INTEGERS[type.bitWidth] as string, timeSql(packages, type));
  if (Is.isTimestamp(type)) return flat("BIGINT", timestampSql(packages, type));
  if (Is.isDictionary(type)) return dictionary(packages, type.dictionary);
  if (Is.isStruct(type)) return structure(packages, type.children);
  if (Is.isList(type) || Is.isLargeList(type) || Is.isFixedSizeList(type)) return list(packages, type);
  if (!Is.isMap(type)) return undefined;
  const entries = list(packages, type);
  return entries && { ...entries, sql: (column) => `map_from_entries(${entries.sql(column)})` };
}

function same(column: string): string {
  return column;
}

/** Numbers, and what is stored as numbers. */
function flat(stored: string, sql: Reading["sql"] = same): Reading {
  return {
    ...boxed(
      stored,
      sql,
      ({ values }) =>
        (place) =>
          values[place],
    ),
    isFlat: true,
  };
}

/** Values that are made one by one; `values` is asked for those alone that are there. */
function boxed(stored: string, sql: Reading["sql"], values: Reading["values"]): Reading {
  const present = (data: Data) => {
    const value = values(data);
    return (place: number) => (data.getValid(place) ? value(place) : null);
  };
  return { stored, sql, values: present, isFlat: false };
}

/** Those of more digits than DuckDB has become the nearest doubles, of which whole ones below 2^53 are ids. */
function decimals({ duckdb }: Packages, { bitWidth, precision, scale }: Decimal): Reading | undefined {
  if (scale < 0 || scale > precision) return undefined;
  const integers = ({ values, stride }: Data) => {
    return (place: number) => {
      let integer = 0n;
      for (let k = stride - 1; k >= 0; k--) integer = (integer << 32n) | BigInt(values[place * stride + k]);
      return BigInt.asIntN(bitWidth, integer);
    };
  };
  const made = (stored: string, value: (integer: bigint) => DuckDBValue) =>
    boxed(stored, same, (data) => {
      const integer = integers(data);
      return (place) => value(integer(place));
    });
  return precision > MAX_DIGITS
    ? made("DOUBLE", (integer) => Number(integer) / 10 ** scale)
    : made(`DECIMAL(${precision}, ${scale})`, (integer) => duckdb.decimalValue(integer, precision, scale));
}

function timeSql({ arrow: { TimeUnit } }: Packages, { unit }: Time): Reading["sql"] {
  if (unit === TimeUnit.NANOSECOND) {
    return (column) => `CAST(strftime(make_timestamp_ns(${column}), '%H:%M:%S.%n') AS TIME_NS)`;
  }
  return (column) => `(TIME '00:00:00' + to_microseconds(CAST(${column} AS BIGINT) * ${1000 ** (2 - unit)}))`;
}

function timestampSql({ arrow: { TimeUnit } }: Packages, { unit, timezone }: Timestamp): Reading["sql"] {
  const isZoned = timezone !== null && timezone !== undefined;
  if (unit === TimeUnit.NANOSECOND) {
    return (column) => (isZoned ? `make_timestamptz(${column} // 1000)` : `make_timestamp_ns(${column})`);
  }
  const make = isZoned ? "make_timestamptz" : "make_timestamp";
  return (column) => `${make}(${column} * ${1000 ** (2 - unit)})`;
}

/** The values that the codes stand for. */
function dictionary(packages: Packages, type: DataType): Reading | undefined {
  const reading = readingOf(packages, type);
  if (reading === undefined) return undefined;
  const known = new WeakMap<Vector, DuckDBValue[]>();
  const valuesOf = (vector: Vector) => {
    const before = known.get(vector);
    if (before !== undefined) return before;
    const values = vector.data.flatMap((data) => {
      requireWhole(packages, data);
      return Array.from({ length: data.length }, (_, place) => place).map(reading.values(data));
    });
    known.set(vector, values);
    return values;
  };
  const values = ({ dictionary, values: codes }: Data) => {
    const meant = valuesOf(dictionary as Vector);
    return (place: number) => {
      const value = meant[Number(codes[place])];
      if (value === undefined) throw new Error(`the code ${codes[place]} of ${meant.length} values in a dictionary`);
      return value;
    };
  };
  return boxed(reading.stored, reading.sql, values);
}

function structure(packages: Packages, fields: readonly Field[]): Reading | undefined {
  const readings = fields.map((field) => readingOf(packages, field.type));
  if (!readings.every((reading) => reading !== undefined)) return undefined;
  // By their place: names may be alike.
  const stored = `STRUCT(${readings.map((reading, k) => `"${k}" ${reading.stored}`).join(", ")})`;
  const values = ({ children }: Data) => {
    const own = readings.map((reading, k) => reading.values(children[k] as Data));
    return (place: number) => packages.duckdb.structValue(Object.fromEntries(own.map((value, k) => [k, value(place)])));
  };
  const sql = (column: string) => {
    const packed = readings.map(
      (reading, k) => `${sqlName(fields[k]?.name ?? "")} := ${reading.sql(`(${column})."${k}"`)}`,
    );
    return `CASE WHEN ${column} IS NOT NULL THEN struct_pack(${packed.join(", ")}) END`;
  };
  return boxed(stored, sql, values);
}

function list(packages: Packages, type: DataType): Reading | undefined {
  const reading = readingOf(packages, (type.children as Field[])[0]?.type as DataType);
  if (reading === undefined) return undefined;
  const values = ({ children: [child], valueOffsets, stride }: Data) => {
    const entry = reading.values(child as Data);
    // Those of a fixed size have no offsets.
    const start = (place: number) => (valueOffsets === undefined ? place * stride : Number(valueOffsets[place]));
    return (place: number) => {
      const entries: DuckDBValue[] = [];
      for (let k = start(place), end = start(place + 1); k < end; k++) entries.push(entry(k));
      return packages.duckdb.listValue(entries);
    };
  };
  const sql = (column: string) =>
    reading.sql === same ? column : `list_transform(${column}, lambda entry: ${reading.sql("entry")})`;
  return boxed(`${reading.stored}[]`, sql, values);
}

/** Throws where a batch has fewer values than it says, or lists that do not follow one another: both would be read as others. */
export function requireWhole(packages: Packages, data: Data): void {
  const { type, length, stride, values, valueOffsets, nullBitmap, nullCount, children } = data;
  const held = Math.min(...(children.length > 0 ? children : [values ?? data]).map((own) => own.length));
  const bits = packages.arrow.DataType.isBool(type) ? 8 : 1;
  const isHeld = valueOffsets === undefined ? length * stride <= held * bits : isRising(valueOffsets, length, held);
  const isMarked = nullCount === 0 || nullBitmap === undefined || nullBitmap.length * 8 >= length;
  if (length > 0 && !(isHeld && isMarked)) throw new Error(`fewer values than it says of ${type}`);
  for (const child of children) requireWhole(packages, child);
}

/** Whether offsets begin and end within what is there, and none is below the one before. */
function isRising(offsets: Int32Array | BigInt64Array, length: number, held: number): boolean {
  if (offsets.length <= length || Number(offsets[0]) < 0 || Number(offsets[length]) > held) return false;
  for (let k = 0; k < length; k++) if ((offsets[k] as number) > (offsets[k + 1] as number)) return false;
  return true;
}
