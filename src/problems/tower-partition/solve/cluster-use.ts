import type { Cluster } from "./clusters.js";

/** How much the master uses a cluster. */
export interface ClusterUse {
  readonly cluster: Cluster;
  readonly times: number;
}
