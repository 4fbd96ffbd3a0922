/**
 * `shardproof/torchrec`: TorchRec's cost model, its problems and plans read, its sharding plans written, and the rows of tiers
 * as training needs them.
 *
 * ```ts
 * import { importTorchrecProblem, instanceText } from "shardproof/torchrec";
 *
 * const instance = importTorchrecProblem(await readFile("problem.json", "utf8"), "problem.json");
 * await writeFile("instance.yaml", instanceText(instance, "yaml"));
 * ```
 */

export type { RankSource } from "../access/counts/row-ranks.js";
export { TORCHREC_CONSTANTS, type TorchrecConstants } from "../cost/torchrec/constants.js";
export {
  enumerateOptions,
  estimateOption,
  type TorchrecOption,
  type TorchrecShard,
} from "../cost/torchrec/enumerate.js";
export type { ComputeKernel } from "../cost/torchrec/kernels.js";
export type * from "../cost/torchrec/problem.js";
export { parseTorchrecProblem, readTorchrecProblem } from "../cost/torchrec/read-problem.js";
export {
  denseBytes,
  indexBytes,
  type ReservationContext,
  reserveStorage,
  type StorageReservation,
} from "../cost/torchrec/reservation.js";
export {
  type ShardEstimate,
  type ShardRun,
  shardRuns,
  type TorchrecPerf,
  totalPerf,
} from "../cost/torchrec/shard-runs.js";
export type { PartitionBy, Sharder, ShardingType } from "../cost/torchrec/sharding-types.js";
export type { ShardShape } from "../cost/torchrec/shards.js";
export type { ComputeDevice, TorchrecTopology } from "../cost/torchrec/topology.js";
export { type PlacedDocument, readDocument as readJsonDocument } from "../instance/document.js";
export type { ExportableJoint, ExportablePlacement, ExportablePlan } from "../interop/exportable.js";
export { instanceText } from "../interop/instance-text.js";
export type { RemapFormat, RemapManifest, RemapTable } from "../interop/remap/manifest.js";
export { type Remap, type RemapChunk, readRemap } from "../interop/remap/read-remap.js";
export type { IndexOrder } from "../interop/remap/row-placement.js";
export { type RemapOptions, writeRemap } from "../interop/remap/write-remap.js";
export { type TierTable, tierTables } from "../interop/tier-tables.js";
export { shardingPlan } from "../interop/torchrec/export-placement.js";
export {
  type EmbeddingBagConfig,
  type ModuleParallelism,
  type TorchrecPlan,
  torchrecPlan,
} from "../interop/torchrec/export-plan.js";
export { type TowerShardingPlan, towerShardingPlan } from "../interop/torchrec/export-towers.js";
export { type GivenPlacement, givenPlacement, givenPlan } from "../interop/torchrec/given-placement.js";
export type { ParameterSharding, ShardMetadata, TorchrecModule } from "../interop/torchrec/sharding.js";
export type { SerializedSharding, SerializedShardingPlan } from "../interop/torchrec/sharding-plan.js";
export { readExportableJoint } from "../problems/joint-towers/exportable.js";
export { readExportablePlan } from "../problems/row-tiers/exportable.js";
export { readExportablePlacement } from "../problems/table-placement/exportable.js";
export {
  type ImportOptions,
  type InstanceFile,
  importTorchrecProblem,
} from "../problems/table-placement/import-problem.js";
export {
  type Scored,
  type ScoredShard,
  type ShardingPlanScore,
  scorePlacement,
} from "../problems/table-placement/score.js";
