import { z } from "zod";
import { InputError } from "../../../errors/input-error.js";
import {
  covered,
  type Fields,
  listOf,
  type Named,
  number,
  type TypeOf,
  text,
  textOf,
} from "../../../plan-file/fields.js";
import { CLAIM, certificateShape, gapShape, placeShape, REQUEST, TIMING } from "../../../plan-file/plan-shape.js";
import type { ProgramContents } from "../../../program/contents.js";
import { DIALECTS } from "../../../program/reading/dialect.js";
import type { Certificate } from "../../../proof/certificate.js";
import type { Verdict } from "../../../proof/verdict.js";

/**
 * What is known of a program in one word: a verdict's, or where there is none
 *
 * - `feasible` also where a feasible point is known and no bound;
 * - `unbounded`: there is a feasible point, and a direction in which the objective improves for ever;
 * - `unknown`: no feasible point is known (a bound may be).
 */
export type ProgramStatus = Verdict["status"] | "unbounded" | "unknown";

/** Objects by column name, read from the JSON itself. */
type ByColumn = z.ZodType<unknown, Readonly<Record<string, number | string>> | null>;
const byColumn = z.unknown() as unknown as ByColumn;
const amount = z.union([number, text]).nullable();

const objective = z.strictObject({ value: amount, bound: amount, gap: amount });
/** Value, bound and gap as numbers; as exact texts where they are beyond the range of doubles. */
export type ProgramObjective = TypeOf<typeof objective>;

const common = {
  shardproof: z.literal(1),
  status: textOf<ProgramStatus>(),
  objective,
  exact: z.strictObject({ value: text.nullable(), bound: text.nullable() }),
  /** SHA-256 of the canonical JSON without `timing` and this field. */
  digest: text,
};

const referenceFields = {
  name: text,
  /** `programHash`: of the program's meaning, not of the file's bytes. */
  sha256: text,
  /** Where it was read; `-` is standard input. */
  file: placeShape,
  /** Whose rules were followed in reading it, where not the default's: the model is read by it, and its hash compared. */
  dialect: covered("chosen", z.enum(DIALECTS) as z.ZodType<(typeof DIALECTS)[number], string>).optional(),
};
/** Which program something speaks of. */
export interface ProgramReference extends Fields<typeof referenceFields> {}

const certificateFields = {
  ...common,
  kind: z.literal("certificate"),
  model: z.strictObject(referenceFields),
  request: covered(REQUEST, z.strictObject({ gap: gapShape })),
  /** By column name; `null` where no point is known. */
  point: covered("chosen", byColumn) as z.ZodType<unknown, Readonly<Record<string, string>> | null>,
  certificate: certificateShape as z.ZodType<unknown, Certificate>,
};
/**
 * A certificate as a file: everything that another reader needs to check an answer, beside the program itself. Numbers
 * under `exact` and `point` are integers or fractions in lowest terms.
 */
export interface CertificateFile extends Fields<typeof certificateFields> {}
export const certificateFileSchema = z.strictObject(certificateFields);

const modelFields = {
  ...referenceFields,
  sense: textOf<"minimize" | "maximize">(),
  columns: number,
  integerColumns: number,
  rows: number,
  /** Coefficients of the rows other than zero. */
  nonZeros: number,
  /** Files written before this was added are without. */
  contents: (z.unknown() as unknown as z.ZodType<unknown, ProgramContents>).optional(),
};
/** What a program file holds. */
export interface ProgramModel extends Fields<typeof modelFields> {}
const model: Named<ProgramModel, typeof modelFields> = z.strictObject(modelFields);

const requestFields = {
  /** Relative gap to prove. */
  gap: gapShape,
  timeLimitSeconds: number,
  seed: number,
  /** The solver that is asked for a first point. */
  solver: text,
};
export interface SolutionRequest extends Fields<typeof requestFields> {}
const request: Named<SolutionRequest, typeof requestFields> = z.strictObject(requestFields);

const wordFields = {
  solver: text,
  /** `failed` where it gave no answer; `failure` says why. */
  status: text,
  value: number.nullable(),
  bound: number.nullable(),
  failure: text.nullable(),
};
/** What a solver said of the program: its word, not a proof. */
export interface SolverWord extends Fields<typeof wordFields> {}
const word: Named<SolverWord, typeof wordFields> = z.strictObject(wordFields);

