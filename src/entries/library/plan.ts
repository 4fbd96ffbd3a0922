import type { PlanOptions as SharedOptions } from "../../problems/plan-options.js";
import { type Instance, loadInstance } from "../../problems/planning/instances.js";
import { type Plan, planInstance } from "../../problems/planning/plan.js";
import type { RegisteredAs } from "../../problems/planning/registry.js";
import type { TowersPlan } from "../../problems/tower-partition/plan-file/by-status.js";
import { opened, type PlainTowersInstance } from "./construct.js";
import type { METHODS, Method } from "./methods.js";

/** Of the general solvers that may be asked beside. */
export type SolverName = "highs" | "glpk" | `native:${string}`;

/** The methods of an instance's problem; of a path, which does not say its problem, all. */
export type MethodOf<Source extends Instance | string> = Source extends Instance
  ? (typeof METHODS)[Source["problem"]][number]
  : Method;

/** The plan of an instance; of a path, one of any problem. */
export type PlanOf<Source extends Instance | string> = Source extends PlainTowersInstance
  ? TowersPlan
  : Source extends Instance
    ? RegisteredAs<Source["problem"]>["plan"]
    : Plan;

/** What a plan may be asked. `Name`: the methods of its problem. */
export interface PlanOptions<Name extends string = Method>
  extends Pick<SharedOptions, "gap" | "seed" | "timeLimitSeconds" | "shouldStop" | "onProgress"> {
  /** One of the problem's methods; default `optimal`, the exact one. */
  readonly method?: Name;
  /** A general solver to ask about the same program; its claim is compared with what was proved. */
  readonly solver?: SolverName;
}

/**
 * Plans an instance, proves the plan and returns it: the path of an instance file, or an instance that `rowTiers`,
 * `tablePlacement`, `towerPartition` or `loadInstance` made. A plan whose status is `proved` was evaluated, and its bound
 * derived, in exact arithmetic; with the status the type tells what else there is.
 *
 * ```ts
 * const result = await plan("instances/paper/flexshard-rm1.yaml", { timeLimitSeconds: 20 });
 * if (result.status === "proved") console.log(result.objective.value);
 * if (result.status === "infeasible") console.log(result.infeasibility?.explanation);
 * ```
 *
 * It computes in the thread that calls it, until the time limit at the latest: `shouldStop` is asked between steps.
 *
 * Throws `InputError` when the instance cannot be read, the method is not known, does not apply, or finds no plan within the
 * limits; `SolverError` when a solver is asked for that is not there; `RangeError` for a gap that is none.
 */
export async function plan<Source extends Instance | string>(
  source: Source,
  options: PlanOptions<MethodOf<Source>> = {},
): Promise<PlanOf<Source>> {
  // The type says less than is known: that plans keep to it is tested over every status of every problem.
  return (await planInstance(await instanceOf(source), options)) as unknown as PlanOf<Source>;
}

/** The instance at a path, or one at hand. Throws `InputError`. */
export async function instanceOf(source: Instance | string): Promise<Instance> {
  return typeof source === "string" ? loadInstance(source) : opened(source);
}
