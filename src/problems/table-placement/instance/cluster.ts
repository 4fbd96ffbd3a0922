import type { PlacementCluster } from "../../../instance/types/table-placement.js";
import type { PlacementClusterInput, TorchrecInput } from "./schema.js";

/** A cluster whose number of devices may still be unknown. */
export type PlacementClusterParts = Omit<PlacementCluster, "nodes" | "gpusPerNode"> & {
  readonly nodes: number | null;
  readonly gpusPerNode: number | null;
};

/** A key that is not written is not there. */
type Bandwidth = NonNullable<PlacementCluster["bandwidth"]>;

/** The largest capacity: sums of bytes stay integers below it. */
const MAX_BYTES = Number.MAX_SAFE_INTEGER;

export function clusterOfInput(input: PlacementClusterInput): PlacementClusterParts {
  const {
    nodes,
    gpusPerNode,
    hbmBytesPerGpu,
    hostBytesPerGpu,
    hostBytesPerNode,
    hostIsPooled,
    ssdBytesPerGpu,
    bandwidth,
  } = input;
  const devices = nodes * gpusPerNode;
  const shared = hostBytesPerNode !== undefined && hostBytesPerGpu === undefined;
  const each = (bytes: number | readonly number[] | undefined) =>
    bytes === undefined ? null : perDevice(bytes, devices);
  return {
    nodes,
    gpusPerNode,
    hbmBytesPerGpu: each(hbmBytesPerGpu),
    hostBytesPerGpu: shared ? shares(hostBytesPerNode, nodes, gpusPerNode) : each(hostBytesPerGpu),
    hostIsPooled: shared || hostIsPooled,
    ssdBytesPerGpu: each(ssdBytesPerGpu),
    ...(Object.keys(bandwidth).length === 0 ? {} : { bandwidth: bandwidth as Bandwidth }),
  };
}

/**
 * The cluster of a TorchRec problem: `cluster` where the instance has one, `torchrec.topology` otherwise. A node is what
 * TorchRec takes for a host: `pod_size · local_world_size` ranks. Without a memory of its own, that of `torchrec.devices`
 * (or TorchRec's defaults) applies, which TorchRec's cost model knows.
 */
export function clusterOfTorchrec({ cluster, torchrec }: TorchrecInput): PlacementClusterParts {
  if (cluster !== undefined) return clusterOfInput(cluster);
  const { world_size: ranks, local_world_size: local = ranks, pod_size: pod = 1 } = torchrec.topology;
  const size = ranks === undefined || local === undefined ? null : pod * local;
  const nodes = size === null || ranks === undefined || ranks % size !== 0 ? null : ranks / size;
  const memory = { hbmBytesPerGpu: null, hostBytesPerGpu: null, hostIsPooled: false, ssdBytesPerGpu: null };
  return { nodes, gpusPerNode: size, ...memory };
}

/** Shards have whole bytes: what is less than a byte holds nothing. */
function perDevice(given: number | readonly number[], devices: number): readonly number[] {
  const whole = (bytes: number) => Math.min(Math.floor(bytes), MAX_BYTES);
  return typeof given === "number" ? new Array<number>(devices).fill(whole(given)) : given.map(whole);
}

/** A node's memory as one part for each of its devices; together they are all of it. */
function shares(bytes: number, nodes: number, gpusPerNode: number): readonly number[] {
  const total = Math.min(Math.floor(bytes), MAX_BYTES);
  const part = Math.floor(total / gpusPerNode);
  const ofNode = Array.from({ length: gpusPerNode }, (_, slot) => part + (slot < total - part * gpusPerNode ? 1 : 0));
  return Array.from({ length: nodes }, () => ofNode).flat();
}