const readingFields = {
  /** `unread`: it cannot read the file, or does not say what it read. */
  status: z.enum(["same", "different", "unread"]),
  /** The first row or column that differs, or why it was not read. */
  detail: text.nullable(),
};
/** Whether another solver reads the same program from the file. */
export interface ReadingBeside extends Fields<typeof readingFields> {}
const reading: Named<ReadingBeside, typeof readingFields> = z.strictObject(readingFields);

const besideFields = {
  ...wordFields,
  /** Relative, between its own value and bound. */
  gap: number.nullable(),
  /** What it makes of the file itself. Files written before this was added are without. */
  reading: covered({ reason: "what the other solver made of the file when it was read" }, reading).optional(),
};
export interface WordBeside extends Fields<typeof besideFields> {}
const beside: Named<WordBeside, typeof besideFields> = z.strictObject(besideFields);

const timingFields = {
  ...{ readSeconds: number, solveSeconds: number, proveSeconds: number, totalSeconds: number },
  /** What the solver beside took of the same time; only where there was one. */
  besideSeconds: number.optional(),
};
/** Wall-clock seconds. */
export interface SolutionTiming extends Fields<typeof timingFields> {}
const timing: Named<SolutionTiming, typeof timingFields> = z.strictObject(timingFields);

const solutionFields = {
  ...common,
  kind: z.literal("solution"),
  model,
  /** What the reader of the model had to say, line by line; texts in files that were written before notes had codes, and older ones are without. */
  notes: covered(
    { reason: "what was told of the model's file when it was read" },
    listOf(z.union([text, z.strictObject({ code: text, line: number, text })])).optional(),
  ),
  request: covered(REQUEST, request),
  /** By column name: a number where a double is exactly that, else the exact text (`"1/3"`). */
  variables: covered("chosen", byColumn),
  /** The nearest double of each variable, where readers want numbers alone. Files written before this was added are without. */
  approx: (byColumn as z.ZodType<unknown, Readonly<Record<string, number | string>>>).optional(),
  /** With status `unbounded`: from the point given, adding any multiple of this (by column name) stays feasible and improves. */
  ray: covered("chosen", byColumn),
  /** Why nothing better is known, in words; `null` where the answer is complete. */
  reason: covered({ reason: "how the search ended, in its own words" }, text.nullable()),
  /** What solvers said, where any was asked. */
  claims: covered(CLAIM, listOf(word)),
  /** What a solver said that was given the whole program and the same time beside ours, where one was. */
  beside: covered(CLAIM, beside).optional(),
  /** Where solvers contradict what was proved, or one another, in words. */
  contradictions: covered({ reason: "what was made of the solvers' words, which are not checked" }, listOf(text)),
  nodes: covered({ reason: "how far the search went, of which the certificate says nothing" }, number),
  /** The size of the certificate. */
  proof: z.strictObject({ steps: number, branchings: number }).nullable(),
  /** The proof of the bound; `null` where there is none, or where it was written to a file of its own. */
  certificate: certificateShape,
  /** Where the certificate was written instead. */
  certificateFile: text.nullable(),
  timing: covered(TIMING, timing),
};
/**
 * What solving a program file comes to: the JSON of `shardproof solve`.
 *
 * `objective.value` is evaluated at the point and `objective.bound` derived from the certificate, both in exact
 * arithmetic; `exact` has the same as fractions.
 */
export interface ProgramSolution extends Fields<typeof solutionFields> {}
export const solutionSchema = z.strictObject(solutionFields);

/** Files as they were read: of the right shape, nothing of them checked. */
export type WrittenCertificate = z.output<typeof certificateFileSchema>;
export type WrittenSolution = z.output<typeof solutionSchema>;

/** Checks the shape of a parsed file. Throws `InputError` with the first key that is not as it should be. */
export function shapeProgramFile(json: unknown, file: string): WrittenCertificate | WrittenSolution {
  const isSolution = (json as { kind?: unknown }).kind === "solution";
  const parsed = isSolution ? solutionSchema.safeParse(json) : certificateFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as (typeof parsed.error.issues)[number];
  const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
  const said = unknown.length > 0 ? "unknown key" : issue.message.replace(/^Invalid input: /, "");
  throw new InputError(`${[...issue.path, ...unknown].join(".")}: ${said}`, file);
}
