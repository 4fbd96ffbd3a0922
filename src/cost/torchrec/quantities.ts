import type { TorchrecTable } from "./problem.js";
import { sum } from "./python-numbers.js";

/** What one rank's batch looks up in a table: `inputs` = Σ l·p·b indices, `outputs` rows of output. */
export interface TableQuantities {
  readonly inputs: number;
  readonly outputs: number;
}

/**
 * Quantities of a table (planner/estimator/types.py, `ShardPerfContext.batch_inputs` and `batch_outputs`). Over features
 * with l indices per pooling, p poolings per sample and b samples: inputs Σ l·p·b; outputs Σ min(1, l)·p·b when pooled (a
 * feature with l < 1 is absent from some samples), and the inputs themselves for sequences.
 */
export function tableQuantities({ features, isPooled }: TorchrecTable): TableQuantities {
  const inputs = sum(features.map(({ length, poolings, batchSize }) => length * poolings * batchSize));
  const pooled = () =>
    sum(features.map(({ length, poolings, batchSize }) => Math.min(1, length) * poolings * batchSize));
  return { inputs, outputs: isPooled ? pooled() : inputs };
}
