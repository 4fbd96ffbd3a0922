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
 * and for a program file, or a program at hand, `solveProgramFile` and `solveProgram`. A cost of sets of tables is learned, and
 * a policy under it:
 *
 * ```ts
 * import { loadCostData, loadTasks, PolicyTraining, Training, writePolicy, writeWeights } from "shardproof";
 *
 * const training = new Training(await loadCostData("costs.json"), { kind: "neural", epochs: 100, seed: 0 });
 * while (training.epochs < 100) training.epoch();
 * const network = training.best();
 * const placing = new PolicyTraining(await loadTasks("tasks.json"), network, { steps: 100_000, seed: 0, reward: "ratio" });
 * while (!placing.isOver) placing.update();
 * const files = [writeWeights(network, {}), writePolicy(placing.result(), network, {})];
 * ```
 *
 * A partition of features is proved by `planTowerPartition`, and the exchange that it makes possible is run on arrays by
 * `simulateExchange`, its bytes told by `flatSteps` and `spttSteps`.
 *
 * `JointTraining` learns both at once from measured sets, `StreamTraining` a cost from sets that arrive one by one, and
 * `reproduceAutoShard` computes the tables and figures of AutoShard.
 */

export { evaluatePlacement, type PlacementEvaluation } from "../models/table-placement/evaluate.js";
export { placementProblem } from "../models/table-placement/from-instance.js";
export type {
  Partition,
  Placement,
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  ShardNeed,
} from "../models/table-placement/problem.js";
export { towerGrouping, towerProblem } from "../models/tower-partition/build.js";
export { evaluateTowers, type TowerEvaluation } from "../models/tower-partition/evaluate.js";
export type { TowerNumbering, TowerProblem } from "../models/tower-partition/problem.js";
export { readRowCounts } from "./access/counts/row-counts.js";
export { type MeanCosineOptions, type MeasuredInteraction, meanCosine } from "./access/interaction/mean-cosine.js";
export { towerInteraction } from "./access/interaction/tower-interaction.js";
export { matrixCsv } from "./access/interaction/write-csv.js";
export type { RowClasses } from "./access/row-classes.js";
export { tableClasses } from "./access/table-classes.js";
export { flatSteps, type StepTraffic, spttSteps } from "./cost/dmt/steps.js";
export type { Workload } from "./cost/dmt/workload.js";
export { BufferedTraining, type BufferedTrainingOptions } from "./cost/neural/buffered-training.js";
export { cachedSetCost } from "./cost/neural/cached-set-cost.js";
export type { CostData, MeasuredSet, Split } from "./cost/neural/cost-data.js";
export type { Feature, NetworkKind, NetworkTable } from "./cost/neural/features.js";
export { type Fit, fitOf } from "./cost/neural/fit.js";
export { CostNetwork, type SetBatch } from "./cost/neural/network.js";
export { Predictor, predictSet } from "./cost/neural/predict.js";
export { loadCostData } from "./cost/neural/read-data.js";
export { type CostStream, type CostStreamOptions, openCostStream } from "./cost/neural/read-stream.js";
export type { SetCost, SetPart } from "./cost/neural/set-cost.js";
export { type StreamRound, StreamTraining, type StreamTrainingOptions } from "./cost/neural/stream-training.js";
export { type Epoch, type SplitFits, Training, type TrainingOptions } from "./cost/neural/train.js";
export type { TrainedNetwork } from "./cost/neural/trained-network.js";
export { readWeights, type WeightsOrigin, writeWeights } from "./cost/neural/weights.js";
export { TORCHREC_CONSTANTS, type TorchrecConstants } from "./cost/torchrec/constants.js";
export {
  enumerateOptions,
  estimateOption,
  type ShardEstimate,
  type TorchrecOption,
  type TorchrecShard,
} from "./cost/torchrec/enumerate.js";
export type { ComputeKernel } from "./cost/torchrec/kernels.js";
export { type TorchrecPerf, totalPerf } from "./cost/torchrec/perf/perf.js";
export type * from "./cost/torchrec/problem.js";
export { parseTorchrecProblem, readTorchrecProblem } from "./cost/torchrec/read-problem.js";
export {
  denseBytes,
  indexBytes,
  type ReservationContext,
  reserveStorage,
  type StorageReservation,
} from "./cost/torchrec/reservation.js";
export { type ShardRun, shardRuns } from "./cost/torchrec/runs.js";
export type { PartitionBy, Sharder, ShardingType } from "./cost/torchrec/sharding-types.js";
export type { ShardShape } from "./cost/torchrec/shards.js";
export type { ComputeDevice, TorchrecTopology } from "./cost/torchrec/topology.js";
export { InputError, type Place } from "./errors/input-error.js";
export { type Random, seededRandom } from "./exact/random.js";
export { Rational } from "./exact/rational.js";
export { readDocument as readJsonDocument } from "./instance/document.js";
export type * from "./instance/instance.js";
export { loadInstance } from "./instance/load.js";
export { instanceJsonSchema, parseInstance } from "./instance/parse.js";
export type * from "./instance/table-placement-instance.js";
export type * from "./instance/tower-partition-instance.js";
export { instanceText } from "./interop/instance-text.js";
export type { RemapFormat, RemapManifest, RemapTable } from "./interop/remap/manifest.js";
export { type Remap, type RemapChunk, readRemap } from "./interop/remap/read-remap.js";
export type { IndexOrder } from "./interop/remap/row-placement.js";
export type { RankSource } from "./interop/remap/row-ranks.js";
export { type RemapOptions, writeRemap } from "./interop/remap/write-remap.js";
export { type TierTable, tierTables } from "./interop/tier-tables.js";
export { shardingPlan } from "./interop/torchrec/export-placement.js";
export {
  type EmbeddingBagConfig,
  type ModuleParallelism,
  type TorchrecPlan,
  torchrecPlan,
} from "./interop/torchrec/export-plan.js";
export { type TowerShardingPlan, towerShardingPlan } from "./interop/torchrec/export-towers.js";
export { givenPlacement } from "./interop/torchrec/given-placement.js";
export { type ImportOptions, type InstanceFile, importTorchrecProblem } from "./interop/torchrec/import-problem.js";
export {
  type GivenPlacement,
  type Scored,
  type ScoredShard,
  type ShardingPlanScore,
  scorePlacement,
} from "./interop/torchrec/score.js";
export type { ParameterSharding, ShardMetadata, TorchrecModule } from "./interop/torchrec/sharding.js";
export type { SerializedSharding, SerializedShardingPlan } from "./interop/torchrec/sharding-plan.js";
export { compareInstance, type MethodComparison } from "./problems/compare.js";
export { planProgramText } from "./problems/export.js";
export type { ExportablePlan } from "./problems/exportable.js";
export { type ExportableJoint, readExportableJoint } from "./problems/joint-towers/exportable.js";
export { planTowerPartition } from "./problems/joint-towers/solve/plan.js";
export { type Plan, planInstance } from "./problems/plan.js";
export type { OpenInstance } from "./problems/plan-file/original-plan.js";
export { writePlan } from "./problems/plan-file/write-plan.js";
export type { PlanOptions } from "./problems/plan-options.js";
export {
  assembleCertificate,
  type CertificateFile,
  type CertificateParts,
} from "./problems/program/answer/certificate-file.js";
export type {
  CheckedOutcome,
  ProgramObjective,
  ProgramReference,
  ProgramStatus,
} from "./problems/program/answer/outcome.js";
export type {
  ProgramModel,
  ProgramSolution,
  SolutionRequest,
  SolverWord,
} from "./problems/program/answer/solution-file.js";
export { type SolvedFile, type SolveFileOptions, solveProgramFile } from "./problems/program/solve/solve-file.js";
export { type SolvedProgram, type SolveProgramOptions, solveProgram } from "./problems/program/solve/solve-program.js";
export { type OpenProgram, verifyProgramText } from "./problems/program/verify.js";
export { verifyViprText } from "./problems/program/verify-vipr.js";
export type { RerunExtent } from "./problems/rerun.js";
export { readExportablePlan } from "./problems/row-tiers/exportable.js";
export {
  type FrontierOptions,
  type FrontierProgress,
  rowTiersFrontier,
} from "./problems/row-tiers/frontier/frontier.js";
export type * from "./problems/row-tiers/frontier/report.js";
export type { Assignment, Run } from "./problems/row-tiers/plan-file/assignment.js";
export {
  evaluateRuns,
  type RunsEvaluation,
  type TierEvaluation,
} from "./problems/row-tiers/plan-file/evaluate-runs.js";
export type * from "./problems/row-tiers/plan-file/plan-file.js";
export { type CompareRow, compareRowTiers } from "./problems/row-tiers/solve/compare.js";
export { planRowTiers, ROW_TIERS_METHODS } from "./problems/row-tiers/solve/plan.js";
export { verifyRowTiersPlan } from "./problems/row-tiers/verify.js";
export { planVipr } from "./problems/table-placement/export-vipr.js";
export { type ExportablePlacement, readExportablePlacement } from "./problems/table-placement/exportable.js";
export {
  JointTraining,
  type JointTrainingOptions,
  type JointUpdate,
  type MeasureSet,
} from "./problems/table-placement/methods/autoshard/joint-training.js";
export type { MisledPairs } from "./problems/table-placement/methods/autoshard/misled-pairs.js";
export {
  type PolicyFile,
  type PolicyProgress,
  readPolicy,
  writePolicy,
} from "./problems/table-placement/methods/autoshard/policy-file.js";
export {
  type PolicyMeasure,
  PolicyTraining,
  type PolicyTrainingOptions,
} from "./problems/table-placement/methods/autoshard/policy-training.js";
export type { PolicyReward } from "./problems/table-placement/methods/autoshard/rewards.js";
export { loadTasks, type PlacementTasks } from "./problems/table-placement/methods/autoshard/tasks-file.js";
export type { PlanGroup, RewardCheck } from "./problems/table-placement/methods/reward-check.js";
export type * from "./problems/table-placement/plan-file/plan-file.js";
export {
  compareTablePlacement,
  type InstanceRewardCheck,
  type PlacementCompareRow,
  type PlacementCompareStatus,
  type PlacementComparison,
} from "./problems/table-placement/solve/compare.js";
export { planTablePlacement, TABLE_PLACEMENT_METHODS } from "./problems/table-placement/solve/plan.js";
export { verifyTablePlacementPlan } from "./problems/table-placement/verify.js";
export type * from "./problems/tower-partition/plan-file/plan-file.js";
export {
  compareTowerPartition,
  type TowerCompareRow,
  type TowerComparison,
} from "./problems/tower-partition/solve/compare.js";
export type { EmbeddingAnalysis } from "./problems/tower-partition/solve/embedding-analysis.js";
export { TOWER_PARTITION_METHODS } from "./problems/tower-partition/solve/plan.js";
export type { GroupingProgress, GroupingRequest, GroupingSolution } from "./problems/tower-partition/solve/solution.js";
export { solveGrouping } from "./problems/tower-partition/solve/solve.js";
export { verifyTowerPlan } from "./problems/tower-partition/verify.js";
export type { Uncovered } from "./problems/verification/coverage/uncovered.js";
export type { MethodsOf, Rerun } from "./problems/verification/published-methods.js";
export type { Check, Difference, Verification } from "./problems/verification/verification.js";
export type { VerifyHow } from "./problems/verification/verify-how.js";
export type { PublishedMethods } from "./problems/verify.js";
export { publishedMethods, verifyPlanText } from "./problems/verify.js";
export type { LogFormat, ProfileOptions, ProfileProgress } from "./profile/options.js";
export { type Profile, writeCountsCsv, writeProfile } from "./profile/profile.js";
export { profileLog } from "./profile/profile-log.js";
export { type PrintedSqlOptions, printedSql } from "./profile/sql/aggregate.js";
export type { DialectName } from "./profile/sql/dialect.js";
export { type Evaluation, evaluate, type Violation } from "./program/evaluate.js";
export type { Grouping, GroupLoad, SizeWindow } from "./program/grouping/grouping.js";
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
export { type ReproduceAutoShardOptions, reproduceAutoShard } from "./reproduce/autoshard/reproduce.js";
export type { AutoShardReproduction } from "./reproduce/autoshard/reproduction.js";
export { reproduceDmt } from "./reproduce/dmt/reproduce.js";
export type { DmtReproduction } from "./reproduce/dmt/reproduction.js";
export type { Asked } from "./search/exact-milp/claims.js";
export { type ExactOptions, type ExactSolution, solveExactly } from "./search/exact-milp/solve-exactly.js";
export type * from "./simulate/dataflow/exchange-problem.js";
export { type ExchangeSimulation, simulateExchange } from "./simulate/dataflow/simulate-exchange.js";
export { type EventsOptions, type SimulateOptions, simulatePlanText } from "./simulate/simulate.js";
export type {
  CollectiveTraffic,
  Comparison,
  MemoryUse,
  ReplayedTraffic,
  SampledTraffic,
  Simulation,
} from "./simulate/simulation.js";
export type { Claim, SolveOptions, Solver } from "./solvers/claim.js";
export { openSolver } from "./solvers/solver.js";
export { SolverError } from "./solvers/solver-error.js";
export { type CheckedVipr, checkVipr } from "./vipr/check.js";
export { readVipr, type ViprClaim, type ViprFile } from "./vipr/read.js";
export { ViprUnsupportedError, writeVipr } from "./vipr/write.js";
