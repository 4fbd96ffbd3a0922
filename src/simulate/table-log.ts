import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import { oneRow, streamRows } from "../access/duckdb/rows.js";
import { InputError } from "../errors/input-error.js";
import { entriesOf, INTEGER_PATTERN } from "../profile/ids.js";
import { openLog } from "../profile/log.js";
import type { Log, LogFormat, LogOptions } from "../profile/options.js";
import { withSession } from "../profile/session.js";
import { type EventReader, eachLine, readEvents } from "./event-log.js";

/** A log of one table's look-ups. */
export interface TableLog {
  readonly file: string;
  /** Row ids in falling order of access; without it, ids are ranks from 0. */
  readonly rankFile?: string;
  /** Which columns of the log are what, as `profile` is told; without them a log is text in one of two forms. */
  readonly columns?: LogColumns;
}

/**
 * Reads the log of a table of so many rows, sample by sample, as the ranks of its rows. Throws `InputError` where a file cannot be
 * read, a line is none, or an id is none of the table's.
 */
export async function readRanks(
  { file, rankFile, columns = {} }: TableLog,
  rows: number,
  { lookup, endSample }: { readonly lookup: (rank: number) => void; readonly endSample: () => void },
): Promise<void> {
  const ranks = rankFile === undefined ? writtenRanks(rows) : await readRankFile(rankFile, rows);
  const reader: EventReader = {
    lookup: (id, place) => {
      const rank = ranks.rankOf(id);
      if (typeof rank === "string") throw new InputError(rank, file, place);
      lookup(rank);
    },
    endSample,
  };
  if (isProfiledLog(file, columns)) await readProfiledLog(file, columns, reader);
  else await readEvents(file, reader);
}

/** Ids that one `Map` of JavaScript can hold. */
const MAX_IDS = 2 ** 24;

/** From a row's id in a log to its rank, 0 for the hottest row. */
export interface Ranks {
  /** The rank, or in words why there is none. */
  rankOf(id: string): number | string;
}

/** Ids that are ranks already. */
export function writtenRanks(rows: number): Ranks {
  const advice = "with other ids, give their order with --rank-file FILE";
  return {
    rankOf: (id) => {
      const rank = /^\d+$/.test(id) ? Number(id) : Number.NaN;
      return rank < rows ? rank : `expected a rank from 0 to ${rows - 1}, received ${JSON.stringify(id)}; ${advice}`;
    },
  };
}

/**
 * The order of the ids in a file: one per line, from the most accessed row on. Ids of a log that are not in it were not
 * seen when it was made: they follow in the order in which they come up, as long as the table has rows.
 *
 * Throws `InputError` with the line where an id is there twice, or beyond the table's rows.
 */
export async function readRankFile(file: string, rows: number): Promise<Ranks> {
  const ranks = new IdTable();
  await eachLine(file, "a file of row ids", (line, number) => {
    const id = line.trim();
    const refuse = (problem: string): never => {
      throw new InputError(problem, file, { line: number, column: 1 });
    };
    if (id === "") refuse("expected a row id, received an empty line");
    if (ranks.get(id) !== undefined) refuse(`expected every row id once, received ${JSON.stringify(id)} again`);
    if (ranks.size === rows) refuse(`expected the ids of ${rows} rows, the table's, received more`);
    ranks.add(id, refuse);
  });
  const known = ranks.size;
  return {
    rankOf: (id) => {
      const rank = ranks.get(id);
      if (rank !== undefined) return rank;
      if (ranks.size === rows) {
        return `expected ids of ${rows} rows, the table's, received one more, ${JSON.stringify(id)}; ${known} are in ${file}`;
      }
      return ranks.add(id, (problem) => {
        throw new InputError(problem, file);
      });
    },
  };
}

/** Ids numbered in the order in which they were added. Small whole numbers, which most ids are, take four bytes. */
class IdTable {
  #small = new Int32Array(1 << 10).fill(-1);
  readonly #others = new Map<string, number>();
  size = 0;

