import { z } from "zod";
import { InputError } from "../errors/input-error.js";
import { type Path, type PlacedDocument, readDocument } from "../instance/document.js";
import { throwFindings } from "../instance/findings.js";
import { positive, text } from "../instance/schema/fields.js";
import { shaped } from "../instance/schema/issues.js";
import { withUnit } from "../instance/schema/quantities.js";
import { GENERATOR_KINDS } from "./generate/kinds.js";

/** Keys of an instance and the values that each has in turn. */
const vary = z
  .record(z.string(), z.array(z.unknown()).min(1))
  .describe("paths into the instance, such as cluster.gpusPerNode or tables.*.rows, each with a list of values");

const paths = z.union([text("a file, a folder, or a pattern with * and **"), z.array(text("a file")).min(1)]);

const source = z.strictObject({
  files: paths.optional().describe("files, folders or patterns, relative to the study's file"),
  except: paths.optional().describe("files or patterns that are left out"),
  generate: z.enum(GENERATOR_KINDS).optional().describe("a kind of shardproof generate"),
  options: z.record(z.string(), z.unknown()).optional().describe("the generator's options"),
  seeds: z
    .union([z.string(), z.array(z.int().min(0))])
    .optional()
    .describe("seeds: [1, 2, 5] or 1-500"),
  vary: vary.optional(),
});

const method = z.union([
  text("optimal, published, or the name of a published method"),
  z.strictObject({ file: text("a module of one's own, relative to the study's file") }),
  z.strictObject({ command: text("a command of one's own, run in the folder of the study's file") }),
]);

const gap = withUnit("shares", z.number().min(0).lt(1).describe("relative gap to prove, below 1"));
const seed = z.int().min(0).describe("seed of the methods' random numbers");

const studySchema = z.strictObject({
  shardproof: z.literal(1).describe("version of the format"),
  study: text("name of the study"),
  source: z.string().optional().describe("what the study is for"),
  instances: z.array(source).min(1).describe("where instances come from"),
  methods: z
    .array(method)
    .min(1)
    .describe("optimal, published, names of published methods, {file: MODULE}, {command: COMMAND}"),
  vary: vary.optional(),
  gap: z
    .union([gap, z.array(gap).min(1)])
    .prefault(1e-9)
    .describe("relative gap to prove, or a list of them"),
  seed: z
    .union([seed, z.array(seed).min(1)])
    .default(0)
    .describe("seed, or a list of them"),
  timeLimit: withUnit("seconds", positive("seconds for a plan")).optional(),
  workLimit: withUnit(
    "seconds",
    positive("seconds of work for a plan, as they are counted: the same on every machine"),
  ).optional(),
});

export type InstanceSource = z.output<typeof source>;
export type StudyMethod = z.output<typeof method>;

/** A study as its file has it. */
export interface StudySpec extends z.output<typeof studySchema> {
  readonly document: PlacedDocument;
}

/** Reads a study's file. Throws `InputError` with the place of the first thing that is not as docs/studies.md has it. */
export function readStudy(text: string, file: string): StudySpec {
  const document = readDocument(text, file);
  const { value } = document;
  if (typeof value === "object" && value !== null && "problem" in value && !("study" in value)) {
    throw new InputError("expected a study, received an instance; a study names instances (docs/studies.md)", file);
  }
  const spec = shaped(document, studySchema);
  for (const [k, { files, except, generate, options, seeds }] of spec.instances.entries()) {
    const at = ["instances", k];
    if ((files === undefined) === (generate === undefined)) {
      refuse(document, at, "expected one of the keys files and generate");
    }
    if (generate !== undefined && seeds === undefined) refuse(document, at, "expected the key seeds beside generate");
    if (generate !== undefined && except !== undefined) refuse(document, [...at, "except"], "it is for files alone");
    for (const [key, given] of Object.entries({ options, seeds })) {
      if (generate === undefined && given !== undefined) refuse(document, [...at, key], "it is for generate alone");
    }
  }
  return { ...spec, document };
}

/** Throws that something in a study's file is wrong. */
export function refuse(document: PlacedDocument, path: Path, message: string): never {
  throwFindings(document, [{ path, message }]);
  throw new Error("a finding ends the reading");
}
