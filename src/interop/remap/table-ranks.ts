import { createReadStream } from "node:fs";
import { countRanks } from "../../access/counts/count-ranks.js";
import { readRowCounts } from "../../access/counts/counts.js";
import { CHUNK_ROWS, identityRanks, type RankSource, type RowRanks } from "../../access/counts/row-ranks.js";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import type { Access } from "../../instance/access.js";
import { resolveBeside } from "../../instance/load.js";

/** A table whose rows are to be ranked, and the file that the paths of its counts are relative to. */
export interface RankedTable {
  readonly rows: number;
  readonly access: Access | undefined;
  readonly instanceFile: string;
}

/**
 * The order of a table's rows by access: from a rank file where one is given, else from the file of counts that its access is
 * from (falling appearances, equal ones by rising row id, as its classes have it), else row ids are taken to be ranks.
 */
export function tableRanks(
  { rows, access, instanceFile }: RankedTable,
  rankFile: string | undefined,
): { readonly order: RankSource; readonly ranks: RowRanks } {
  if (rankFile !== undefined) return { order: "rank-file", ranks: fileRanks(rankFile, rows) };
  const counts = access?.kind === "histogram" ? access.counts : access;
  if (counts?.kind !== "counts") return { order: "identity", ranks: identityRanks(rows) };
  const path = resolveBeside(instanceFile, counts.file);
  return { order: "counts", ranks: countRanks(() => readRowCounts(path, rows), counts.samples, rows, path) };
}

/** Rows whose ranks are held at once: the file is read once for each such window of row ids. */
const WINDOW_ROWS = 1 << 26;

const LF = 10;
const CR = 13;
const ZERO = 48;
const NINE = 57;

/**
 * Ranks from a file of row ids in falling order of access, one per line, as `shardproof profile --rank-file` writes it.
 * Rows that it does not list come last, by rising row id. Empty lines are skipped.
 *
 * Memory is 4 bytes per row, for at most `windowRows` rows at once (8 in a table of 2³² rows or more); a longer table is
 * read in several passes. Throws `InputError` with the line for anything but a row id of the table, for one that is
 * there twice, for an empty file, and when the file cannot be read.
 */
export async function* fileRanks(file: string, rows: number, windowRows = WINDOW_ROWS): AsyncGenerator<Float64Array> {
  const width = Math.min(windowRows, rows);
  const ranks = rows < 2 ** 32 ? new Uint32Array(width) : new Float64Array(width);
  // No row has the last number as its rank: ranks end below `rows`.
  const none = rows < 2 ** 32 ? 2 ** 32 - 1 : Number.POSITIVE_INFINITY;
  const chunk = new Float64Array(Math.min(CHUNK_ROWS, width));
  let unlisted: number | undefined;
  for (let first = 0; first < rows; first += width) {
    const end = Math.min(rows, first + width);
    ranks.fill(none);
    let rank = 0;
    for await (const { ids, lines } of readIds(file, rows)) {
      for (let k = 0; k < ids.length; k++, rank++) {
        const id = ids[k] as number;
        if (id < first || id >= end) continue;
        if (ranks[id - first] !== none) throw twice(file, id, lines[k] as number);
        ranks[id - first] = rank;
      }
    }
    if (rank === 0) throw new InputError(`expected row ids of up to ${rows} rows, received an empty file`, file);
    unlisted ??= rank;
    for (let start = first; start < end; start += chunk.length) {
      const part = chunk.subarray(0, Math.min(chunk.length, end - start));
      for (let k = 0; k < part.length; k++) {
        const known = ranks[start - first + k] as number;
        part[k] = known === none ? unlisted++ : known;
      }
      yield part;
    }
  }
}

function twice(file: string, id: number, line: number): InputError {
  return new InputError(`expected every row id once, received ${id} again; remove one`, file, { line, column: 1 });
}

/** The row ids of a rank file and the lines that they stand on, in chunks. */
async function* readIds(file: string, rows: number): AsyncGenerator<{ ids: Float64Array; lines: Float64Array }> {
  const ids = new Float64Array(CHUNK_ROWS);
  const lines = new Float64Array(CHUNK_ROWS);
  let held = 0;
  let line = 1;
  let value = 0;
  let digits = 0;
  let ended = false;
  const fail = (received: string): never => {
    const advice = "one id per line, the hottest row first";
    const message = `expected a row id from 0 to ${rows - 1}, received ${received}; ${advice}`;
    throw new InputError(message, file, { line, column: 1 });
  };
  const take = (): void => {
    if (digits > 0) {
      if (value >= rows) fail(digits > 15 ? "a larger number" : String(value));
      ids[held] = value;
      lines[held] = line;
      held++;
    }
    line++;
    value = 0;
    digits = 0;
    ended = false;
  };
  for await (const bytes of bytesOf(file)) {
    for (const byte of bytes) {
      if (byte >= ZERO && byte <= NINE && !ended) {
        value = value * 10 + (byte - ZERO);
        digits++;
      } else if (byte === LF) {
        take();
        if (held === CHUNK_ROWS) {
          yield { ids, lines };
          held = 0;
        }
      } else if (byte === CR && !ended) {
        ended = true;
      } else {
        fail("another text");
      }
    }
  }
  take();
  if (held > 0) yield { ids: ids.subarray(0, held), lines };
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) yield chunk as Buffer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw fileError(error, file, "a file of row ids that can be read", { advice: "check the path" });
  }
}