  get(id: string): number | undefined {
    const number = smallNumber(id);
    if (number === -1) return this.#others.get(id);
    const rank = this.#small[number] ?? -1;
    return rank === -1 ? undefined : rank;
  }

  add(id: string, refuse: (problem: string) => never): number {
    const number = smallNumber(id);
    if (number === -1) {
      if (this.#others.size >= MAX_IDS) refuse(`expected at most ${MAX_IDS} ids that are not small whole numbers`);
      this.#others.set(id, this.size);
    } else {
      if (number >= this.#small.length) {
        const grown = new Int32Array(Math.max(number + 1, 2 * this.#small.length)).fill(-1);
        grown.set(this.#small);
        this.#small = grown;
      }
      this.#small[number] = this.size;
    }
    return this.size++;
  }
}

/** The number that an id is written as, or −1 where it is none below 2^28, or is written in another way (`007`). */
function smallNumber(id: string): number {
  return /^(0|[1-9]\d{0,8})$/.test(id) && Number(id) < 2 ** 28 ? Number(id) : -1;
}

/** Which columns of a log are what, as `profile` is told; columns are named, or numbered from 1. */
export interface LogColumns {
  readonly row?: string;
  readonly list?: string;
  readonly sample?: string;
  readonly format?: LogFormat;
}

/** Whether a log is one that only `profile` reads: not text in the two forms of {@link readEvents}. */
export function isProfiledLog(file: string, columns: LogColumns): boolean {
  return Object.keys(columns).length > 0 || /\.(parquet|pq|tsv|gz|zst)$/i.test(file) || /[*?[]/.test(file);
}

/**
 * Reads a log that `profile` reads, its samples in the order of a column of samples, where one is named, else each line as a
 * sample; a line without a row id is a sample without a lookup. Ids are what `profile` writes into a rank file. Throws
 * `InputError` as `profile` does.
 */
export async function readProfiledLog(file: string, columns: LogColumns, reader: EventReader): Promise<void> {
  await withSession({}, async (connection, folder) => {
    const options: LogOptions = { ...columns, mayBeMissing: true };
    const log = await openLog(connection, [file], options, folder);
    const sample = log.hasSample ? `, CAST("sample" AS VARCHAR)` : "";
    const order = log.hasSample ? ` ORDER BY "sample"` : "";
    const idOf = await idsOf(connection, log);
    await connection.run("SET preserve_insertion_order = true");
    let open: DuckDBValue | undefined;
    try {
      for await (const rows of streamRows(connection, `SELECT "row"${sample} FROM ${log.from(true)}${order}`)) {
        for (const [value, key] of rows) {
          if (open !== undefined && (!log.hasSample || key !== open)) reader.endSample();
          open = log.hasSample ? (key ?? null) : true;
          for (const id of idsIn(value, log)) reader.lookup(idOf(id));
        }
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      await log.findFault();
      throw error;
    }
    if (open !== undefined) reader.endSample();
  });
}

function* idsIn(value: DuckDBValue | undefined, { list }: Log): Generator<string> {
  if (value === null || value === undefined) return;
  if (list === "array") {
    for (const item of (value as { readonly items: readonly DuckDBValue[] }).items) yield String(item);
  } else if (list === "text") {
    for (const { id } of entriesOf(String(value))) yield id;
  } else if (String(value).trim() !== "") {
    yield String(value);
  }
}

/** Integers are numbers, however they are written, where all ids are integers. */
async function idsOf(connection: DuckDBConnection, log: Log): Promise<(id: string) => string> {
  if (log.ids === "native" || log.ids === "texts") return (id) => id;
  const number = (id: string) => (/^\s*[+-]?\d+\s*$/.test(id) ? String(BigInt(id.trim().replace(/^\+/, ""))) : id);
  if (log.ids === "integers" || log.list !== undefined) return number;
  const [others] = await oneRow(
    connection,
    `SELECT COUNT(*) FROM ${log.from(true)} WHERE NOT regexp_full_match(trim("row"), '${INTEGER_PATTERN}')`,
  );
  return Number(others) === 0 ? number : (id) => id;
}
