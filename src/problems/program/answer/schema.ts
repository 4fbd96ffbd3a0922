import { z } from "zod";
import { InputError } from "../../../errors/input-error.js";
import { DIALECTS } from "../../../program/reading/dialect.js";
import { gapShape, listOf } from "../../plan-file/plan-shape.js";

/**
 * The shapes of the two files about a program. Only the shapes: whether a number or a word is right is for the verifier
 * to say. Certificates, and objects by column name, are read from the JSON itself.
 */
const text = z.string();
const number = z.number();
const amount = z.union([number, text]).nullable();

const common = {
  shardproof: z.literal(1),
  status: text,
  objective: z.strictObject({ value: amount, bound: amount, gap: amount }),
  exact: z.strictObject({ value: text.nullable(), bound: text.nullable() }),
  certificate: z.unknown(),
  digest: text,
};
const reference = { name: text, sha256: text, file: text, dialect: z.enum(DIALECTS).optional() };

const word = z.strictObject({
  solver: text,
  status: text,
  value: number.nullable(),
  bound: number.nullable(),
  failure: text.nullable(),
});

export const certificateFileSchema = z.strictObject({
  ...common,
  kind: z.literal("certificate"),
  model: z.strictObject(reference),
  request: z.strictObject({ gap: gapShape }),
  point: z.unknown(),
});

export const solutionSchema = z.strictObject({
  ...common,
  kind: z.literal("solution"),
  model: z.strictObject({
    ...reference,
    sense: text,
    columns: number,
    integerColumns: number,
    rows: number,
    nonZeros: number,
    contents: z.unknown().optional(),
  }),
  // Texts in files that were written before notes had codes.
  notes: listOf(z.union([text, z.strictObject({ code: text, line: number, text })])).optional(),
  request: z.strictObject({ gap: gapShape, timeLimitSeconds: number, seed: number, solver: text }),
  variables: z.unknown(),
  approx: z.unknown().optional(),
  ray: z.unknown(),
  reason: text.nullable(),
  claims: listOf(word),
  beside: word
    .extend({
      gap: number.nullable(),
      reading: z.strictObject({ status: z.enum(["same", "different", "unread"]), detail: text.nullable() }).optional(),
    })
    .optional(),
  contradictions: listOf(text),
  nodes: number,
  proof: z.strictObject({ steps: number, branchings: number }).nullable(),
  certificateFile: text.nullable(),
  timing: z.strictObject({
    ...{ readSeconds: number, solveSeconds: number, proveSeconds: number, totalSeconds: number },
    besideSeconds: number.optional(),
  }),
});

/** Files as they were read: of the right shape, nothing of them checked. */
export type WrittenCertificate = z.infer<typeof certificateFileSchema>;
export type WrittenSolution = z.infer<typeof solutionSchema>;

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
