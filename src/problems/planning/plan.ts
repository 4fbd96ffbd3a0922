import type { ForeignModel } from "../../facts/facts.js";
import type { PlanOptions } from "../plan-options.js";
import type { Problem } from "../problem.js";
import { type Instance, loadInstance, opened } from "./instances.js";
import { problemOf, type Registered } from "./registry.js";

/** A plan of any problem; `problem` tells them apart. */
export type Plan = Registered["plan"];

/** An instance made ready for its problem's methods. */
export interface PreparedInstance {
  readonly problem: Problem;
  readonly instance: Instance;
  readonly ready: unknown;
  /** What it says of a cost model that is not this program's. */
  foreign(): Promise<ForeignModel | null>;
}

/**
 * Plans an instance of any problem (a path, or one that is read already): what its problem's own `plan` throws is
 * thrown.
 */
export async function planInstance(source: Instance | string, options: PlanOptions = {}): Promise<Plan> {
  return planPreparedInstance(await prepareInstance(source, options.standardInput), options);
}

/** Reads an instance and makes it ready. Each problem's code is loaded when it is needed. Throws `InputError`. */
export async function prepareInstance(
  source: Instance | string,
  standardInput?: () => Promise<string>,
): Promise<PreparedInstance> {
  const started = performance.now();
  const instance = typeof source === "string" ? await loadInstance(source, standardInput) : await opened(source);
  const problem = problemOf(instance);
  const { prepare } = await problem.solving();
  const ready = (await prepare(instance)) as object;
  const readSeconds = (performance.now() - started) / 1000;
  const foreign = async () => (await problem.foreignModel?.(instance)) ?? null;
  return { problem, instance, ready: { ...ready, readSeconds }, foreign };
}

/** {@link planInstance} for an instance that is ready. */
export async function planPreparedInstance(
  { problem, ready }: PreparedInstance,
  options: PlanOptions = {},
): Promise<Plan> {
  const { plan } = await problem.solving();
  return (await plan(ready, options)) as Plan;
}
