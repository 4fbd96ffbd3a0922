import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fileError } from "../errors/file-error.js";
import { InputError } from "../errors/input-error.js";
import { readNamedText } from "../input/files.js";
import { hashOf } from "../instance/parse.js";
import { canonicalJson } from "../plan-file/canonical-json.js";

/** The files of a study's folder. */
export const JOB_FILE = "jobs.jsonl";
export const STUDY_FILE = "study.json";
export const INSTANCES_FOLDER = "instances";
export const RESULTS_FOLDER = "results";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A plan to be made. Paths are relative to the study's folder. */
const jobLineSchema = z.strictObject({
  /** SHA-256 of all that the result depends on: see {@link lineId}. */
  id: sha256,
  instance: z.strictObject({ file: z.string(), sha256, name: z.string(), problem: z.string() }),
  /** The values of the study's varied keys. */
  vary: z.record(z.string(), z.unknown()),
  method: z.string(),
  /** Where the method is one of somebody's own. */
  module: z
    .union([
      z.strictObject({ file: z.string(), sha256 }),
      z.strictObject({ command: z.string(), folder: z.string(), sha256 }),
    ])
    .optional(),
  /** Left out where the method proves nothing. */
  gap: z.number().optional(),
  seed: z.int(),
  timeLimitSeconds: z.number(),
  /** Left out where the clock alone limits. */
  workLimitSeconds: z.number().optional(),
});

export type JobLine = z.output<typeof jobLineSchema>;

const studyFileSchema = z.strictObject({
  shardproof: z.literal(1),
  study: z.string(),
  source: z.string().optional(),
  lines: z.int(),
});

export type StudyFile = z.output<typeof studyFileSchema>;

/** A study's folder, read. */
export interface Job extends StudyFile {
  readonly folder: string;
  readonly all: readonly JobLine[];
}

/**
 * Names what a line's result depends on: the instance's content, the method (of one's own: the module's content), what it is
 * asked for, and the version of this program. A line with the id of one that is done is done.
 */
export function lineId(line: Omit<JobLine, "id" | "vary">, version: string): string {
  const { instance, module, method, gap, seed, timeLimitSeconds, workLimitSeconds } = line;
  const of = { instance: instance.sha256, method, ...(module && { module: module.sha256 }) };
  const content = { ...of, gap, seed, timeLimitSeconds, workLimitSeconds, version };
  return hashOf(canonicalJson(content));
}

/** Where a line's result is, in the study's folder. */
export function resultFile({ id }: Pick<JobLine, "id">): string {
  return join(RESULTS_FOLDER, id.slice(0, 2), `${id}.json`);
}

/** Whether a line has a result that was written to its end: what a disk lost, all of it or the rest, is worked again. */
export function hasResult(folder: string, line: Pick<JobLine, "id">): boolean {
  const path = join(folder, resultFile(line));
  const found = statSync(path, { throwIfNoEntry: false });
  // A folder is nothing of this program: `collect` says so.
  if (!found?.isFile()) return found !== undefined;
  const end = Buffer.alloc(2);
  const file = openSync(path, "r");
  try {
    readSync(file, end, 0, 2, Math.max(0, found.size - 2));
  } finally {
    closeSync(file);
  }
  return end.toString() === "}\n";
}

/** Reads a study's folder. Throws `InputError` where there is none, at the line of the job file that is not one. */
export function readJob(folder: string): Job {
  const path = join(folder, STUDY_FILE);
  const study = parsed(studyFileSchema, readOf(path), path, 1);
  const file = join(folder, JOB_FILE);
  const lines = readOf(file).trimEnd().split("\n");
  const all = lines.map((text, k) => parsed(jobLineSchema, text, file, k + 1));
  if (all.length === study.lines) return { ...study, folder, all };
  throw new InputError(`expected ${study.lines} lines, received ${all.length}; ${WRITE_AGAIN}`, file);
}

const WRITE_AGAIN = "write the job again: shardproof study STUDY.yaml";

/** That a job was written for another file than the one that is there. */
export function changed(what: "file" | "instance", file: string): InputError {
  return new InputError(
    `expected the ${what} that the job was written for, received one changed since; ${WRITE_AGAIN}`,
    file,
  );
}

function readOf(file: string): string {
  try {
    return readNamedText(file);
  } catch (error) {
    throw fileError(error, file, "a study's folder, with this file in it", {
      advice: "shardproof study STUDY.yaml writes one",
    });
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string, file: string, line: number): T {
  const refuse = (why: string): never => {
    throw new InputError(`expected a line as shardproof study writes it, received ${why}`, file, { line, column: 1 });
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse("what is no JSON");
  }
  const result = schema.safeParse(value);
  return result.success ? result.data : refuse(`one with a mistake at ${result.error.issues[0]?.path.join(".")}`);
}
