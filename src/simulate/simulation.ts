import type { Collective } from "../instance/cluster.js";
import type { Tier } from "../instance/types/row-tiers.js";
import type { Deviation } from "./deviation.js";

/** What simulated traffic came to, beside what the plan says. Bytes and seconds are per GPU and iteration. */
export interface Simulation {
  readonly shardproof: 1;
  readonly instance: { readonly name: string; readonly sha256: string };
  /** `digestAgrees`: whether the digest is that of the plan file's content. */
  readonly plan: { readonly method: string; readonly digest: string; readonly digestAgrees: boolean };
  readonly cluster: { readonly nodes: number; readonly gpusPerNode: number; readonly batchPerGpu: number };
  readonly traffic: SampledTraffic | ReplayedTraffic;
  readonly verdict: SimulationVerdict;
  readonly comparisons: readonly Comparison[];
  /** Keys of the plan file that traffic says nothing of: `verify` does. */
  readonly notCompared: readonly string[];
  readonly collectives: readonly CollectiveTraffic[];
  readonly memory: MemoryUse;
}

export interface SampledTraffic {
  readonly kind: "sampled";
  /** Iterations of `samplesPerBatch` samples over all GPUs. */
  readonly batches: number;
  readonly samplesPerBatch: number;
  readonly seed: number;
  readonly lookups: number;
}

export interface ReplayedTraffic {
  readonly kind: "replayed";
  readonly file: string;
  readonly table: string;
  readonly samples: number;
  readonly samplesPerBatch: number;
  readonly lookups: number;
}

export interface SimulationVerdict {
  /**
   * `differs`: a number does, or the digest; `too few`: none does, and of none that is left to chance could be told;
   * else `agrees`.
   */
  readonly outcome: "agrees" | "differs" | "too few";
  /** Whether nothing differs. */
  readonly within: boolean;
  readonly comparisons: number;
  readonly outside: number;
  /** Numbers that differ from others by too little to be told from them by these samples, and shares of nothing. */
  readonly tooFew: number;
  /** Largest |z|; `null` where nothing is left to chance. */
  readonly largestZ: number | null;
}

/**
 * - `parameters`: bytes of the rows that the runs put into the tier, over all GPUs;
 * - `reads`: bytes that the samples of one GPU look up;
 * - `access share`: share of the table's lookups;
 * - `collective`: bytes of the collective's buffers in all its passes, a GPU's own part included; in the line of a whole
 *   plan, its seconds;
 * - `memory`: bytes of parameters and buffers on a GPU;
 * - `host memory`: bytes of parameters in the host memory of a node;
 * - `rows`: of the table, or of those of it in the tier;
 * - `budget`: bytes on a GPU that the plan may use; `host budget`: on a node's host; `GPU memory`: what a GPU has;
 * - `objective`: seconds of the instance's objective;
 * - `reduction`: what the plan takes off the global all-to-all, as a share of that of the all-row_wise plan.
 */
export type Quantity =
  | ("rows" | "parameters" | "reads" | "access share" | "collective" | "memory" | "host memory")
  | ("objective" | "budget" | "host budget" | "GPU memory" | "reduction");

/** One number of the plan and what was seen. */
export interface Comparison extends Deviation {
  readonly quantity: Quantity;
  /** `null`: of the whole plan. */
  readonly table: string | null;
  readonly tier: Tier | null;
  readonly collective: Collective | null;
  readonly unit: "bytes" | "seconds" | "share" | "rows";
}

/** The most that one GPU had in one iteration. */
export interface Largest {
  readonly bytes: number;
  readonly gpu: number;
}

export interface CollectiveTraffic {
  readonly collective: Collective;
  readonly passes: number;
  /** Of the buffer in each direction, the GPU's own part included: how table 6 of FlexShard counts. */
  readonly elementsPerPass: number;
  readonly bytesPerPass: number;
  /**
   * The larger of what a GPU receives and sends; over the host link, what it fetches. `null` for all-reduces, and where
   * GPUs are not followed one by one.
   */
  readonly largestBytesPerPass: Largest | null;
  /** Between GPUs, in all passes: nothing for the link between a GPU and its host. */
  readonly links: {
    /** Never leaves the GPU. */
    readonly own: number;
    /** To other GPUs of the node. */
    readonly intraNode: number;
    /** To GPUs of other nodes. */
    readonly interNode: number;
    readonly largestLeaving: Largest | null;
  };
}

/** Parameters, with optimizer state of replicas (κ), and buffers of lookups. */
export interface MemoryUse {
  readonly staticBytes: number;
  readonly largestStaticBytes: Largest | null;
  readonly dynamicBytes: number;
  readonly largestDynamicBytes: Largest | null;
  /** Of the nodes' hosts, where the instance allows rows there. */
  readonly host?: {
    readonly bytesPerNode: number;
    readonly largest: { readonly bytes: number; readonly node: number } | null;
  };
}

/**
 * What comparisons come to. `isSame`: whether the plan's digest is that of its content. Of readings `uneven` the scores say nothing:
 * blocks are not read alike.
 */
export function verdictOf(
  comparisons: readonly (Pick<Deviation, "z" | "within"> & { readonly reading: string })[],
  isSame = true,
): SimulationVerdict {
  const outside = comparisons.filter(({ within }) => !within).length;
  const tooFew = comparisons.filter(({ reading }) => reading === "too few" || reading === "none seen").length;
  const scores = comparisons.flatMap(({ z, reading }) => (z === null || reading === "uneven" ? [] : [Math.abs(z)]));
  const within = outside === 0 && isSame;
  const isTold = tooFew === 0 || comparisons.some(({ reading, z }) => reading === "agrees" && z !== null);
  return {
    outcome: !within ? "differs" : isTold ? "agrees" : "too few",
    within,
    comparisons: comparisons.length,
    outside,
    tooFew,
    largestZ: scores.length === 0 ? null : Math.max(...scores),
  };
}
