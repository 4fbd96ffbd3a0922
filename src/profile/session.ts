import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, openDuckDb } from "../access/duckdb/open.js";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import type { ProfileOptions, ProfileProgress } from "./options.js";

/** Milliseconds between two reports of progress. */
const REPORT_MILLISECONDS = 200;

/**
 * Work on a database with a folder of its own, which is removed at the end; interrupted by `signal`. Throws `InputError`
 * without DuckDB and for what DuckDB has against a log; what `signal` was aborted with, when it was.
 */
export async function withSession<Result>(
  options: ProfileOptions,
  work: (connection: DuckDBConnection, folder: string) => Promise<Result>,
): Promise<Result> {
  const { memoryLimit, threads, temporaryFolder = tmpdir(), signal } = options;
  signal?.throwIfAborted();
  const folder = await mkdtemp(join(temporaryFolder, "shardproof-profile-")).catch((error: unknown) => {
    const advice = "check the path";
    throw fileError(error, temporaryFolder, "a folder for temporary files", { kind: "folder", advice });
  });
  try {
    const { connection, close } = await openDuckDb("profiling a log", {
      temporaryFolder: folder,
      ...(memoryLimit === undefined ? {} : { memoryLimit }),
      ...(threads === undefined ? {} : { threads }),
    });
    const interrupt = () => connection.interrupt();
    signal?.addEventListener("abort", interrupt);
    try {
      if (options.onProgress !== undefined) {
        // DuckDB measures progress only where it would show it.
        await connection.run("SET enable_progress_bar = true; SET enable_progress_bar_print = false");
      }
      return await work(connection, folder);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof InputError ? error : readableError(error);
    } finally {
      signal?.removeEventListener("abort", interrupt);
      close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Does the work unless it was interrupted before, and reports how far it is; `column`: which of several is counted. */
export async function watched<T>(
  connection: DuckDBConnection,
  { onProgress, signal }: ProfileOptions,
  stage: ProfileProgress["stage"],
  work: () => Promise<T>,
  column?: string,
): Promise<T> {
  signal?.throwIfAborted();
  const of = column === undefined ? {} : { column };
  const report = () => onProgress?.({ stage, percentage: connection.progress.percentage, ...of });
  const timer = setInterval(report, REPORT_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Whether an error is nothing that is wrong with a log: an interrupt, or memory that ran out. */
export function isNoFault(error: unknown): boolean {
  return /^INTERRUPT/i.test(duckDbMessage(error)) || isOutOfMemory(error);
}

/**
 * Reads a log strictly; where nothing is wrong with any line, not strictly: DuckDB's strict reader refuses files that end
 * lines in two ways. Returns whether it was strict. Throws what `findFault` finds.
 */
export async function strictly(
  read: (strict: boolean) => Promise<unknown>,
  findFault: () => Promise<void>,
): Promise<boolean> {
  try {
    await read(true);
    return true;
  } catch (error) {
    if (isNoFault(error)) throw error;
    await findFault();
    if (!/state machine/.test(duckDbMessage(error))) throw error;
    await read(false);
    return false;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return /^Out of Memory/i.test(duckDbMessage(error));
}

function readableError(error: unknown): Error {
  if (!isOutOfMemory(error)) return new InputError(`the log cannot be read: ${duckDbMessage(error)}`);
  const message =
    "memory and the temporary folder are full; raise --memory-limit, or give a --temp-directory with more room";
  return new InputError(message);
}
