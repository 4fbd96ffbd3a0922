import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ProfileOptions } from "../../../src/profile/options.js";
import { type ColumnsOptions, profileColumns } from "../../../src/profile/profile-columns.js";
import { profileLog } from "../../../src/profile/profile-log.js";
import { withDuckDb } from "../../support/duckdb.js";

/** A folder that is removed after the test. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "shardproof-profile-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Writes a text file. */
export function write(name: string, content: string | Buffer): string {
  const file = join(folder(), name);
  writeFileSync(file, content);
  return file;
}

/** Writes the rows of a query as Parquet. */
export async function parquet(query: string, name = "log.parquet"): Promise<string> {
  const file = join(folder(), name);
  await withDuckDb((connection) => connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet)`));
  return file;
}

/** What is exact of a log's profile. */
export async function profiled(file: string | readonly string[], options: ProfileOptions = {}) {
  const files = typeof file === "string" ? [file] : file;
  const { samples, counts } = await profileLog(files, { threads: 2, ...options });
  return { samples, counts };
}

/** Rows and accesses of each column, and what was said. */
export async function counted(
  files: string | readonly string[],
  columns: readonly string[] | "all",
  options: ColumnsOptions = {},
) {
  const notes: string[] = [];
  const onNote = (note: string) => notes.push(note);
  const names = typeof files === "string" ? [files] : files;
  const { columns: found } = await profileColumns(names, columns, { threads: 1, ...options, onNote });
  return {
    ...Object.fromEntries(found.map(({ name, profile }) => [name, [profile.rows, profile.accesses]])),
    ...(notes.length === 0 ? {} : { notes }),
  };
}
