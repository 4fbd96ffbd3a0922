import type { TorchrecTable } from "./problem.js";
import { sum } from "./python-numbers.js";
import { omitsAbsentFeatures, type TorchrecRelease } from "./release.js";

/** What one rank's batch looks up in a table: `inputs` = Σ l·p·b indices, `outputs` rows of output. */
export interface TableQuantities {
  readonly inputs: number;
  readonly outputs: number;
}

/**
 * Quantities of a table (planner/estimator/types.py, `ShardPerfContext.batch_inputs` and `batch_outputs`). Over features
 * with l indices per pooling, p poolings per sample and b samples: inputs Σ l·p·b; outputs Σ min(1, l)·p·b when pooled (a
 * feature with l < 1 is absent from some samples, which releases before 1.7 leave out of account), and the inputs themselves for
 * sequences.
 */
export function tableQuantities({ features, isPooled }: TorchrecTable, release: TorchrecRelease): TableQuantities {
  const inputs = sum(features.map(({ length, poolings, batchSize }) => length * poolings * batchSize));
  const present = omitsAbsentFeatures(release) ? (length: number) => Math.min(1, length) : () => 1;
  const pooled = () => sum(features.map(({ length, poolings, batchSize }) => present(length) * poolings * batchSize));
  return { inputs, outputs: isPooled ? pooled() : inputs };
}
