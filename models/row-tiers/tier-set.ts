import type { PerByte, TierCost } from "../../src/cost/flexshard.js";
import { TIERS, type Tier } from "../../src/instance/types/row-tiers.js";

/**
 * The tiers that a program distinguishes. Tiers with equal memory and equal collectives (row_wise and column_wise) are
 * one choice, under the name that comes first in `TIERS`: keeping both would double every solution.
 */
export interface TierSet {
  readonly tiers: readonly Tier[];
  readonly costs: readonly TierCost[];
  /** The position in `tiers` that stands for each allowed tier. */
  readonly positions: ReadonlyMap<Tier, number>;
}

/**
 * Merges tiers of equal cost and orders them as `TIERS` does: from those that suit the hottest rows to those that suit the
 * coldest, so that solutions nested by access are recognised (see src/proof/kernel/exchange.ts).
 */
export function tierSet(costs: readonly TierCost[]): TierSet {
  const distinct: TierCost[] = [];
  const positions = new Map<Tier, number>();
  for (const cost of costs.toSorted((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier))) {
    const same = distinct.findIndex((other) => signature(other) === signature(cost));
    positions.set(cost.tier, same === -1 ? distinct.length : same);
    if (same === -1) distinct.push(cost);
  }
  return { tiers: distinct.map(({ tier }) => tier), costs: distinct, positions };
}

function signature({ memory, hostMemory, collectives }: TierCost): string {
  const pair = ({ parameters, reads }: PerByte) => `${parameters},${reads}`;
  return [
    pair(memory),
    pair(hostMemory),
    ...collectives.map(({ collective, bytes }) => `${collective}:${pair(bytes)}`),
  ].join(" ");
}
