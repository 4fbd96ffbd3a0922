import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../models/table-placement/problem.js";

export type Bytes = Pick<ShardNeed, "hbmBytes" | "hostBytes" | "ssdBytes">;

/** The memory that is left while shards are placed one by one. */
export interface Room {
  fits(device: number, need: Bytes): boolean;
  /** Takes the bytes, whether or not they fit. */
  take(device: number, need: Bytes): void;
  /** Bytes in use of a device's own memory. */
  hbmUsed(device: number): number;
}

/** All the memory of a problem; a node's host memory is one pool where the problem says so. */
export function emptyRoom(problem: PlacementProblem): Room {
  const { hbmBytes, hostBytes, hostIsPooled, ssdBytes, gpusPerNode } = problem;
  const devices = deviceCount(problem);
  const poolOf = (device: number) => (hostIsPooled ? Math.floor(device / gpusPerNode) : device);
  const hbmUsed = new Float64Array(devices);
  const hostLeft = new Float64Array(devices).fill(hostBytes === null ? Number.POSITIVE_INFINITY : 0);
  for (const [device, bytes] of (hostBytes ?? []).entries())
    hostLeft[poolOf(device)] = at(hostLeft, poolOf(device)) + bytes;
  const ssdLeft = Float64Array.from(ssdBytes ?? new Float64Array(devices).fill(Number.POSITIVE_INFINITY));
  return {
    fits: (device, need) =>
      at(hbmUsed, device) + need.hbmBytes <= (hbmBytes[device] as number) &&
      need.hostBytes <= at(hostLeft, poolOf(device)) &&
      (need.ssdBytes ?? 0) <= at(ssdLeft, device),
    take: (device, need) => {
      hbmUsed[device] = at(hbmUsed, device) + need.hbmBytes;
      hostLeft[poolOf(device)] = at(hostLeft, poolOf(device)) - need.hostBytes;
      ssdLeft[device] = at(ssdLeft, device) - (need.ssdBytes ?? 0);
    },
    hbmUsed: (device) => at(hbmUsed, device),
  };
}

function at(list: Float64Array, index: number): number {
  return list[index] as number;
}
