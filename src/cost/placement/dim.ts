import type { CostFormula } from "./formula.js";

/** `dim` (AutoShard, section 5.1): elements per row. */
export const dimCost: CostFormula = ({ dim }) => dim;
