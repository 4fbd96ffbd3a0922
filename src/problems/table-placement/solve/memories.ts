import type { PlacementProblem, ShardNeed } from "../../../../models/table-placement/problem.js";

/** A memory that limits: so many devices after one another draw on one part of it. */
export interface Memory {
  readonly bytesOf: (need: ShardNeed) => number;
  /** Of each part. */
  readonly capacity: Float64Array;
  readonly size: number;
}

/** By kind, `null` where it does not limit: the devices' own, host memory (a device's or, pooled, a node's) and SSDs. */
export function memoriesOf({ hbmBytes, hostBytes, hostIsPooled, ssdBytes, gpusPerNode }: PlacementProblem) {
  const memory = (perDevice: readonly number[], bytesOf: Memory["bytesOf"], size = 1): Memory => {
    const capacity = new Float64Array(perDevice.length / size);
    for (const [d, bytes] of perDevice.entries()) {
      const part = Math.floor(d / size);
      capacity[part] = (capacity[part] as number) + bytes;
    }
    return { bytesOf, capacity, size };
  };
  return {
    hbm: memory(hbmBytes, (need) => need.hbmBytes),
    host: hostBytes && memory(hostBytes, (need) => need.hostBytes, hostIsPooled ? gpusPerNode : 1),
    ssd: ssdBytes === undefined ? null : memory(ssdBytes, ({ ssdBytes: bytes = 0 }) => bytes),
  };
}
