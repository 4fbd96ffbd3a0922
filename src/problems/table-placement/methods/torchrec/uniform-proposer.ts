import { byScore, type Proposer } from "./proposer.js";
import type { SpaceOption } from "./search-space.js";

/**
 * For each sharding type that all tables have, in the order in which the types first come up, every table's best option of
 * that type (planner/proposers.py, `UniformProposer`).
 */
export const uniformProposer: Proposer = function* ({ tables }) {
  const types = new Set(tables.flatMap((options) => options.map(({ shardingType }) => shardingType)));
  for (const type of types) {
    const best = tables.map((options) =>
      byScore(
        options.filter(({ shardingType }) => shardingType === type),
        "largestCost",
      ).at(0),
    );
    if (best.every((option): option is SpaceOption => option !== undefined)) yield best;
  }
};
