import type { Tier } from "../../../instance/types/row-tiers.js";
import { missingTier, type RowTiersHeuristic } from "./heuristic.js";

/**
 * A black-box strategy (FlexShard, section 3.1): every row of every table in one tier. `row_wise` is FlexShard's baseline, and
 * TorchRec's only plan for sequence tables.
 */
export function uniform(tier: Tier): RowTiersHeuristic {
  return (instance) =>
    missingTier(instance, [tier]) ?? { kind: "plan", assignment: instance.tables.map(({ rows }) => [{ rows, tier }]) };
}
