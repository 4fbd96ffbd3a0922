import { collectiveBandwidth } from "../topology.js";
import type { Evaluator } from "./evaluator.js";

/**
 * data_parallel (estimator.py, `DataParallelEvaluator`): each rank looks up its own samples in its own copy; an all-reduce
 * adds the gradients of the whole table, and the optimizer goes over all of it.
 */
export const dataParallel: Evaluator = {
  inputReadBytes: ({ inputs, constants }) => Math.ceil(inputs * constants.BIGINT_DTYPE),
  lookupBytes: ({ inputs, elementBytes }, dim) => inputs * dim * elementBytes,
  outputBytes: ({ outputs, elementBytes }, dim) => outputs * dim * elementBytes,
  blockPenalty: () => 1,
  forwardComms: () => 0,
  backwardComms: ({ topology, constants, elementBytes, bandwidth }, rows, dim) => {
    const { worldSize, localWorldSize } = topology;
    const tableBytes = rows * dim * elementBytes;
    // NCCL's ring; from the third host on its two passes cannot overlap.
    const hosts = Math.min(worldSize / localWorldSize, 2);
    const network = collectiveBandwidth(topology, "all_reduce", worldSize, localWorldSize);
    const once = (tableBytes * (2 * hosts - 1)) / hosts / network;
    const allReduce = worldSize > 2 * localWorldSize ? once * 2 : once;
    return allReduce + (tableBytes * constants.DP_ELEMENTWISE_KERNELS_PERF_FACTOR) / bandwidth;
  },
  prefetchDivisor: () => 0,
  distributesInput: false,
};
