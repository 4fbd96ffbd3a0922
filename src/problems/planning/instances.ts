import { loadWith } from "../../instance/load.js";
import { jsonSchemaOf, parseWith } from "../../instance/parse.js";
import { type Instance, problemOf, READERS } from "./registry.js";

export type { Instance };

/**
 * Reads an instance of any problem from its text (YAML 1.2; JSON is YAML), fills in the defaults and checks it.
 *
 * `file` is the name that messages and relative paths use; `-` is standard input. Files that the instance refers to are
 * not opened: see {@link loadInstance}. Throws `InputError` at the first error: `file:line:column: path: …`.
 */
export function parseInstance(text: string, file: string): Instance {
  return parseWith(READERS, text, file);
}

/**
 * Reads the instance in a file; `-` reads `standardInput`. Files that it names (counts, weights, a matrix) are read once, for
 * its hash.
 *
 * Throws `InputError` when a file cannot be read, is not UTF-8, or is not an instance.
 */
export async function loadInstance(path: string, standardInput?: () => Promise<string>): Promise<Instance> {
  return opened(await loadWith(READERS, path, standardInput));
}

/** An instance whose text is read, with what the files say that all parts of its problem want to know. Throws `InputError`. */
export async function opened(instance: Instance): Promise<Instance> {
  const problem = problemOf(instance);
  return problem.opened === undefined ? instance : ((await problem.opened(instance)) as Instance);
}

/** The JSON Schema (draft 2020-12) of the instance file. */
export function instanceJsonSchema(): object {
  return jsonSchemaOf(READERS);
}
