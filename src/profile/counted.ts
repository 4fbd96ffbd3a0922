import type { DuckDBConnection } from "@duckdb/node-api";
import { sqlText } from "../access/duckdb/open.js";
import { asNumber } from "../access/duckdb/rows.js";
import { aggregate, countsOf, writeRanks } from "./count.js";
import type { Log } from "./opened-log.js";
import type { LogOptions, ProfileOptions } from "./options.js";
import { type Profile, profileOf } from "./profile.js";
import { watched } from "./session.js";
import { settleIds } from "./settle-ids.js";
import { ENTRY } from "./sql/aggregate.js";

/**
 * Accesses per row of a log, or of one column of it, into the table `accesses_per_row`, and what is to be said of them.
 * Returns whether lines end in one way only.
 */
export async function aggregated(
  connection: DuckDBConnection,
  log: Log,
  options: ProfileOptions,
  column?: string,
): Promise<boolean> {
  const strict = await watched(connection, options, "accesses", () => aggregate(connection, log), column);
  await notePadding(connection, log, strict, options, column);
  return strict;
}

export interface Counting {
  /** Of several. */
  readonly column?: string;
  /** `strict`: whether lines end in one way only. */
  readonly samplesOf: (strict: boolean) => Promise<number>;
  readonly tableRows: number | undefined;
  /** Where to write the row ids in falling order of accesses. */
  readonly rankFile: string | undefined;
}

/** {@link aggregated}, and how often rows are read; `null` where there is no access. */
export async function counted(
  connection: DuckDBConnection,
  log: Log,
  options: ProfileOptions,
  { column, samplesOf, tableRows, rankFile }: Counting,
): Promise<{ readonly profile: Profile; readonly areIntegers: boolean } | null> {
  const samples = await samplesOf(await aggregated(connection, log, options, column));
  const areIntegers = await settleIds(connection, log, options, column);
  const counts = await countsOf(connection, log);
  if (counts.length === 0) return null;
  const profile = profileOf({ counts, samples, tableRows, files: log.files, column });
  if (rankFile !== undefined) {
    await watched(connection, options, "ranks", () => writeRanks(connection, rankFile), column);
  }
  return { profile, areIntegers };
}

/** Lists that are looked at. */
const LISTS = 10_000;

/** The share of lists whose end is one id twice, or whose beginning is, from which that is said. */
const SHARE = 0.25;

/** Of the lists that end with some id twice, those of the one id: where others do too, it is no padding. */
const OF_REPEATED = 0.9;

/**
 * Says where one id, twice or more, stands at the ends or the beginnings of a column's first lists: histories are filled so
 * to one length, and the id is then the hottest row of a table that nobody reads.
 */
async function notePadding(
  connection: DuckDBConnection,
  { list, from }: Log,
  strict: boolean,
  { skip, onNote }: LogOptions,
  column: string | undefined,
): Promise<void> {
  if (list === undefined || onNote === undefined || skip !== undefined) return;
  const entries = list === "array" ? `"row"` : `regexp_extract_all("row", ${sqlText(ENTRY)})`;
  const side = (end: string, at: number, beside: number) =>
    `SELECT '${end}' AS side, CAST(ids[${at}] AS VARCHAR) AS id, count(*) AS filled, sum(count(*)) OVER () AS repeated FROM lists WHERE ids[${at}] = ids[${beside}] GROUP BY ids[${at}]`;
  const sql = `WITH lists AS (SELECT ${entries} AS ids FROM (SELECT "row" FROM ${from(strict)} LIMIT ${LISTS}) AS first WHERE len(${entries}) > 1)
    SELECT side, id, filled, (SELECT count(*) FROM lists) AS of FROM (${side("ends", -1, -2)} UNION ALL ${side("beginnings", 1, 2)}) AS sides
    WHERE filled >= ${OF_REPEATED} * repeated ORDER BY filled DESC, side DESC LIMIT 1`;
  const [found] = (await connection.runAndReadAll(sql)).getRows();
  if (found === undefined) return;
  const [end, id, filled, of] = found;
  if (asNumber(filled) < 2 || asNumber(filled) < SHARE * asNumber(of)) return;
  const which = column === undefined ? "" : `column "${column}": `;
  const skipped = column === undefined ? id : `${column}=${id}`;
  onNote(`${which}${id} fills the ${end} of ${filled} of ${of} lists; if it is padding, say --skip ${skipped}`);
}
