import { z } from "zod";
import { nearestWord } from "../../errors/nearest.js";
import { EXACT_METHOD } from "./method-names.js";

/** Parts of plan files that are alike for every problem: their shape alone (see the schema of each). */
const number = z.number();
const text = z.string();

const instanceShape = z.strictObject({ name: text, sha256: text, file: text });

/** The relative gap that was to be proved: see `askedGap`. */
export const gapShape = z.number().refine((gap) => gap >= 0 && gap < 1, {
  error: ({ input }) => `expected a relative gap of at least 0 and below 1, received ${input}`,
});

export const requestShape = z.strictObject({ gap: gapShape, timeLimitSeconds: number, seed: number });

/** What a general solver said of the same program. */
const claimShape = z.strictObject({
  solver: text,
  status: text,
  value: number.nullable(),
  bound: number.nullable(),
  agrees: z.boolean(),
  remark: text,
});

export const timingShape = z.strictObject({
  readSeconds: number,
  solveSeconds: number,
  proveSeconds: number,
  totalSeconds: number,
});

/** What the entries of each list are, for those who walk a schema. */
export const listElements = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * A list of which the first bad entry alone is told: zod's own keeps an issue for each, which for millions of them takes
 * all memory.
 */
export function listOf<Element extends z.ZodType>(element: Element) {
  const list = z.array(z.unknown()).transform((entries, context) => {
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
  listElements.set(list, element);
  return list;
}

/** One of the names of methods. Of another one it is said which may have been meant. */
export function methodShape(names: readonly string[]): z.ZodType<string> {
  return z.enum(names, {
    error: ({ input }) => {
      const received = typeof input === "string" ? "a method that there is not" : "no name";
      const nearest = typeof input === "string" ? nearestWord(input, names) : undefined;
      return `expected the method ${nearest ?? `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`}, received ${received}`;
    },
  });
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
    certificate: z.unknown(),
    claim: claimShape.nullable(),
    timing: timingShape,
    digest: text,
  };
}

/** Of a goal. */
export const valueShape = { value: number.nullable(), bound: number.nullable(), gap: number.nullable() };
export const exactShape = { value: text.nullable(), bound: text.nullable() };
