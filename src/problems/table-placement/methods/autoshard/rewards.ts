/** What a policy can be rewarded by, at the end of an episode. */
export const POLICY_REWARDS = ["ratio", "largest"] as const;
export type PolicyReward = (typeof POLICY_REWARDS)[number];

/** A placement at the end of an episode. */
export interface Outcome {
  /** Of each device: milliseconds, and bytes in GiB. */
  readonly costs: readonly number[];
  readonly sizes: readonly number[];
  /** GiB of memory of each device; `null` where it does not limit. */
  readonly limit: number | null;
  /** An even share of the costs of the tables, each alone; above 0. What costs are compared to across tasks. */
  readonly evenCost: number;
}

/**
 * - `ratio` is AutoShard's (section 4.3): the smallest device cost over the largest, from 0 to 1;
 * - `largest` is what plans are measured by: the largest device cost, negated, in units of an even share of the single costs.
 *
 * Where memory does not suffice both are (limit − largest) / limit of the bytes, below 0 (section 4.3); with `largest` that is
 * on top of what all tables on one device would cost if costs added up, so that what fits is better.
 */
export function rewardOf(reward: PolicyReward, { costs, sizes, limit, evenCost }: Outcome): number {
  const excess = limit === null ? 0 : Math.max(0, Math.max(...sizes) - limit) / limit;
  if (excess > 0) return reward === "ratio" ? -excess : -excess - costs.length;
  const largest = Math.max(...costs);
  if (reward === "largest") return -largest / evenCost;
  // Predictions may be below 0.
  return largest > 0 ? Math.max(0, Math.min(...costs)) / largest : 0;
}
