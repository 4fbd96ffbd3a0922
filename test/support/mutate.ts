import { InputError } from "../../src/errors/input-error.js";
import { pathText } from "../../src/instance/findings.js";
import { planDigest } from "../../src/plan-file/canonical-json.js";
import type { PublishedMethods } from "../../src/problems/planning/verify.js";
import { publishedMethods } from "../../src/problems/planning/verify.js";
import type { MethodsOf, Rerun } from "../../src/problems/verification/published-methods.js";
import { isBelow } from "../../src/problems/verification/uncovered.js";
import type { Verification } from "../../src/problems/verification/verification.js";
import { someOf } from "./draws.js";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Path = readonly (string | number)[];
export type Leaf = null | boolean | number | string;

export function leavesOf(value: Json, path: Path = []): { path: Path; value: Leaf }[] {
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, field]) =>
    leavesOf(field, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

export function changesOf(value: Leaf): Leaf[] {
  if (value === null) return [0, "x"];
  if (typeof value === "boolean") return [!value];
  if (typeof value === "string")
    return [`${value}x`, value.slice(1), value.replace(/\d/, (digit) => `${(Number(digit) + 1) % 10}`)].filter(
      (changed) => changed !== value,
    );
  return [...new Set([value * (1 + 1e-9), value + 1, -value])].filter((changed) => changed !== value);
}

export function withValue(root: Json, path: Path, value: Json): Json {
  const copy = structuredClone(root);
  let holder = copy as { [key: string | number]: Json };
  for (const step of path.slice(0, -1)) holder = holder[step] as typeof holder;
  holder[path.at(-1) as string] = value;
  return copy;
}

/**
 * Changes of any one leaf of a file, its digest made anew, that pass in a place that is not said to be unchecked. Every leaf is
 * changed: in one of its ways, drawn by the commit, or where all is drawn in each of them.
 */
export async function unseenChanges(
  file: Json,
  verify: (changed: Json) => Promise<Verification>,
  isAsGood: (path: string) => boolean,
): Promise<{ readonly tried: number; readonly unseen: readonly string[] }> {
  const unseen: string[] = [];
  let tried = 0;
  // The digest itself is the one thing that is made anew.
  for (const [k, { path, value }] of leavesOf(file)
    .filter(({ path }) => path[0] !== "digest")
    .entries()) {
    for (const changed of someOf(changesOf(value), 1, k)) {
      tried++;
      const forged = withValue(file, path, changed) as { [key: string]: Json };
      forged.digest = planDigest(forged);
      const { passed, notChecked } = await verify(forged).catch((error: unknown) => {
        // Of another version, or a method that there is not: refused before anything is verified. All else is a crash.
        if (!(error instanceof InputError)) unseen.push(`${pathText(path)}: ${JSON.stringify(changed)}: ${error}`);
        return { passed: false, notChecked: [] };
      });
      if (!passed || isAsGood(path.join("."))) continue;
      const [exact, pattern] = [pathText(path), pathText(path).replace(/\[\d+\]/g, "[]")];
      if (notChecked.some((field) => isBelow(exact, field.path) || isBelow(pattern, field.path))) continue;
      unseen.push(`${exact}: ${JSON.stringify(value)} as ${JSON.stringify(changed)}`);
    }
  }
  return { tried, unseen };
}

/** The published methods for plans of one instance: what a method gave once it gives again, so that many plans can be verified. */
export function rememberedMethods(): PublishedMethods {
  const methods = publishedMethods("quick");
  const known = new Map<string, unknown>();
  const remembered = <Input, Result>(own: MethodsOf<Input, Result>): MethodsOf<Input, Result> => ({
    ...own,
    run: (method, input, seed) => {
      const { towers } = input as { readonly towers?: number };
      const key = JSON.stringify([method, seed, towers]);
      if (!known.has(key)) known.set(key, own.run(method, input, seed));
      return known.get(key) as Rerun<Result>;
    },
  });
  return async (problem) => remembered(await methods(problem));
}
