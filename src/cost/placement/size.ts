import { type CostFormula, shardBytes } from "./formula.js";

const BYTES_PER_GIB = 2 ** 30;

/** `size` (AutoShard, section 5.1): rows · dim · bytes per element, in GiB. */
export const sizeCost: CostFormula = (shard) => shardBytes(shard) / BYTES_PER_GIB;
