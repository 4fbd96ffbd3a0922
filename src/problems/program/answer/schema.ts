import { z } from "zod";
import { InputError } from "../../../errors/input-error.js";
import { DIALECTS } from "../../../program/reading/dialect.js";
import { covered, listOf, number, text } from "../../plan-file/fields.js";
import { CLAIM, gapShape, placeShape, REQUEST, TIMING } from "../../plan-file/plan-shape.js";

/**
 * The shapes of the two files about a program. Only the shapes: whether a number or a word is right is for the verifier
 * to say. Certificates, and objects by column name, are read from the JSON itself.
 */
const amount = z.union([number, text]).nullable();

const common = {
  shardproof: z.literal(1),
  status: text,
  objective: z.strictObject({ value: amount, bound: amount, gap: amount }),
  exact: z.strictObject({ value: text.nullable(), bound: text.nullable() }),
  certificate: covered("chosen", z.unknown()),
  digest: text,
};
const reference = {
  name: text,
  sha256: text,
  file: placeShape,
  /** The model is read by it, and its hash compared. */
  dialect: covered("chosen", z.enum(DIALECTS).optional()),
};

const word = z.strictObject({
  solver: text,
  status: text,
  value: number.nullable(),
  bound: number.nullable(),
  failure: text.nullable(),
});

const reading = covered(
  { reason: "what the other solver made of the file when it was read" },
  z.strictObject({ status: z.enum(["same", "different", "unread"]), detail: text.nullable() }).optional(),
);

export const certificateFileSchema = z.strictObject({
  ...common,
  kind: z.literal("certificate"),
  model: z.strictObject(reference),
  request: covered(REQUEST, z.strictObject({ gap: gapShape })),
  point: covered("chosen", z.unknown()),
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
  notes: covered(
    { reason: "what was told of the model's file when it was read" },
    listOf(z.union([text, z.strictObject({ code: text, line: number, text })])).optional(),
  ),
  request: covered(REQUEST, z.strictObject({ gap: gapShape, timeLimitSeconds: number, seed: number, solver: text })),
  variables: covered("chosen", z.unknown()),
  approx: z.unknown().optional(),
  ray: covered("chosen", z.unknown()),
  reason: covered({ reason: "how the search ended, in its own words" }, text.nullable()),
  claims: covered(CLAIM, listOf(word)),
  beside: covered(CLAIM, word.extend({ gap: number.nullable(), reading }).optional()),
  contradictions: covered({ reason: "what was made of the solvers' words, which are not checked" }, listOf(text)),
  nodes: covered({ reason: "how far the search went, of which the certificate says nothing" }, number),
  proof: z.strictObject({ steps: number, branchings: number }).nullable(),
  certificateFile: text.nullable(),
  timing: covered(
    TIMING,
    z.strictObject({
      ...{ readSeconds: number, solveSeconds: number, proveSeconds: number, totalSeconds: number },
      besideSeconds: number.optional(),
    }),
  ),
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
