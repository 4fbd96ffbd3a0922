import { compareInstance } from "../../problems/planning/compare.js";
import type { Instance } from "../../problems/planning/instances.js";
import type { RegisteredAs } from "../../problems/planning/registry.js";
import { instanceOf, type PlanOptions } from "./plan.js";

/** Every method on one instance; `problem` tells them apart. */
export type Comparison = ComparisonAs<Instance["problem"]>;

/** Of an instance; of a path, one of any problem. */
export type ComparisonOf<Source extends Instance | string> = ComparisonAs<
  Source extends Instance ? Source["problem"] : Instance["problem"]
>;

type ComparisonAs<Name extends Instance["problem"]> = Name extends unknown
  ? { readonly problem: Name } & RegisteredAs<Name>["comparison"]
  : never;

/** What a comparison may be asked: all of it within one time limit. */
export type CompareOptions = Omit<PlanOptions, "method">;

/**
 * Every method that applies on one instance, the exact one first: value, distance from the proved bound, seconds.
 *
 * ```ts
 * const { rows } = await compare("instances/tiny/placement-torchrec.yaml");
 * for (const { method, value, gap } of rows) console.log(method, value, gap);
 * ```
 *
 * Throws as `plan` does.
 */
export async function compare<Source extends Instance | string>(
  source: Source,
  options: CompareOptions = {},
): Promise<ComparisonOf<Source>> {
  return (await compareInstance(await instanceOf(source), options)) as unknown as ComparisonOf<Source>;
}
