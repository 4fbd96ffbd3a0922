/**
 * `shardproof/learn`: what is learned or counted from data. Costs of sets of tables from measurements, a policy that places
 * tables under them, histograms of accesses from logs, interactions of features from embeddings.
 *
 * ```ts
 * import { loadCostData, loadTasks, PolicyTraining, Training, writePolicy, writeWeights } from "shardproof/learn";
 *
 * const training = new Training(await loadCostData("costs.json"), { kind: "neural", epochs: 100, seed: 0 });
 * while (training.epochs < 100) training.epoch();
 * const network = training.best();
 * const placing = new PolicyTraining(await loadTasks("tasks.json"), network, { steps: 100_000, seed: 0, reward: "ratio" });
 * while (!placing.isOver) placing.update();
 * const files = [writeWeights(network, {}), writePolicy(placing.result(), network, {})];
 * ```
 *
 * `JointTraining` learns both at once from measured sets, `StreamTraining` a cost from sets that arrive one by one.
 */

export { readRowCounts } from "../access/counts/counts.js";
export { type MeanCosineOptions, type MeasuredInteraction, meanCosine } from "../access/interaction/mean-cosine.js";
export { towerInteraction } from "../access/interaction/tower-interaction.js";
export { matrixCsv } from "../access/interaction/write-csv.js";
export { BufferedTraining, type BufferedTrainingOptions } from "../cost/neural/buffered-training.js";
export type { CostData, MeasuredSet, Split } from "../cost/neural/cost-data.js";
export type { Feature, NetworkKind, NetworkTable } from "../cost/neural/features.js";
export { type Fit, fitOf } from "../cost/neural/fit.js";
export type { SplitFits } from "../cost/neural/learner.js";
export { CostNetwork, type SetBatch } from "../cost/neural/network.js";
export { Predictor, predictSet } from "../cost/neural/predict.js";
export { loadCostData } from "../cost/neural/read-data.js";
export { type CostStream, type CostStreamOptions, openCostStream } from "../cost/neural/read-stream.js";
export { cachedSetCost, type SetCost, type SetPart } from "../cost/neural/set-cost.js";
export { type StreamRound, StreamTraining, type StreamTrainingOptions } from "../cost/neural/stream-training.js";
export { type Epoch, Training, type TrainingOptions } from "../cost/neural/train.js";
export type { TrainedNetwork } from "../cost/neural/trained-network.js";
export { readWeights, type WeightsOrigin, writeWeights } from "../cost/neural/weights.js";
export { type Random, seededRandom } from "../exact/random.js";
export {
  JointTraining,
  type JointTrainingOptions,
  type JointUpdate,
  type MeasureSet,
} from "../problems/table-placement/methods/autoshard/joint-training.js";
export {
  type PolicyFile,
  type PolicyProgress,
  readPolicy,
  writePolicy,
} from "../problems/table-placement/methods/autoshard/policy-file.js";
export {
  type PolicyMeasure,
  PolicyTraining,
  type PolicyTrainingOptions,
} from "../problems/table-placement/methods/autoshard/policy-training.js";
export type { PolicyReward } from "../problems/table-placement/methods/autoshard/rewards.js";
export { loadTasks, type PlacementTasks } from "../problems/table-placement/methods/autoshard/tasks-file.js";
export type { MisledPairs, PlanGroup, RewardCheck } from "../problems/table-placement/methods/reward-check.js";
export type { LogFormat, ProfileOptions, ProfileProgress } from "../profile/options.js";
export { type Profile, writeCountsCsv, writeProfile } from "../profile/profile.js";
export {
  type ColumnsOptions,
  type LogProfile,
  mergePartials,
  profileColumns,
  writePartial,
} from "../profile/profile-columns.js";
export { profileLog } from "../profile/profile-log.js";
export { type PrintedSqlOptions, printedColumnsSql, printedSql } from "../profile/sql/aggregate.js";
export type { DialectName } from "../profile/sql/dialect.js";
