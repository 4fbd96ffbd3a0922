/**
 * What a training step moves: collectives over all GPUs, inside one node, or between the nodes (FlexShard, table 3), and
 * the transfers over the link between a GPU and its host.
 */
export const COLLECTIVES = [
  "allToAllGlobal",
  "allToAllIntra",
  "allReduceGlobal",
  "allReduceCross",
  "hostToDevice",
] as const;
export type Collective = (typeof COLLECTIVES)[number];

/** `nodes · gpusPerNode` GPUs, all alike. */
export interface Cluster {
  readonly nodes: number;
  readonly gpusPerNode: number;
  readonly hbmBytesPerGpu?: number;
  /** What the tier `host` may use on each node. */
  readonly hostBytesPerNode?: number;
  /** Bytes per second per GPU. Every collective of the instance's tiers is there; others may be missing. */
  readonly bandwidth: Readonly<Partial<Record<Collective, number>>>;
  /** Seconds per call. */
  readonly latency: Readonly<Record<Collective, number>>;
}
