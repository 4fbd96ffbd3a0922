import type { z } from "zod";
import { InputError } from "../../errors/input-error.js";
import { placeInJson, readJson } from "../../input/json.js";
import { pathText } from "../../instance/findings.js";
import { rowTiersPlanSchema, type WrittenPlan } from "../row-tiers/plan-file/schema.js";
import { tablePlacementPlanSchema, type WrittenPlacementPlan } from "../table-placement/plan-file/schema.js";
import { towerPartitionPlanSchema, type WrittenTowerPlan } from "../tower-partition/plan-file/schema.js";

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
 * Checks the shape of a parsed row-tiers plan. Throws `InputError` with the path and place of the first key that is
 * missing, unknown or of another type.
 */
export function shapePlan(plan: Readonly<Record<string, unknown>>, text: string, file: string): WrittenPlan {
  return shaped(rowTiersPlanSchema, plan, text, file);
}

/** The same for a table-placement plan. */
export function shapePlacementPlan(
  plan: Readonly<Record<string, unknown>>,
  text: string,
  file: string,
): WrittenPlacementPlan {
  return shaped(tablePlacementPlanSchema, plan, text, file);
}

/** The same for a tower-partition plan. */
export function shapeTowerPlan(plan: Readonly<Record<string, unknown>>, text: string, file: string): WrittenTowerPlan {
  return shaped(towerPartitionPlanSchema, plan, text, file);
}

function shaped<Shape>(schema: z.ZodType<Shape>, plan: unknown, text: string, file: string): Shape {
  const parsed = schema.safeParse(plan);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as (typeof parsed.error.issues)[number];
  const path = [...(issue.path as (string | number)[]), ...(issue.code === "unrecognized_keys" ? issue.keys : [])];
  const said = issue.code === "unrecognized_keys" ? "unknown key" : issue.message.replace(/^Invalid input: /, "");
  throw new InputError(`${pathText(path)}: ${said}`, file, placeInJson(text, path));
}
