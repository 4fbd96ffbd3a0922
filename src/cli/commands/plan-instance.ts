import { fileReason } from "../../errors/file-error.js";
import { InputError } from "../../errors/input-error.js";
import { shown } from "../../errors/shown.js";
import { regularFileSize } from "../../input/files.js";
import { type Instance, loadInstance } from "../../problems/planning/instances.js";
import { readStandardInput } from "../terminal/streams.js";

/**
 * Opens the instance of a plan: where --instance says (`given`), or else where the plan says it was (`written`), from the
 * folder that the command runs in. Throws `InputError` where it is not to be found there, and as `loadInstance` does.
 */
export function planInstanceOpener(
  planFile: string,
  given: string | undefined,
  standardInput: () => Promise<string> = readStandardInput,
): (written: string) => Promise<Instance> {
  return async (written) => {
    if (given !== undefined) return loadInstance(given, standardInput);
    if (written === "-") {
      throw new InputError("the plan's instance was standard input; say where it is with --instance FILE", planFile);
    }
    return openWritten(written, "the plan's instance", planFile, () => loadInstance(written, standardInput));
  };
}

/** Characters of a path that a message shows: no file system takes more. */
const MAX_PATH = 4096;

/**
 * Opens a file that another file names: a regular one, wherever it lies. What is wrong inside it is not told, for whoever
 * made the plan may have named any file of whoever reads it. Throws `InputError` at the file that names it.
 */
export async function openWritten<T>(
  written: string,
  what: string,
  namedIn: string,
  open: () => Promise<T>,
): Promise<T> {
  const refuse = (received: string): never => {
    const expected = `expected ${what} where the plan says it is, received ${JSON.stringify(shown(written, MAX_PATH))}: ${received}`;
    throw new InputError(`${expected}; say where it is with --instance FILE`, namedIn);
  };
  await regularFileSize(written).catch((error: unknown) => refuse(fileReason(error)));
  return open().catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    return refuse("a file of another kind, or with a mistake in it");
  });
}
