import type { Tier } from "../instance/instance.js";
import { missingTier, type RowTiersHeuristic } from "./heuristic.js";

/** Every row of every table row_wise: FlexShard's baseline, TorchRec's only plan for sequence tables. */
export const rowWise: RowTiersHeuristic = uniform("row_wise");

/** Every row of every table column_wise. */
export const columnWise: RowTiersHeuristic = uniform("column_wise");

/** Every row of every table data_parallel. */
export const dataParallel: RowTiersHeuristic = uniform("data_parallel");

/** A black-box strategy (FlexShard, section 3.1): one tier for all. */
function uniform(tier: Tier): RowTiersHeuristic {
  return (instance) =>
    missingTier(instance, [tier]) ?? { kind: "plan", assignment: instance.tables.map(({ rows }) => [{ rows, tier }]) };
}
