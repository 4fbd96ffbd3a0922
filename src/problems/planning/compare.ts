import type { CompareOptions } from "../plan-options.js";
import type { Comparison } from "../problem.js";
import type { Instance } from "./instances.js";
import { type PreparedInstance, prepareInstance } from "./plan.js";

/** Every method on one instance. */
export interface MethodComparison extends Comparison {
  readonly problem: string;
}

/** Compares all methods on an instance of any problem. Throws as `planInstance` does. */
export async function compareInstance(
  source: Instance | string,
  options: CompareOptions = {},
): Promise<MethodComparison> {
  return comparePreparedInstance(await prepareInstance(source, options.standardInput), options);
}

/** {@link compareInstance} for an instance that is ready. */
export async function comparePreparedInstance(
  { problem, ready }: PreparedInstance,
  options: CompareOptions = {},
): Promise<MethodComparison> {
  const { compare } = await problem.comparing();
  return { problem: problem.name, ...(await compare(ready, options)) };
}
