import { z } from "zod";
import { nearestWord } from "../../errors/nearest.js";
import { EXTRAS } from "./envelope.js";
import { EXACT_METHOD } from "./method-names.js";

/** Parts of plan files that are alike for every problem: their shape alone (see the schema of each). */
const number = z.number();
const text = z.string();

/** One of these words, as the JSON Schema has it. Whether it is the right one is for the verifier to say. */
export const word = (...words: readonly string[]) => z.string().meta({ enum: words });

/** An integer or a fraction in lowest terms, as text. */
export const exactNumber = z.string().describe('an integer or a fraction in lowest terms, such as "1/3"');

const instanceShape = z
  .strictObject({
    name: text,
    sha256: text.describe("of the instance: lower-case hexadecimal"),
    file: text.describe("path as it was given; - is standard input"),
  })
  .describe("the instance that the plan is for");

/** The relative gap that was to be proved: see `askedGap`. */
export const gapShape = z.number().refine((gap) => gap >= 0 && gap < 1, {
  error: ({ input }) => `expected a relative gap of at least 0 and below 1, received ${input}`,
});

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
    agrees: z.boolean().describe("the claim can be true beside what was proved, up to tolerances"),
    remark: text,
  })
  .nullable()
  .describe("what a general solver said of the same program, where one was asked: its word, not a proof");

const timingShape = z
  .strictObject({ readSeconds: number, solveSeconds: number, proveSeconds: number, totalSeconds: number })
  .describe("wall-clock seconds, each a multiple of a millisecond; not in the digest");

/** Of heuristics, and of searches that somebody stopped. */
export const stoppedShape = z
  .literal(true)
  .optional()
  .describe("the heuristic's time was over, or somebody stopped the search: with more, it may find another plan");

/** A proof, which the checker reads: its grammar is docs/proofs.md. */
export const certificateShape = z
  .unknown()
  .meta({ type: ["object", "null"], description: "the proof as src/proof checks it; docs/proofs.md has its grammar" });

/** What the entries of each list are, for those who walk a schema. */
export const listElements = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * A list of which the first bad entry alone is told: zod's own keeps an issue for each, which for millions of them takes
 * all memory. A description is given here: zod describes a copy, whose elements were not known.
 */
export function listOf<Element extends z.ZodType>(element: Element, description?: string) {
  const plain = z.array(z.unknown()).transform((entries, context) => {
    const parsedEntries: z.output<Element>[] = [];
    for (const [index, entry] of entries.entries()) {
      const parsed = element.safeParse(entry);
      if (!parsed.success) {
        const [{ path, ...issue }] = parsed.error.issues as [z.core.$ZodIssue];
        context.addIssue({ ...issue, path: [index, ...path] } as Parameters<typeof context.addIssue>[0]);
        return z.NEVER;
      }
      parsedEntries.push(parsed.data);
    }
    return parsedEntries;
  });
  const list = description === undefined ? plain : plain.describe(description);
  listElements.set(list, element);
  return list;
}

/** One of the names of methods. Of another one it is said which may have been meant. */
export function methodShape(names: readonly string[]): z.ZodType<string> {
  const shape = z.enum(names, {
    error: ({ input }) => {
      const received = typeof input === "string" ? "a method that there is not" : "no name";
      const nearest = typeof input === "string" ? nearestWord(input, names) : undefined;
      return `expected the method ${nearest ?? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`}, received ${received}`;
    },
  });
  return shape.describe("the exact method (optimal), or a published one by its paper's name");
}

/** Fields that plans of every problem have; the exact method is one of theirs beside the published `methods`. */
export function envelopeShape(methods: readonly string[]) {
  return {
    shardproof: number,
    problem: text,
    instance: instanceShape,
    method: methodShape([EXACT_METHOD, ...methods]),
    status: text,
    request: requestShape,
    certificate: certificateShape,
    claim: claimShape,
    timing: timingShape,
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
