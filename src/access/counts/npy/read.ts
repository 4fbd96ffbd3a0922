import { availableParallelism } from "node:os";
import { fileChunks } from "../../../instance/file-chunks.js";
import type { CountTally } from "../tally.js";
import { decodeElements, readableFailure } from "./elements.js";
import { readNpyHeader } from "./header.js";
import { type Part, tallyPart } from "./part.js";
import { tallyInThreads, threadUrl } from "./threads.js";

/** Counts from which the time to start threads is worth it, and the most threads that help. */
const THREADED_COUNTS = 1e8;
const MAX_THREADS = 8;

/**
 * Counts of accesses from a NumPy array file (see {@link readNpyHeader}): one element per row. Reads in chunks; the parts
 * of a long file are read in several threads, which changes nothing in the tally. `threads` is for tests.
 *
 * Throws `InputError` as the header's reader does, and for a count that is negative, not a number, or above 2^53 − 1.
 */
export async function readNpyCounts(path: string, tableRows: number, threads?: number): Promise<CountTally> {
  const header = await readNpyHeader(path, tableRows);
  const wanted = threads ?? (header.length >= THREADED_COUNTS ? Math.min(MAX_THREADS, availableParallelism()) : 1);
  const whole: Part = { ...header, path, first: 0, last: header.length };
  const url = wanted > 1 ? threadUrl() : undefined;
  try {
    return url === undefined ? await tallyPart(whole) : await tallyInThreads(whole, wanted, url);
  } catch (error) {
    throw readableFailure(error, path);
  }
}

/** The counts themselves, in the order of the file; a chunk is the caller's until it asks for the next. */
export async function* npyRowCounts(path: string, tableRows: number): AsyncGenerator<Float64Array> {
  const { type, bytesPerElement, offset, length } = await readNpyHeader(path, tableRows);
  let counts = new Float64Array(0);
  let done = 0;
  for await (const chunk of fileChunks(path, offset, offset + length * bytesPerElement)) {
    const elements = chunk.length / bytesPerElement;
    if (counts.length < elements) counts = new Float64Array(elements);
    try {
      decodeElements(type, chunk, counts, done);
    } catch (error) {
      throw readableFailure(error, path);
    }
    yield counts.subarray(0, elements);
    done += elements;
  }
}
