import { collectiveBandwidth, type TorchrecCollective } from "../topology.js";
import type { PerfContext } from "./context.js";

/** 0 in the forward pass, 1 in the backward pass: the index into {@link PassBytes}. */
export type Pass = 0 | 1;
export const FORWARD: Pass = 0;
export const BACKWARD: Pass = 1;

/**
 * What distinguishes the sharding types (planner/estimator/estimator.py, the subclasses of
 * `EmbeddingShardingPerfEvaluator`). `dim` is the shard's width in elements; sizes are in bytes, times in milliseconds. The
 * order of the operations is TorchRec's, so that the doubles are equal.
 */
export interface Evaluator {
  /** Indices read, before those of a weighted table are doubled; rounded up. */
  readonly inputReadBytes: (context: PerfContext) => number;
  readonly lookupBytes: (context: PerfContext, dim: number) => number;
  readonly outputBytes: (context: PerfContext, dim: number, pass: Pass) => number;
  /** Factor on the forward compute of narrow shards. */
  readonly blockPenalty: (context: PerfContext, dim: number) => number;
  readonly forwardComms: (context: PerfContext, rows: number, dim: number) => number;
  readonly backwardComms: (context: PerfContext, rows: number, dim: number) => number;
  /** Shards among which the fetches of the cache divide; 0: nothing is fetched. */
  readonly prefetchDivisor: (context: PerfContext) => number;
  /** The indices are sent to the ranks that look them up. */
  readonly distributesInput: boolean;
}

/** Milliseconds of a collective over all ranks. */
export function worldCollective(context: PerfContext, collective: TorchrecCollective, bytes: number): number {
  const { worldSize, localWorldSize } = context.topology;
  return bytes / collectiveBandwidth(context.topology, collective, worldSize, localWorldSize);
}

/** Milliseconds in which a row-wise backward pass copies its gradients together. */
export function batchedCopy({ constants, bandwidth }: PerfContext, bytes: number): number {
  return (bytes * constants.BATCHED_COPY_PERF_FACTOR) / bandwidth;
}
