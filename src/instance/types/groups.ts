/** How the ranks of a cluster are parted into groups: neighbours together, or one of every so many (DMPCollection's default). */
export const GROUP_LAYOUTS = ["contiguous", "strided"] as const;
export type GroupLayout = (typeof GROUP_LAYOUTS)[number];

/** What each device holds of a copy outside the look-ups: its shards, or of each a part for every copy there is. */
export const GROUP_MEMORIES = ["replicated", "fully-sharded"] as const;

/**
 * TorchRec's 2D parallelism (`DMPCollection`): the devices are parted into groups of one of these sizes, every group holds a
 * whole copy of the tables and serves its own devices' samples, and copies are averaged every so many iterations.
 */
export interface GroupsChoice {
  /** Devices of a group, rising. */
  readonly sizes: readonly number[];
  readonly layout: GroupLayout;
  /** Iterations from one synchronisation to the next. */
  readonly syncEvery: number;
  /** The optimizer's state is synchronised beside the weights. */
  readonly syncsOptimizerState: boolean;
  readonly isFullySharded: boolean;
  /** Bytes per second and GPU, inside a host and between hosts; those of the cost model where they are missing. */
  readonly bandwidth: { readonly intraHost?: number; readonly interHost?: number };
}

interface Devices {
  readonly nodes: number;
  readonly gpusPerNode: number;
}

/** Groups of one size on a cluster. */
export interface GroupShape extends Devices {
  /** Devices of a group: `nodes` hosts of which it has `gpusPerNode` devices each. */
  readonly size: number;
  /** Groups, each with a copy of every table. */
  readonly copies: number;
  /** Hosts that the devices with copies of one shard are on, and how many of them are on each. */
  readonly copyHosts: number;
  readonly copiesPerHost: number;
}

/** One group of those that a cluster is parted into. */
export interface OneGroup {
  readonly shape: GroupShape;
  readonly choice: GroupsChoice;
  /** The whole cluster. */
  readonly cluster: Devices;
}

/**
 * How groups of a size lie on the hosts; `null` where they do not come out even. Contiguous: group k has the ranks from
 * k · size on. Strided: with so many groups, group k has the ranks k, k + groups, k + 2 · groups, …
 */
export function groupShape({ nodes, gpusPerNode }: Devices, layout: GroupLayout, size: number): GroupShape | null {
  const devices = nodes * gpusPerNode;
  if (!Number.isInteger(size) || size < 1 || devices % size !== 0) return null;
  const copies = devices / size;
  const isEven = (block: number) => block % gpusPerNode === 0 || gpusPerNode % block === 0;
  if (!isEven(layout === "contiguous" ? size : copies)) return null;
  const onHost = layout === "contiguous" ? Math.min(size, gpusPerNode) : Math.max(1, Math.floor(gpusPerNode / copies));
  const copiesPerHost =
    layout === "contiguous" ? Math.max(1, Math.floor(gpusPerNode / size)) : Math.min(copies, gpusPerNode);
  return {
    ...{ size, copies, copiesPerHost },
    nodes: size / onHost,
    gpusPerNode: onHost,
    copyHosts: copies / copiesPerHost,
  };
}

/** All sizes whose groups come out even, rising. */
export function groupSizes(cluster: Devices, layout: GroupLayout): readonly number[] {
  const devices = cluster.nodes * cluster.gpusPerNode;
  return Array.from({ length: devices }, (_, k) => k + 1).filter((size) => groupShape(cluster, layout, size) !== null);
}
