import type { PolicyReward } from "../../problems/table-placement/methods/autoshard/rewards.js";
import type { LearnedPolicy } from "../show/learned-policy.js";

/** What both ways of learning come to. */
export interface LearnedFiles {
  readonly learned: Omit<LearnedPolicy, "shardproof" | "method" | "askedSteps" | "timing">;
  /** Texts by the file that each is to be written to. */
  readonly files: Readonly<Record<string, string>>;
  readonly isWhole: boolean;
}

export interface LearnPolicyOptions {
  readonly cost?: string;
  readonly out: string;
  /** Weights that stand for the hardware: the cost network learns beside the policy, from what they say. */
  readonly joint?: string;
  readonly costOut?: string;
  readonly buffer?: number;
  readonly reward?: PolicyReward;
  readonly steps?: number;
  readonly seed?: number;
  readonly resume?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}
