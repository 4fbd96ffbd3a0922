import type { z } from "zod";
import { InputError } from "../errors/input-error.js";
import type { Path, PlacedDocument } from "./document.js";

/** What the instances of all problems have. */
export interface AnyInstance {
  readonly problem: string;
  readonly name: string;
  /** Where the numbers come from. */
  readonly source?: string;
  /** The file it was read from, for relative paths and messages; `-` is standard input. */
  readonly file: string;
  /** Lower-case hexadecimal: SHA-256 of the file's bytes; with named files, of the lines of all the hashes. */
  readonly sha256: string;
}

/** How the instances of one problem are read. */
export interface InstanceReader<I extends AnyInstance = AnyInstance> {
  readonly problem: I["problem"];
  /** Of the whole file, one for each of its shapes: they become the JSON Schema. */
  readonly schemas: readonly z.ZodType[];
  /** Throws `InputError` at the first thing that a schema or a check has against the document. */
  read(document: PlacedDocument, sha256: string): I;
  /** The files whose contents the instance stands for. */
  namedFiles(instance: I): readonly NamedFile[];
}

/** A file that an instance names, relative to its own, and where it names it. */
export interface NamedFile {
  readonly name: string;
  readonly at: Path;
}

/** Whether an instance is of the reader's problem. */
export function isInstance<I extends AnyInstance>(
  { problem }: InstanceReader<I>,
  instance: AnyInstance,
): instance is I {
  return instance.problem === problem;
}

/** An instance that has to be of the reader's problem. Throws `InputError` where it is of another. */
export function requireInstance<I extends AnyInstance>(reader: InstanceReader<I>, instance: AnyInstance): I {
  if (isInstance(reader, instance)) return instance;
  throw new InputError(`expected an instance of ${reader.problem}, received one of ${instance.problem}`, instance.file);
}
