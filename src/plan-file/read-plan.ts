import type { z } from "zod";
import { InputError } from "../errors/input-error.js";
import { placeInJson, readJson } from "../input/json.js";
import { pathText } from "../instance/findings.js";

/**
 * Parses a plan file's JSON and makes sure that it is a plan, but not of what shape. Throws `InputError` with the place
 * when it is no JSON, or no plan at all.
 */
export function parsePlan(text: string, file: string): Readonly<Record<string, unknown>> {
  const value = readJson(text, file, "a plan file");
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const fields = isObject ? (value as Record<string, unknown>) : {};
  for (const key of ["shardproof", "problem", "digest"]) {
    if (Object.hasOwn(fields, key)) continue;
    const advice = "; give the file that `shardproof plan --out FILE` writes";
    throw new InputError(`expected a plan file, received JSON without the key ${key}${advice}`, file);
  }
  return fields;
}

/**
 * Checks the shape of a parsed plan by its problem's schema. Throws `InputError` with the path and place of the first key
 * that is missing, unknown or of another type.
 */
export function shapePlan<Shape>(
  schema: z.ZodType<Shape>,
  plan: Readonly<Record<string, unknown>>,
  text: string,
  file: string,
): Shape {
  const parsed = schema.safeParse(plan);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as (typeof parsed.error.issues)[number];
  const path = [...(issue.path as (string | number)[]), ...(issue.code === "unrecognized_keys" ? issue.keys : [])];
  const said = issue.code === "unrecognized_keys" ? "unknown key" : issue.message.replace(/^Invalid input: /, "");
  throw new InputError(`${pathText(path)}: ${said}`, file, placeInJson(text, path));
}
