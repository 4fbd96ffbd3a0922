import type { z } from "zod";
import { InputError } from "../errors/input-error.js";
import { hasRepeatedKeys } from "../input/json.js";
import { type AnyInstance, type InstanceReader, requireInstance } from "../instance/reader.js";
import { planDigest } from "./canonical-json.js";
import type { WrittenEnvelope } from "./envelope.js";
import { parsePlan, shapePlan } from "./read-plan.js";

/** Opens the instance of a plan; gets the path that the plan has. */
export type OpenInstance = (file: string) => Promise<AnyInstance>;

/**
 * A plan file's JSON, of one of the problems and as it was written. Throws `InputError` when the text is no plan of
 * version 1 of these problems, or was changed after it was written.
 */
export function originalPlan(
  text: string,
  file: string,
  problems: readonly AnyInstance["problem"][],
): Readonly<Record<string, unknown>> {
  const json = parsePlan(text, file);
  if (json.shardproof !== 1 || !problems.some((problem) => problem === json.problem)) {
    const known = [problems.slice(0, -1).join(", "), ...problems.slice(-1)].filter((text) => text !== "").join(" or ");
    throw new InputError(`expected a plan of version 1 for ${known}, received another; name one of those`, file);
  }
  if (json.digest !== planDigest(json) || hasRepeatedKeys(text, json)) {
    throw new InputError("expected the plan as it was written, received one changed since; plan again", file);
  }
  return json;
}

/** Throws `InputError` when the plan file says that there is no plan. It has tables where it has one. */
export function requirePlanned(
  { status, tables }: { readonly status: string; readonly tables: readonly unknown[] },
  file: string,
): void {
  if (status === "infeasible") {
    const advice = "give the instance what the plan file says it lacks, and plan again";
    throw new InputError(`expected a plan, received the proof that there is none (infeasible); ${advice}`, file);
  }
  if (status === "unknown" && tables.length === 0) {
    const advice = "raise --time-limit and plan again";
    throw new InputError(`expected a plan, received a file that says that none was found (unknown); ${advice}`, file);
  }
}

/** Throws `InputError` when the plan file has no certificate. */
export function requireProof<W extends { readonly method: string; readonly certificate?: unknown }>(
  plan: W,
  file: string,
): W {
  if (plan.certificate !== null && plan.certificate !== undefined) return plan;
  const received = `received one of the method "${plan.method}" without`;
  throw new InputError(`expected a plan with a certificate, ${received}; plan with --method optimal`, file);
}

/**
 * A plan file of the reader's problem as it was written, with the instance that it was made for. Throws `InputError` when
 * the text is none, was changed since, or is of another instance.
 */
export async function planWithInstance<I extends AnyInstance, W extends WrittenEnvelope>(
  reader: InstanceReader<I>,
  schema: z.ZodType<W>,
  { text, file, openInstance }: PlanSource,
): Promise<{ readonly plan: W; readonly instance: I }> {
  const plan = shapePlan(schema, originalPlan(text, file, [reader.problem]), text, file);
  const instance = requireInstance(reader, await openInstance(plan.instance.file));
  requireInstanceOf(plan.instance, instance, file);
  return { plan, instance };
}

/** A plan file's text and name, and how its instance is opened. */
export interface PlanSource {
  readonly text: string;
  readonly file: string;
  readonly openInstance: OpenInstance;
}

/** Throws `InputError` when the plan was made for another instance. */
function requireInstanceOf(
  plan: { readonly name: string; readonly sha256: string },
  instance: { readonly file: string; readonly name: string; readonly sha256: string },
  file: string,
): void {
  if (plan.sha256 === instance.sha256) return;
  const message = `expected the plan of ${instance.file} ("${instance.name}", SHA-256 ${short(instance.sha256)}), received that of "${plan.name}", SHA-256 ${short(plan.sha256)}`;
  throw new InputError(`${message}; plan again, or say with --instance where the plan's instance is`, file);
}

function short(sha256: string): string {
  return `${sha256.slice(0, 12)}…`;
}
