export const COMPUTE_DEVICES = ["cuda", "cpu", "mtia", "tpu"] as const;
export type ComputeDevice = (typeof COMPUTE_DEVICES)[number];

/**
 * `worldSize` ranks, `localWorldSize` on each host: torchrec/distributed/planner/types.py, `Topology`. All ranks have the
 * same bandwidths. Bandwidths are in bytes per millisecond.
 */
export interface TorchrecTopology {
  readonly worldSize: number;
  readonly localWorldSize: number;
  /** Hosts that share one NVLink domain. */
  readonly podSize: number;
  readonly computeDevice: ComputeDevice;
  readonly intraHostBandwidth: number;
  readonly interHostBandwidth: number;
  readonly hbmBandwidth: number;
  readonly ddrBandwidth: number;
  readonly hbmToDdrBandwidth: number;
  readonly ssdBandwidth: number;
  /** Backward compute as a multiple of forward compute. */
  readonly backwardComputeMultiplier: number;
  /** A further factor for tables with per-sample weights. */
  readonly weightedFeatureBackwardComputeMultiplier: number;
  /**
   * Capacity of each rank where the topology gives them one by one (`CustomTopologyData`: HBM, or DDR on the CPU): then
   * row_wise cuts rows in proportion to it.
   */
  readonly customCapacities?: readonly number[];
}

export type TorchrecCollective = "all_to_all" | "reduce_scatter" | "all_gather" | "all_reduce";

/** Ranks that table_row_wise, table_column_wise and grid_shard take for one host (types.py, `intra_group_size`). */
export function intraGroupSize(topology: TorchrecTopology): number {
  return topology.podSize * topology.localWorldSize;
}

/** Groups of {@link intraGroupSize} ranks in the topology (estimator/types.py, `num_twrw_groups`). */
export function intraGroups(topology: TorchrecTopology): number {
  return Math.max(1, Math.floor(topology.worldSize / intraGroupSize(topology)));
}

/**
 * Bytes per millisecond of a collective over `worldSize` ranks, `localWorldSize` on each host (types.py,
 * `BasicCommsBandwidths.get_bw`).
 */
export function collectiveBandwidth(
  topology: TorchrecTopology,
  collective: TorchrecCollective,
  worldSize: number,
  localWorldSize: number,
): number {
  // One network card per GPU.
  if (collective === "all_reduce") return topology.interHostBandwidth * localWorldSize;
  return worldSize <= localWorldSize ? topology.intraHostBandwidth : topology.interHostBandwidth;
}
