/**
 * The public library. One call does the main job:
 *
 * ```ts
 * import { planRowTiers, writePlan } from "shardproof";
 *
 * const plan = await planRowTiers("instance.yaml");
 * console.log(plan.status, plan.objective.value, plan.objective.bound);
 * ```
 *
 * and for a program file, or a program at hand, `solveProgramFile` and `solveProgram`.
 */

export type { RowClasses } from "./access/row-classes.js";
export { tableClasses } from "./access/table-classes.js";
export { InputError, type Place } from "./errors/input-error.js";
export { type Random, seededRandom } from "./exact/random.js";
export { Rational } from "./exact/rational.js";
export type * from "./instance/instance.js";
export { loadInstance } from "./instance/load.js";
export { instanceJsonSchema, parseInstance } from "./instance/parse.js";
export type { Asked } from "./optimize/exact-milp/claims.js";
export { type ExactOptions, type ExactSolution, solveExactly } from "./optimize/exact-milp/solve-exactly.js";
export { type SolvedFile, type SolveFileOptions, solveProgramFile } from "./optimize/program/solve-file.js";
export { type SolvedProgram, type SolveProgramOptions, solveProgram } from "./optimize/program/solve-program.js";
export { type CompareRow, compareRowTiers } from "./optimize/row-tiers/compare.js";
export { type PlanOptions, planRowTiers, ROW_TIERS_METHODS } from "./optimize/row-tiers/plan.js";
export {
  assembleCertificate,
  type CertificateFile,
  type CertificateParts,
} from "./plan/program/certificate-file.js";
export type { CheckedOutcome, ProgramObjective, ProgramReference, ProgramStatus } from "./plan/program/outcome.js";
export type { ProgramModel, ProgramSolution, SolutionRequest, SolverWord } from "./plan/program/solution-file.js";
export { evaluateRuns, type RunsEvaluation, type TierEvaluation } from "./plan/row-tiers/evaluate-runs.js";
export type * from "./plan/row-tiers/plan-file.js";
export type { Assignment, Run } from "./plan/row-tiers-assignment.js";
export { writePlan } from "./plan/write-plan.js";
export { type Evaluation, evaluate, type Violation } from "./program/evaluate.js";
export { programHash } from "./program/hash.js";
export { type LoadOptions, loadProgram } from "./program/load-program.js";
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
export { type ProgramFormat, readProgram } from "./program/read-program.js";
export { type Certificate, CertificateError, readCertificate } from "./proof/certificate.js";
export { checkCertificate } from "./proof/check.js";
export { relativeGap, Verdict } from "./proof/verdict.js";
export { type CheckedVipr, checkVipr } from "./proof/vipr/check.js";
export { readVipr, type ViprClaim, type ViprFile } from "./proof/vipr/read.js";
export { ViprUnsupportedError, writeVipr } from "./proof/vipr/write.js";
export { type Claim, openSolver, type SolveOptions, type Solver } from "./solvers/solver.js";
export { SolverError } from "./solvers/solver-error.js";
export { type OpenInstance, verifyPlanText } from "./verify/plan-text.js";
export { type OpenProgram, verifyProgramText } from "./verify/program-text.js";
export { verifyRowTiersPlan } from "./verify/row-tiers.js";
export type { Check, Difference, Verification } from "./verify/verification.js";
export { verifyViprText } from "./verify/vipr-text.js";
