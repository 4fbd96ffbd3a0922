import type { PerfContext } from "./context.js";
import { BACKWARD, type Evaluator, FORWARD, type Pass, worldCollective } from "./evaluator.js";

/** The lookup kernel reads at least this many elements of a row. */
const MIN_LOOKUP_DIM = 32;

/**
 * table_wise, column_wise and table_column_wise (estimator.py, `TableWiseEvaluator`): each shard serves all ranks' samples,
 * and an all-to-all takes its output back to them.
 */
export const tableWise: Evaluator = {
  inputReadBytes: ({ inputs, topology, constants }) => Math.ceil(inputs * topology.worldSize * constants.BIGINT_DTYPE),
  lookupBytes: ({ inputs, topology, elementBytes }, dim) =>
    inputs * topology.worldSize * Math.max(dim, MIN_LOOKUP_DIM) * elementBytes,
  outputBytes,
  blockPenalty: ({ constants }, dim) => {
    if (dim >= constants.FULL_BLOCK_EMB_DIM) return 1;
    return dim >= 64 ? constants.HALF_BLOCK_PENALTY : constants.QUARTER_BLOCK_PENALTY;
  },
  forwardComms: (context, _rows, dim) => worldCollective(context, "all_to_all", outputBytes(context, dim, FORWARD)),
  backwardComms: (context, _rows, dim) => worldCollective(context, "all_to_all", outputBytes(context, dim, BACKWARD)),
  prefetchDivisor: () => 1,
  distributesInput: true,
};

function outputBytes({ outputs, topology, allToAllBytes }: PerfContext, dim: number, pass: Pass): number {
  return outputs * topology.worldSize * dim * allToAllBytes[pass];
}
