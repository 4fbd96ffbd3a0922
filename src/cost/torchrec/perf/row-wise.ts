import type { PassBytes } from "../problem.js";
import type { PerfContext } from "./context.js";
import { BACKWARD, batchedCopy, type Evaluator, FORWARD, type Pass, worldCollective } from "./evaluator.js";

/**
 * Sizes where the rows of a table, and with them its lookups, divide among `divisor` ranks. The division comes first and the
 * multiplication by the ranks after it, even where the two cancel: so does TorchRec.
 */
export function dividedSizes(
  divisorOf: (context: PerfContext) => number,
  wireBytes: (context: PerfContext) => PassBytes,
): Pick<Evaluator, "inputReadBytes" | "lookupBytes" | "outputBytes" | "blockPenalty" | "prefetchDivisor"> {
  return {
    inputReadBytes: (context) =>
      Math.ceil((context.inputs / divisorOf(context)) * context.topology.worldSize * context.constants.BIGINT_DTYPE),
    lookupBytes: (context, dim) =>
      (context.inputs / divisorOf(context)) * context.topology.worldSize * dim * context.elementBytes,
    outputBytes: (context, dim, pass) => {
      const { outputs, isPooled, topology } = context;
      const effective = isPooled ? outputs : outputs / divisorOf(context);
      return effective * topology.worldSize * dim * wireBytes(context)[pass];
    },
    blockPenalty: () => 1,
    prefetchDivisor: divisorOf,
  };
}

const sizes = dividedSizes(
  ({ topology }) => topology.worldSize,
  ({ isPooled, reduceScatterBytes, allToAllBytes }) => (isPooled ? reduceScatterBytes : allToAllBytes),
);

/**
 * row_wise (estimator.py, `RowWiseEvaluator`): every rank looks up its rows for all samples; a reduce-scatter adds the
 * partial pools, an all-gather and a copy undo it in the backward pass.
 */
export const rowWise: Evaluator = {
  ...sizes,
  forwardComms: (context, _rows, dim) => worldCollective(context, "reduce_scatter", outputBytes(context, dim, FORWARD)),
  backwardComms: (context, _rows, dim) => {
    const bytes = outputBytes(context, dim, BACKWARD);
    return worldCollective(context, "all_gather", bytes) + batchedCopy(context, bytes);
  },
  distributesInput: true,
};

function outputBytes(context: PerfContext, dim: number, pass: Pass): number {
  return sizes.outputBytes(context, dim, pass);
}
