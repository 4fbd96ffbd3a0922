import { writeFile } from "node:fs/promises";
import { InputError } from "../errors/input-error.js";

/** Writes the result to standard output. A reader that has gone away (`| head`) is no failure. */
export async function writeResult(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error && !isClosedPipe(error) ? reject(error) : resolve()));
  });
}

/** Keeps a closed pipe from ending the process with a stack trace. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (!isClosedPipe(error)) throw error;
    });
  }
}

function isClosedPipe(error: Error): boolean {
  return (error as NodeJS.ErrnoException).code === "EPIPE";
}

/** Notes, warnings and progress: on standard error, and only where a person sees them. */
export function note(text: string, quiet: boolean): void {
  if (!quiet && process.stderr.isTTY) process.stderr.write(`${text}\n`);
}

/** All of standard input as text. Throws `InputError` when it is not UTF-8. */
export async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new InputError("expected UTF-8 text, received other bytes", "-");
  }
}

/** Writes a file. Throws `InputError` when that is not possible. */
export async function writeOutput(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`expected a file that can be written, received ${error.code ?? error.message}`, file);
  });
}
