/**
 * The library: an instance is planned, the plan proved, written, read and checked again.
 *
 * ```ts
 * import { plan, writePlan } from "shardproof";
 *
 * const result = await plan("instance.yaml", { timeLimitSeconds: 20 });
 * if (result.status === "proved") console.log(result.objective.value);
 * ```
 *
 * A guide with three tasks is docs/library.md. Further entries: `shardproof/program` (programs and the models of instances),
 * `shardproof/proof` (certificates), `shardproof/torchrec`, `shardproof/learn` (costs, policies and accesses from data),
 * `shardproof/simulate` and `shardproof/reproduce`.
 */

export { InputError } from "./errors/input-error.js";
export { type GeneratorOptions, generate } from "./generate/generate.js";
export type { GeneratorKind } from "./generate/kinds.js";
export type { RowTiersInstance } from "./instances/row-tiers.js";
export type { TablePlacementInstance } from "./instances/table-placement.js";
export type { TowerPartitionInstance } from "./instances/tower-partition.js";
export { type CompareOptions, type Comparison, type ComparisonOf, compare } from "./library/compare.js";
export { rowTiers, tablePlacement, towerPartition, writeInstance } from "./library/construct.js";
export { type DecisionOf, evaluate } from "./library/evaluate.js";
export { type ExplainOptions, type Explanation, explain } from "./library/explain.js";
export {
  type Frontier,
  type FrontierOf,
  type FrontierOptions,
  frontier,
  type PlacementFrontier,
} from "./library/frontier.js";
export type {
  JointTowersInput,
  RowTiersInput,
  TablePlacementInput,
  TowerPartitionInput,
} from "./library/input.js";
export {
  METHODS,
  type Method,
  type RowTiersMethod,
  type TablePlacementMethod,
  type TowerPartitionMethod,
} from "./library/methods.js";
export type { OwnMethods, OwnRowTiers, OwnTablePlacement, OwnTowerPartition } from "./library/own.js";
export { type MethodOf, type PlanOf, type PlanOptions, plan } from "./library/plan.js";
export { readPlan } from "./library/read-plan.js";
export { type VerifyOptions, verify } from "./library/verify.js";
export type { Evaluation } from "./problems/evaluation.js";
export type { Instance } from "./problems/instances.js";
export { instanceJsonSchema, loadInstance, parseInstance } from "./problems/instances.js";
export type { JointTowersPlan, TowerPartitionPlan } from "./problems/joint-towers/plan-file/by-status.js";
export type { Plan } from "./problems/plan.js";
export { writePlan } from "./problems/plan-file/write-plan.js";
export { plansJsonSchema } from "./problems/plan-schemas.js";
export type { RowTiersPlan } from "./problems/row-tiers/plan-file/by-status.js";
export type { TablePlacementPlan } from "./problems/table-placement/plan-file/by-status.js";
export type { Verification } from "./problems/verification/verification.js";
export { SolverError } from "./solvers/solver-error.js";
