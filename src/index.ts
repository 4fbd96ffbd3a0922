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

export { type CompareOptions, type Comparison, type ComparisonOf, compare } from "./entries/library/compare.js";
export { rowTiers, tablePlacement, towerPartition, writeInstance } from "./entries/library/construct.js";
export { type DecisionOf, evaluate } from "./entries/library/evaluate.js";
export { type ExplainOptions, type Explanation, explain } from "./entries/library/explain.js";
export {
  type Frontier,
  type FrontierOf,
  type FrontierOptions,
  frontier,
  type PlacementFrontier,
} from "./entries/library/frontier.js";
export type {
  JointTowersInput,
  RowTiersInput,
  TablePlacementInput,
  TowerPartitionInput,
} from "./entries/library/input.js";
export {
  METHODS,
  type Method,
  type RowTiersMethod,
  type TablePlacementMethod,
  type TowerPartitionMethod,
} from "./entries/library/methods.js";
export type { OwnMethods, OwnRowTiers, OwnTablePlacement, OwnTowerPartition } from "./entries/library/own.js";
export { type MethodOf, type PlanOf, type PlanOptions, plan } from "./entries/library/plan.js";
export { readPlan } from "./entries/library/read-plan.js";
export { type VerifyOptions, verify } from "./entries/library/verify.js";
export { InputError } from "./errors/input-error.js";
export type { RowTiersInstance } from "./instance/types/row-tiers.js";
export type { TablePlacementInstance } from "./instance/types/table-placement.js";
export type { TowerPartitionInstance } from "./instance/types/tower-partition.js";
export { writePlan } from "./plan-file/write-plan.js";
export type { Evaluation } from "./problems/evaluation.js";
export type { JointTowersPlan, TowerPartitionPlan } from "./problems/joint-towers/plan-file/by-status.js";
export type { Instance } from "./problems/planning/instances.js";
export { instanceJsonSchema, loadInstance, parseInstance } from "./problems/planning/instances.js";
export type { Plan } from "./problems/planning/plan.js";
export { plansJsonSchema } from "./problems/planning/plan-schemas.js";
export type { RowTiersPlan } from "./problems/row-tiers/plan-file/by-status.js";
export type { TablePlacementPlan } from "./problems/table-placement/plan-file/by-status.js";
export type { Verification } from "./problems/verification/verification.js";
export { SolverError } from "./solvers/solver-error.js";
export { type GeneratorOptions, generate } from "./study/generate/generate.js";
export type { GeneratorKind } from "./study/generate/kinds.js";
