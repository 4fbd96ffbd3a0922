import { createHash } from "node:crypto";
import { z } from "zod";
import { InputError } from "../errors/input-error.js";
import { nearestWord } from "../errors/nearest.js";
import { MAX_INSTANCE_CHARACTERS, mebibytes } from "../input/limits.js";
import { type PlacedDocument, readDocument } from "./document.js";
import { type Finding, received, throwFindings } from "./findings.js";
import type { Instance } from "./instance.js";
import { readRowTiers } from "./row-tiers.js";
import { rowTiersSchema } from "./schema/row-tiers.js";
import { TABLE_PLACEMENT_SCHEMAS } from "./schema/table-placement.js";
import { towerJointSchema, towerPartitionSchema } from "./schema/tower-partition.js";
import { readTablePlacement } from "./table-placement.js";
import { readTowerPartition } from "./tower-partition.js";

/** The version of the format that this program reads. */
const VERSION = 1;

/** One entry per value of `problem`: how it is read, and its schemas. */
const PROBLEMS = {
  "row-tiers": { read: readRowTiers, schemas: [rowTiersSchema] },
  "table-placement": { read: readTablePlacement, schemas: Object.values(TABLE_PLACEMENT_SCHEMAS) },
  "tower-partition": { read: readTowerPartition, schemas: [towerPartitionSchema, towerJointSchema] },
} satisfies Record<
  Instance["problem"],
  { read: (document: PlacedDocument, sha256: string) => Instance; schemas: readonly z.ZodType[] }
>;

/**
 * Reads an instance from its text (YAML 1.2; JSON is YAML), fills in the defaults and checks it.
 *
 * `file` is the name that messages and relative paths use; `-` is standard input. Files that the instance refers to are
 * not opened: see {@link loadInstance}. Throws `InputError` at the first error: `file:line:column: path: …`.
 */
export function parseInstance(text: string, file: string): Instance {
  if (text.length > MAX_INSTANCE_CHARACTERS) {
    const expected = `expected an instance of at most ${mebibytes(MAX_INSTANCE_CHARACTERS)}`;
    throw new InputError(
      `${expected}, received ${text.length} characters; put counts of rows into files of their own`,
      file,
    );
  }
  const document = readDocument(text, file);
  const sha256 = createHash("sha256").update(text).digest("hex");
  throwFindings(document, checkEnvelope(document.value));
  const { problem } = document.value as { problem: Instance["problem"] };
  return PROBLEMS[problem].read(document, sha256);
}

/** The JSON Schema (draft 2020-12) of the instance file. */
export function instanceJsonSchema(): object {
  const written = (schema: z.ZodType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" });
    return rest;
  };
  const oneOf = Object.entries(PROBLEMS).map(([title, { schemas }]) => {
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
  const { shardproof, problem } = value as Record<string, unknown>;
  if (shardproof !== VERSION) {
    const advice = shardproof === undefined ? `; add "shardproof: ${VERSION}"` : "";
    const message = `expected ${VERSION}, the version of the format that this program reads, received ${received(shardproof)}${advice}`;
    return [{ path: ["shardproof"], message }];
  }
  if (typeof problem === "string" && Object.hasOwn(PROBLEMS, problem)) return [];
  const known = Object.keys(PROBLEMS);
  const nearest = typeof problem === "string" ? nearestWord(problem, known) : undefined;
  const advice = nearest ? `did you mean ${nearest}?` : "choose one of these";
  const listed = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  return [{ path: ["problem"], message: `expected ${listed}, received ${received(problem)}; ${advice}` }];
}
