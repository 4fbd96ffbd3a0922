import { z } from "zod";
import { nearestWord } from "../errors/nearest.js";
import type { Certificate } from "../proof/certificate.js";
import { EXTRAS } from "./envelope.js";
import { covered, exactNumber, number, text } from "./fields.js";
import { EXACT_METHOD } from "./method-names.js";

/** Parts of plan files that are alike for every problem: their shape, and what `verify` makes of them. */

/** Where something was read. */
export const placeShape = covered({ reason: "where it was when the file was made" }, text);

const instanceShape = z
  .strictObject({
    name: text,
    sha256: text.describe("of the instance: lower-case hexadecimal"),
    file: placeShape.describe("path as it was given; - is standard input"),
  })
  .describe("the instance that the plan is for");

/** The relative gap that was to be proved: see `askedGap`. */
export const gapShape = z.number().refine((gap) => gap >= 0 && gap < 1, {
  error: ({ input }) => `expected a relative gap of at least 0 and below 1, received ${input}`,
});

export const REQUEST = { reason: "what was asked for is the file's own word" };
export const CLAIM = { reason: "what a general solver said: its word" };
export const TIMING = { reason: "wall-clock seconds leave no trace to check them by" };

const requestShape = z
  .strictObject({
    gap: gapShape.meta({ minimum: 0, exclusiveMaximum: 1, description: "relative gap that was to be proved" }),
    timeLimitSeconds: number,
    workLimitSeconds: number.optional().describe("most work of the search, in seconds as work is counted"),
    seed: number,
    without: z.array(z.enum(EXTRAS)).min(1).optional().describe("what was not to be computed beside the plan"),
  })
  .describe("what was asked for");

/** What a general solver said of the same program. */
const claimShape = z
  .strictObject({
    solver: text,
    status: text,
    value: number.nullable(),
    bound: number.nullable(),
    agrees: covered("computed", z.boolean().describe("the claim can be true beside what was proved, up to tolerances")),
    remark: covered("computed", text),
  })
  .nullable()
  .describe("what a general solver said of the same program, where one was asked: its word, not a proof");

const timingShape = z
  .strictObject({ readSeconds: number, solveSeconds: number, proveSeconds: number, totalSeconds: number })
  .describe("wall-clock seconds, each a multiple of a millisecond; not in the digest");

/** Of heuristics, and of searches that somebody stopped. */
export const stoppedShape = covered(
  "told",
  z
    .literal(true)
    .optional()
    .describe("the heuristic's time was over, or somebody stopped the search: with more, it may find another plan"),
);

/** A proof, which the checker reads: its grammar is docs/proofs.md. */
export const certificateShape = covered(
  "chosen",
  z.unknown().meta({
    type: ["object", "null"],
    description: "the proof as src/proof checks it; docs/proofs.md has its grammar",
  }),
) as unknown as z.ZodType<unknown, Certificate | null>;

/** One of the names of methods. Of another one it is said which may have been meant. */
export function methodShape(names: readonly string[]): z.ZodType<string, string> {
  const shape = z.enum(names, {
    error: ({ input }) => {
      const received = typeof input === "string" ? "a method that there is not" : "no name";
      const nearest = typeof input === "string" ? nearestWord(input, names) : undefined;
      return `expected the method ${nearest ?? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`}, received ${received}`;
    },
  });
  // A heuristic's plan is computed again where its method is run again.
  return covered("told", shape.describe("the exact method (optimal), or a published one by its paper's name"));
}

/** Fields that plans of every problem have; the exact method is one of theirs beside the published `methods`. */
export function envelopeShape(methods: readonly string[]) {
  return {
    shardproof: number,
    problem: text,
    instance: instanceShape,
    method: methodShape([EXACT_METHOD, ...methods]),
    status: text,
    request: covered(REQUEST, requestShape),
    certificate: certificateShape,
    claim: covered(CLAIM, claimShape),
    timing: covered(TIMING, timingShape),
    digest: text.describe("SHA-256 of the plan's canonical JSON without timing and digest: lower-case hexadecimal"),
  };
}

/** Of a goal. */
export const valueShape = {
  value: number.nullable().describe("what the plan comes to"),
  bound: number.nullable().describe("proved in exact arithmetic: no plan is better"),
  gap: number.nullable().describe("|value - bound| / |value|"),
};
export const exactShape = { value: exactNumber.nullable(), bound: exactNumber.nullable() };
