import type { SearchSpace, SpaceOption } from "./search-space.js";

/**
 * One option per table: TorchRec's proposal. The order of the tables is part of it, for partitioners break ties by it.
 */
export type Proposal = readonly SpaceOption[];

/**
 * Proposals, one after the other. What comes of one decides nothing about the next: without their optional early stop, all
 * of TorchRec's proposers here are static.
 */
export type Proposer = (space: SearchSpace) => Iterable<Proposal>;

/** Options from the best score up, equal ones in their order; score as `_sharding_option_score` has it. */
export function byScore(options: readonly SpaceOption[], score: "largestCost" | "totalCost"): SpaceOption[] {
  return [...options].sort((a, b) => a[score] - b[score]);
}
