import type { CostFormula } from "./formula.js";

/** `lookup` (AutoShard, section 5.1): dim · mean pooling factor, the elements that a sample reads. */
export const lookupCost: CostFormula = ({ dim, poolingFactor }) => dim * (poolingFactor ?? 0);
