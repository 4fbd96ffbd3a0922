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
  /** Σ over the tables of the cost of each alone, divided by the devices: what costs are compared to across tasks. */
  readonly evenCost: number;
}

/**
 * - `ratio` is AutoShard's (section 4.3): the smallest device cost over the largest, from 0 to 1;
 * - `largest` is what plans are measured by: the largest device cost, negated, in units of an even share of the single costs.
 *
 * Where memory does not suffice both are (limit − largest) / limit of the bytes, below 0 (section 4.3); with `largest` that is
 * on top of the worst that costs can do to it, all tables on one device, so that fitting is always better.
 */
export function rewardOf(reward: PolicyReward, { costs, sizes, limit, evenCost }: Outcome): number {
  const largest = Math.max(...costs);
  const excess = limit === null ? 0 : Math.max(0, Math.max(...sizes) - limit) / (limit ?? 1);
  if (reward === "ratio") return excess > 0 ? -excess : Math.max(0, Math.min(...costs)) / largest;
  return excess > 0 ? -excess - costs.length : -largest / evenCost;
}
