import { csvLines } from "../text/csv.js";
import type { Row } from "./row.js";

/** A column of a study's table: its name, DuckDB's type of it, and what a row has there. */
interface Column {
  readonly name: string;
  readonly type: "VARCHAR" | "DOUBLE" | "BIGINT" | "BOOLEAN";
  readonly of: (row: Row) => string | number | boolean | null;
}

/** The table of a study's results: nothing in it depends on the clock, so that every run of a job has the same one. */
export function resultColumns(rows: readonly Row[]): readonly Column[] {
  const varied = [...new Set(rows.flatMap(({ line }) => Object.keys(line.vary)))];
  return [
    { name: "line", type: "BIGINT", of: ({ number }) => number },
    { name: "instance", type: "VARCHAR", of: ({ line }) => line.instance.name },
    { name: "problem", type: "VARCHAR", of: ({ line }) => line.instance.problem },
    { name: "file", type: "VARCHAR", of: ({ line }) => line.instance.file },
    ...varied.map((key): Column => ({ name: key, type: "VARCHAR", of: ({ line }) => variedText(line.vary[key]) })),
    { name: "method", type: "VARCHAR", of: ({ line }) => line.method },
    { name: "askedGap", type: "DOUBLE", of: ({ line }) => line.gap ?? null },
    { name: "seed", type: "BIGINT", of: ({ line }) => line.seed },
    { name: "status", type: "VARCHAR", of: ({ status }) => status },
    { name: "value", type: "DOUBLE", of: ({ value }) => value },
    { name: "bound", type: "DOUBLE", of: ({ bound }) => bound },
    { name: "provedBound", type: "DOUBLE", of: ({ provedBound }) => provedBound },
    { name: "aboveBound", type: "DOUBLE", of: ({ above }) => above },
    { name: "verified", type: "BOOLEAN", of: ({ verified }) => verified },
    { name: "stopped", type: "BOOLEAN", of: ({ stopped }) => stopped },
    { name: "reason", type: "VARCHAR", of: ({ reason }) => reason || null },
  ];
}

/** The seconds of every line, in a table of their own. */
export const TIME_COLUMNS: readonly Column[] = [
  { name: "line", type: "BIGINT", of: ({ number }) => number },
  { name: "method", type: "VARCHAR", of: ({ line }) => line.method },
  { name: "solveSeconds", type: "DOUBLE", of: ({ seconds }) => seconds?.solve ?? null },
  { name: "proveSeconds", type: "DOUBLE", of: ({ seconds }) => seconds?.prove ?? null },
];

/** The rows as CSV. */
export function csvText(rows: readonly Row[], columns: readonly Column[]): string {
  return csvLines([columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ of }) => of(row)))]);
}

/** A varied key's value: a text as it is, everything else as JSON. */
export function variedText(value: unknown): string | null {
  return value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);
}
