import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { duckDbMessage, openDuckDb } from "../duckdb/open.js";
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

/** Does the work unless it was interrupted before, and reports how far it is. */
export async function watched<T>(
  connection: DuckDBConnection,
  { onProgress, signal }: ProfileOptions,
  stage: ProfileProgress["stage"],
  work: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const report = () => onProgress?.({ stage, percentage: connection.progress.percentage });
  const timer = setInterval(report, REPORT_MILLISECONDS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

export function isInterrupt(error: unknown): boolean {
  return /^INTERRUPT/i.test(duckDbMessage(error));
}

export function isOutOfMemory(error: unknown): boolean {
  return /^Out of Memory/i.test(duckDbMessage(error));
}

function readableError(error: unknown): Error {
  if (!isOutOfMemory(error)) return new InputError(`the log cannot be read: ${duckDbMessage(error)}`);
  const message =
    "memory and the temporary folder are full; raise --memory-limit, or give a --temp-directory with more room";
  return new InputError(message);
}
