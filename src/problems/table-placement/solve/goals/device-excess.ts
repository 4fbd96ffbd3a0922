import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { memoriesOf } from "../memories.js";
import type { Cap } from "./goal-in-doubles.js";

/**
 * How far devices and hosts are above what they may have, kept as loads change: shares of it, each device and limit by itself. `hbm`:
 * where memories begin among the loads of a device, of which there are `width`.
 */
export function deviceExcess(problem: PlacementProblem, caps: readonly Cap[], hbm: number, width: number) {
  const { gpusPerNode, nodes, hostIsPooled } = problem;
  const all = deviceCount(problem);
  const memories = memoriesOf(problem);
  const limits = [memories.hbm, memories.host, memories.ssd].flatMap((memory, k) =>
    memory === null ? [] : [{ part: hbm + k, most: memory.capacity }],
  );
  // Of memory that the devices of a host share.
  const pooled = hostIsPooled ? limits.find(({ part }) => part === hbm + 1) : undefined;
  const own = [
    ...caps.map(({ part, most }) => ({ part, most: new Float64Array(all).fill(most) })),
    ...limits.filter((limit) => limit !== pooled),
  ];
  const devices = new Float64Array(all);
  const hosts = new Float64Array(nodes);
  return {
    /** Σ of all. */
    total(): number {
      let total = 0;
      for (const excess of devices) total += excess;
      if (pooled !== undefined) for (const excess of hosts) total += excess;
      return total;
    },

    /** Whether a device, or its host, has more than it may. */
    isOver(device: number): boolean {
      return (devices[device] as number) > 0 || (hosts[Math.floor(device / gpusPerNode)] as number) > 0;
    },

    /** After the loads of a device have changed. */
    look(device: number, loads: Float64Array): void {
      let excess = 0;
      for (const { part, most } of own) excess += over(loads[device * width + part] as number, most[device] as number);
      devices[device] = excess;
      if (pooled === undefined) return;
      const node = Math.floor(device / gpusPerNode);
      let bytes = 0;
      for (let d = node * gpusPerNode; d < (node + 1) * gpusPerNode; d++) {
        bytes += loads[d * width + pooled.part] as number;
      }
      hosts[node] = over(bytes, pooled.most[node] as number);
    },
  };
}

function over(load: number, most: number): number {
  return load > most ? (load - most) / (most || 1) : 0;
}
