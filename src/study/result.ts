import { z } from "zod";
import { InputError } from "../errors/input-error.js";
import { writePlan } from "../plan-file/write-plan.js";
import type { JobLine } from "./job.js";

/** What a line comes to that is no plan file: a decision of a method of somebody's own, or no plan. */
const timing = z.strictObject({ solveSeconds: z.number() });
const head = { shardproof: z.literal(1), id: z.string(), method: z.string() };
const decisionSchema = z.strictObject({ kind: z.literal("decision"), ...head, decision: z.unknown(), timing });
const noneSchema = z.strictObject({
  kind: z.literal("none"),
  ...head,
  outcome: z.enum(["not-applicable", "none", "breaks-limits"]),
  reason: z.string(),
  timing,
});
const ownSchema = z.discriminatedUnion("kind", [decisionSchema, noneSchema]);

/** A plan file's text, or what else a line came to. */
export type Result =
  | { readonly kind: "plan"; readonly text: string }
  | z.output<typeof decisionSchema>
  | z.output<typeof noneSchema>;

/** What a line came to, without what it has in common with others. */
type Came =
  | Pick<z.output<typeof decisionSchema>, "kind" | "decision">
  | Pick<z.output<typeof noneSchema>, "kind" | "outcome" | "reason">;

export function resultText({ id, method }: JobLine, { kind, ...came }: Came, solveSeconds: number): string {
  return writePlan({ kind, shardproof: 1, id, method, ...came, timing: { solveSeconds } });
}

/** A result's file, read. Throws `InputError` for what is none, or another line's. */
export function resultIn(text: string, file: string, line: JobLine): Result {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InputError("expected a result of a study, received what is no JSON; remove it and run the study", file);
  }
  if (typeof json === "object" && json !== null && "digest" in json) return { kind: "plan", text };
  const parsed = ownSchema.safeParse(json);
  const { id, method } = line;
  if (parsed.success && parsed.data.id === id && parsed.data.method === method) return parsed.data;
  throw new InputError("expected the result of its line, received another; remove it and run the study", file);
}
