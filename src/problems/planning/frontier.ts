import { InputError } from "../../errors/input-error.js";
import type { AnyFrontier, FrontierOptions } from "../frontier-options.js";
import type { Frontiers } from "../problem.js";
import type { Instance } from "./instances.js";
import { PROBLEMS, problemOf } from "./registry.js";

/** Memory against the goal of an instance. Throws `InputError` where its problem has no frontier. */
export async function frontierOf(instance: Instance, options: FrontierOptions = {}): Promise<AnyFrontier> {
  return (await frontiersOf(instance)).frontier(instance as never, options);
}

/** What computes and shows the frontier of an instance, or of a frontier's own problem. */
export async function frontiersOf(of: Pick<Instance, "problem" | "file">): Promise<Frontiers<never>> {
  const { frontiers } = problemOf(of as Instance);
  if (frontiers !== undefined) return (await frontiers()) as Frontiers<never>;
  const names = PROBLEMS.flatMap(({ name, frontiers: own }) => (own === undefined ? [] : [name]));
  const known = [...new Set(names)].sort().join(" or ");
  throw new InputError(`expected an instance of ${known}, received one of ${of.problem}`, of.file);
}
