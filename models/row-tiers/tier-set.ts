import type { PerByte, TierCost } from "../../src/cost/flexshard.js";
import type { Tier } from "../../src/instance/instance.js";

/**
 * The tiers that a program distinguishes. Tiers with equal memory and equal collectives (row_wise and column_wise) are
 * one choice, under the name that comes first in the instance: keeping both would double every solution.
 */
export interface TierSet {
  readonly tiers: readonly Tier[];
  readonly costs: readonly TierCost[];
  /** The position in `tiers` that stands for each allowed tier. */
  readonly positions: ReadonlyMap<Tier, number>;
}

/** Merges tiers of equal cost. */
export function tierSet(costs: readonly TierCost[]): TierSet {
  const distinct: TierCost[] = [];
  const positions = new Map<Tier, number>();
  for (const cost of costs) {
    const same = distinct.findIndex((other) => signature(other) === signature(cost));
    positions.set(cost.tier, same === -1 ? distinct.length : same);
    if (same === -1) distinct.push(cost);
  }
  return { tiers: distinct.map(({ tier }) => tier), costs: distinct, positions };
}

function signature({ memory, collectives }: TierCost): string {
  const pair = ({ parameters, reads }: PerByte) => `${parameters},${reads}`;
  return [pair(memory), ...collectives.map(({ collective, bytes }) => `${collective}:${pair(bytes)}`)].join(" ");
}
