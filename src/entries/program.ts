/**
 * `shardproof/program`: mixed-integer programs as plain data, read, written, evaluated and solved with a proof; and the
 * models that instances stand for.
 *
 * ```ts
 * import { readLp, solveProgram } from "shardproof/program";
 *
 * const { outcome, point, certificate } = await solveProgram(readLp(text));
 * ```
 */

export { evaluatePlacement, type PlacementEvaluation } from "../../models/table-placement/evaluate.js";
export { placementProblem } from "../../models/table-placement/from-instance.js";
export type {
  Partition,
  Placement,
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../../models/table-placement/problem.js";
export { towerGrouping, towerProblem } from "../../models/tower-partition/build.js";
export { evaluateTowers, type TowerEvaluation } from "../../models/tower-partition/evaluate.js";
export type { TowerLabels, TowerProblem } from "../../models/tower-partition/problem.js";
export type { RowClasses } from "../access/row-classes.js";
export { tableClasses } from "../access/table-classes.js";
export { Rational } from "../exact/rational.js";
export type * from "../instance/access.js";
export type * from "../instance/cluster.js";
export type { Assignment, Run } from "../instance/types/assignment.js";
export type * from "../instance/types/row-tiers.js";
export type * from "../instance/types/table-placement.js";
export type * from "../instance/types/tower-partition.js";
export { planProgramText } from "../problems/planning/export.js";
export type { Instance } from "../problems/planning/instances.js";
export type { CheckedOutcome } from "../problems/program/answer/outcome.js";
export type {
  ProgramModel,
  ProgramObjective,
  ProgramReference,
  ProgramSolution,
  ProgramStatus,
  SolutionRequest,
  SolverWord,
} from "../problems/program/answer/schema.js";
export { type SolvedFile, type SolveFileOptions, solveProgramFile } from "../problems/program/solve/solve-file.js";
export { type SolvedProgram, type SolveProgramOptions, solveProgram } from "../problems/program/solve/solve-program.js";
export {
  evaluateRuns,
  type RunsEvaluation,
  type TierEvaluation,
} from "../problems/row-tiers/plan-file/evaluate-runs.js";
export type {
  GroupingProgress,
  GroupingRequest,
  GroupingSolution,
} from "../problems/tower-partition/solve/solve.js";
export { solveGrouping } from "../problems/tower-partition/solve/solve.js";
export { type Evaluation, evaluate, type Violation } from "../program/evaluate.js";
export type { ClusterLoad, Grouping, SizeWindow } from "../program/grouping/grouping.js";
export { programHash } from "../program/hash.js";
export { type LoadOptions, loadProgram } from "../program/load-program.js";
export { readLp } from "../program/lp/read.js";
export { writeLp } from "../program/lp/write.js";
export { readMps } from "../program/mps/read.js";
export { writeMps } from "../program/mps/write.js";
export {
  type Column,
  type LinearForm,
  linearForm,
  makeProgram,
  type Objective,
  type Program,
  ProgramError,
  type Row,
} from "../program/program.js";
export { type ProgramFormat, readProgram } from "../program/read-program.js";
export type { Asked } from "../search/exact-milp/claims.js";
export { type ExactOptions, type ExactSolution, solveExactly } from "../search/exact-milp/solve-exactly.js";
export type { Claim, SolveOptions, Solver } from "../solvers/claim.js";
export { openSolver } from "../solvers/solver.js";
export { SolverError } from "../solvers/solver-error.js";
