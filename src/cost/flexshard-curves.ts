/**
 * FlexShard's figure 3 and its break-points: what replicating a row costs beside sharding it row-wise, as a function of
 * the row's expected appearances in a sample (the paper's α with E = 1).
 *
 * Symbols: κ = replicaMemoryFactor, U GPUs, B samples per GPU, bandwidths in bytes per second; latency is left out.
 */
export interface CurveParameters {
  readonly replicaMemoryFactor: number;
  readonly gpus: number;
  readonly batchPerGpu: number;
  readonly allToAllGlobal: number;
  readonly allReduceGlobal: number;
}

/** Figure 3, memory: (κ + B·α) / (1/U + 2·B·α), data-parallel over row-wise. */
export function normalizedMemory(alpha: number, parameters: CurveParameters): number {
  const { replicaMemoryFactor, gpus, batchPerGpu } = parameters;
  return (replicaMemoryFactor + batchPerGpu * alpha) / (1 / gpus + 2 * batchPerGpu * alpha);
}

/** Figure 3, communication: a2a / (2·B·α·ar), data-parallel over row-wise, forward and backward. */
export function normalizedCommunication(alpha: number, parameters: CurveParameters): number {
  return parameters.allToAllGlobal / (2 * parameters.batchPerGpu * alpha * parameters.allReduceGlobal);
}

/** Appearances above which a replicated row needs less memory than a row-wise one: (κ − 1/U) / B. */
export function memoryBreakPoint({
  replicaMemoryFactor,
  gpus,
  batchPerGpu,
}: Omit<CurveParameters, "allToAllGlobal" | "allReduceGlobal">): number {
  return (replicaMemoryFactor - 1 / gpus) / batchPerGpu;
}

/** Appearances above which a replicated row communicates less than a row-wise one: a2a / (2·B·ar). */
export function communicationBreakPoint(parameters: CurveParameters): number {
  return parameters.allToAllGlobal / (2 * parameters.batchPerGpu * parameters.allReduceGlobal);
}
