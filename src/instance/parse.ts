import { createHash } from "node:crypto";
import { z } from "zod";
import { InputError } from "../errors/input-error.js";
import { didYouMean } from "../errors/nearest.js";
import { MAX_INSTANCE_CHARACTERS, mebibytes } from "../input/limits.js";
import { type PlacedDocument, readDocument } from "./document.js";
import { type Finding, received, throwFindings } from "./findings.js";
import type { AnyInstance, InstanceReader } from "./reader.js";

/** The version of the format that this program reads. */
const VERSION = 1;

/**
 * Reads an instance of one of the readers' problems from its text (YAML 1.2; JSON is YAML), fills in the defaults and
 * checks it. With one reader, an instance of any other problem is said to be one.
 *
 * `file` is the name that messages and relative paths use; `-` is standard input. Files that the instance refers to are
 * not opened: see `loadWith`. Throws `InputError` at the first error: `file:line:column: path: …`.
 */
export function parseWith<I extends AnyInstance>(readers: readonly InstanceReader<I>[], text: string, file: string): I {
  if (text.length > MAX_INSTANCE_CHARACTERS) {
    const expected = `expected an instance of at most ${mebibytes(MAX_INSTANCE_CHARACTERS)}`;
    throw new InputError(
      `${expected}, received ${text.length} characters; put counts of rows into files of their own`,
      file,
    );
  }
  const document = readDocument(text, file);
  throwFindings(document, checkEnvelope(document.value));
  const { problem } = document.value as { readonly problem?: unknown };
  const reader = readers.find((one) => one.problem === problem) ?? refused(document, readers, problem);
  return reader.read(document, hashOf(text));
}

/** SHA-256, lower-case hexadecimal. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The JSON Schema (draft 2020-12) of the instance files of the readers' problems. */
export function jsonSchemaOf(readers: readonly InstanceReader[]): object {
  const written = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" });
    return rest;
  };
  const oneOf = readers.map(({ problem: title, schemas }) => {
    const [first, ...others] = schemas.map(written) as [object, ...object[]];
    return others.length === 0 ? { title, ...first } : { title, oneOf: [first, ...others] };
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "shardproof instance",
    type: "object",
    oneOf,
  };
}

/** What every instance has, checked first: the rest of the messages depends on it. */
function checkEnvelope(value: unknown): Finding[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const message = `expected a map with shardproof, name, problem, …, received ${received(value)}`;
    return [{ path: [], message }];
  }
  const { shardproof } = value as Record<string, unknown>;
  if (shardproof !== VERSION) {
    const advice = shardproof === undefined ? `; add "shardproof: ${VERSION}"` : "";
    const message = `expected ${VERSION}, the version of the format that this program reads, received ${received(shardproof)}${advice}`;
    return [{ path: ["shardproof"], message }];
  }
  return [];
}

/** Throws that the problem is none of the readers'. */
function refused(document: PlacedDocument, readers: readonly InstanceReader[], problem: unknown): never {
  const known = readers.map((reader) => reader.problem);
  if (known.length === 1 && typeof problem === "string") {
    throw new InputError(`expected an instance of ${known[0]}, received one of ${problem}`, document.file);
  }
  const advice = (typeof problem === "string" ? didYouMean(problem, known) : undefined) ?? "choose one of these";
  const listed = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  const message = `expected ${listed}, received ${received(problem)}; ${advice}`;
  throwFindings(document, [{ path: ["problem"], message }]);
  throw new Error("a finding ends the reading");
}
