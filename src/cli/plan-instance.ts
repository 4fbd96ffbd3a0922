import { access } from "node:fs/promises";
import { fileReason } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import type { Instance } from "../instance/instance.js";
import { loadInstance } from "../instance/load.js";
import { readStandardInput } from "./streams.js";

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
    await access(written).catch((error: unknown) => {
      const received = `received ${JSON.stringify(written)}: ${fileReason(error)}`;
      const message = `expected the plan's instance where the plan says it is, ${received}; say where it is with --instance FILE`;
      throw new InputError(message, planFile);
    });
    return loadInstance(written, standardInput);
  };
}
