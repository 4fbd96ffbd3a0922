import type { DuckDBConnection, DuckDBVector } from "@duckdb/node-api";

/** Rows of a chunk, DuckDB's own number. */
export const CHUNK_ROWS = 2048;

export type Values = { readonly length: number; readonly [index: number]: number | bigint };

/** At most {@link CHUNK_ROWS} rows, and what writes those of a column into its vector. */
export interface Chunk {
  readonly rows: number;
  readonly fill: (vector: DuckDBVector, column: number) => void;
}

/** A vector whose elements lie in memory as those of an array file do. */
interface FlatVector {
  readonly items: { [index: number]: number | bigint; set(values: Values): void };
}

/** Appends chunks to a table. */
export async function appendChunks(
  connection: DuckDBConnection,
  table: string,
  chunks: AsyncIterable<Chunk>,
): Promise<void> {
  const { DuckDBDataChunk } = await import("@duckdb/node-api");
  const appender = await connection.createAppender(table);
  const types = Array.from({ length: appender.columnCount }, (_, k) => appender.columnType(k));
  for await (const { rows, fill } of chunks) {
    const chunk = DuckDBDataChunk.create(types, rows);
    for (let k = 0; k < types.length; k++) {
      const vector = chunk.getColumnVector(k);
      fill(vector, k);
      vector.flush();
    }
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
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
  await appendChunks(connection, table, chunksOf(width, blocks));
}

async function* chunksOf(width: number, blocks: AsyncIterable<Values>): AsyncGenerator<Chunk> {
  for await (const values of blocks) {
    const rows = values.length / width;
    const fill = (vector: DuckDBVector, column: number) => {
      const { childData } = vector as unknown as { readonly childData?: DuckDBVector };
      if (childData !== undefined || width === 1) setValues(childData ?? vector, values);
      else fillColumn(vector as unknown as FlatVector, values, column, width, rows);
    };
    yield { rows, fill };
  }
}

/** All values of a vector of numbers, of the array type that it has itself. */
export function setValues(vector: DuckDBVector, values: Values): void {
  (vector as unknown as FlatVector).items.set(values);
}

function fillColumn({ items }: FlatVector, values: Values, column: number, width: number, rows: number): void {
  for (let row = 0, at = column; row < rows; row++, at += width) items[row] = values[at] as number | bigint;
}
