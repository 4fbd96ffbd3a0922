import type { DuckDBConnection, DuckDBVector } from "@duckdb/node-api";

/** Rows of a chunk, DuckDB's own number. */
export const CHUNK_ROWS = 2048;

export type Values = { readonly length: number; readonly [index: number]: number | bigint };

/** A vector whose elements lie in memory as those of an array file do. */
interface FlatVector {
  readonly items: { [index: number]: number | bigint; set(values: Values): void };
}

/**
 * Appends an array of so many columns to a table of as many, or of one column of arrays of that length: blocks of whole
 * rows, of {@link CHUNK_ROWS} but for the last one.
 */
export async function appendRows(
  connection: DuckDBConnection,
  table: string,
  width: number,
  blocks: AsyncIterable<Values>,
): Promise<void> {
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const types = Array.from({ length: appender.columnCount }, (_, k) => appender.columnType(k));
  for await (const values of blocks) {
    const rows = values.length / width;
    const chunk = DuckDBDataChunk.create(types, rows);
    for (let k = 0; k < types.length; k++) {
      const vector = chunk.getColumnVector(k);
      if (types.length === 1) flatOf(vector).items.set(values);
      else fill(flatOf(vector), values, k, width, rows);
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
}

function flatOf(vector: DuckDBVector): FlatVector {
  return ((vector as unknown as { childData?: unknown }).childData ?? vector) as FlatVector;
}

function fill({ items }: FlatVector, values: Values, column: number, width: number, rows: number): void {
  for (let row = 0, at = column; row < rows; row++, at += width) items[row] = values[at] as number | bigint;
}
