import type { Group } from "./clusters.js";

/** How much the master uses a group. */
export interface ClusterUse {
  readonly group: Group;
  readonly times: number;
}
