import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { fileError } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { readDocument } from "../../instance/document.js";
import { type CostData, FEWEST_SETS, type MeasuredSet } from "./cost-data.js";
import { readCostHead, readMeasuredSet } from "./read-data.js";

/** Measured sets that arrive one by one, and what is known before the first. */
export interface CostStream extends Pick<CostData, "file" | "source" | "tables"> {
  /** May be gone through once. Throws `InputError` at a line that is no set, and at the end where there were too few. */
  readonly sets: AsyncIterable<MeasuredSet>;
  /** SHA-256 of the lines read so far, each with its line break, lower-case hexadecimal. */
  sha256(): string;
}

export interface CostStreamOptions {
  /** The text, where it is not that of the file: standard input. */
  readonly input?: AsyncIterable<string>;
  /** Ends the stream early when it is aborted; the input has to end then, too. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a stream of measured costs, JSON line by line: first what a file of measured costs has but `sets`, then one set per
 * line. Empty lines are skipped.
 *
 * Throws `InputError` where the file cannot be read or its first line is something else.
 */
export async function openCostStream(file: string, { input, signal }: CostStreamOptions = {}): Promise<CostStream> {
  const hash = createHash("sha256");
  const chunks = input ?? createReadStream(file, { encoding: "utf8", ...(signal === undefined ? {} : { signal }) });
  const lines = linesOf(textOf(file, chunks, signal), (line) => hash.update(`${line}\n`));
  const first = await lines.next();
  if (first.done === true) throw new InputError("expected a first line that names the tables, received none", file);
  const { text, line } = first.value;
  const { source, tables } = await readCostHead(readDocument(text, file, line));
  return { file, source, tables, sets: setsOf(), sha256: () => hash.copy().digest("hex") };

  async function* setsOf(): AsyncGenerator<MeasuredSet> {
    let sets = 0;
    for await (const { text, line } of lines) {
      yield readMeasuredSet(readDocument(text, file, line), tables.length);
      sets++;
    }
    if (sets < FEWEST_SETS) throw new InputError(`expected at least ${FEWEST_SETS} sets, received ${sets}`, file);
  }
}

async function* textOf(
  file: string,
  chunks: AsyncIterable<string>,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  try {
    yield* chunks;
  } catch (error) {
    if (signal?.aborted !== true) throw fileError(error, file, "a file that can be read");
  }
}

/** The lines that are not empty, numbered from 1; `onLine` is told of all. */
async function* linesOf(
  chunks: AsyncIterable<string>,
  onLine: (line: string) => void,
): AsyncGenerator<{ readonly text: string; readonly line: number }> {
  let [rest, line] = ["", 0];
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() as string;
    for (const text of lines) {
      line++;
      onLine(text);
      if (text.trim() !== "") yield { text, line };
    }
  }
  if (rest.trim() === "") return;
  onLine(rest);
  yield { text: rest, line: line + 1 };
}
