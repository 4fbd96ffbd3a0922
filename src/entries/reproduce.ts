/**
 * `shardproof/reproduce`: the tables and figures that papers print beside what this program computes.
 *
 * ```ts
 * import { reproduceFlexshard } from "shardproof/reproduce";
 *
 * const { models } = await reproduceFlexshard();
 * ```
 */

export { type ReproduceAutoShardOptions, reproduceAutoShard } from "../reproduce/autoshard/reproduce.js";
export type { AutoShardReproduction } from "../reproduce/autoshard/reproduction.js";
export { reproduceDmt } from "../reproduce/dmt/reproduce.js";
export type { DmtReproduction } from "../reproduce/dmt/reproduction.js";
export { type ReproduceFlexShardOptions, reproduceFlexshard } from "../reproduce/flexshard/reproduce.js";
export type { FlexShardReproduction } from "../reproduce/flexshard/reproduction.js";
export { type ReproduceJointOptions, reproduceJoint } from "../reproduce/joint/reproduce.js";
export type { JointModel, JointReproduction, JointVariant } from "../reproduce/joint/reproduction.js";
