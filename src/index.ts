/**
 * The public library. One call does the main job:
 *
 * ```ts
 * import { planRowTiers, writePlan } from "shardproof";
 *
 * const plan = await planRowTiers("instance.yaml");
 * console.log(plan.status, plan.objective.value, plan.objective.bound);
 * ```
 */

export type { RowClasses } from "./access/row-classes.js";
export { tableClasses } from "./access/table-classes.js";
export { InputError, type Place } from "./errors/input-error.js";
export { type Random, seededRandom } from "./exact/random.js";
export { Rational } from "./exact/rational.js";
export type * from "./instance/instance.js";
export { loadInstance } from "./instance/load.js";
export { instanceJsonSchema, parseInstance } from "./instance/parse.js";
export { type CompareRow, compareRowTiers } from "./optimize/row-tiers/compare.js";
export { type PlanOptions, planRowTiers, ROW_TIERS_METHODS } from "./optimize/row-tiers/plan.js";
export { evaluateRuns, type RunsEvaluation, type TierEvaluation } from "./plan/row-tiers/evaluate-runs.js";
export type * from "./plan/row-tiers/plan-file.js";
export type { Assignment, Run } from "./plan/row-tiers-assignment.js";
export { writePlan } from "./plan/write-plan.js";
export { type Evaluation, evaluate, type Violation } from "./program/evaluate.js";
export { programHash } from "./program/hash.js";
export { readLp } from "./program/lp/read.js";
export { writeLp } from "./program/lp/write.js";
export { readMps } from "./program/mps/read.js";
export { writeMps } from "./program/mps/write.js";
export {
  type Column,
  type LinearForm,
  linearForm,
  makeProgram,
  type Objective,
  type Program,
  ProgramError,
  type Row,
} from "./program/program.js";
export { type Certificate, CertificateError, readCertificate } from "./proof/certificate.js";
export { checkCertificate } from "./proof/check.js";
export { relativeGap, Verdict } from "./proof/verdict.js";
export { type Claim, openSolver, type SolveOptions, type Solver } from "./solvers/solver.js";
export { SolverError } from "./solvers/solver-error.js";
export { type OpenInstance, verifyPlanText } from "./verify/plan-text.js";
export { verifyRowTiersPlan } from "./verify/row-tiers.js";
export type { Check, Difference, Verification } from "./verify/verification.js";
