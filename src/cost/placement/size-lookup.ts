import type { CostFormula } from "./formula.js";

/** `size-lookup` (DreamShard and NeuroShard, public code): dim · mean pooling factor · log10(rows). */
export const sizeLookupCost: CostFormula = ({ rows, dim, poolingFactor }) =>
  dim * (poolingFactor ?? 0) * Math.log10(rows);
