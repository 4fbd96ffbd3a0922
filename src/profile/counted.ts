import type { DuckDBConnection } from "@duckdb/node-api";
import { aggregate, countsOf, writeRanks } from "./count.js";
import type { Log } from "./opened-log.js";
import type { ProfileOptions } from "./options.js";
import { notePadding } from "./padding.js";
import { type Profile, profileOf } from "./profile.js";
import { watched } from "./session.js";
import { settleIds } from "./settle-ids.js";

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
