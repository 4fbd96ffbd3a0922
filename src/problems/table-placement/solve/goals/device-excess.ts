import { deviceCount, type PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { memoriesOf } from "../memories.js";
import type { Cap } from "./goal-in-doubles.js";

/** What no device, or no host's devices together, may have more of than so much. */
interface Limit {
  readonly part: number;
  readonly most: Float64Array;
}

/** How far devices and hosts are above what they may have, kept as loads change: shares of it, each device and limit by itself. */
export class DeviceExcess {
  readonly #limits: readonly Limit[];
  /** Of memory that the devices of a host share. */
  readonly #pooled: Limit | null;
  readonly #gpusPerNode: number;
  readonly #width: number;
  readonly #devices: Float64Array;
  readonly #hosts: Float64Array;

  /** `hbm`: where memories begin among the loads of a device, of which there are `width`. */
  constructor(problem: PlacementProblem, caps: readonly Cap[], hbm: number, width: number) {
    const devices = deviceCount(problem);
    const memories = memoriesOf(problem);
    const limits = [memories.hbm, memories.host, memories.ssd].flatMap((memory, k) =>
      memory === null ? [] : [{ part: hbm + k, most: memory.capacity }],
    );
    const pooled = problem.hostIsPooled ? limits.find(({ part }) => part === hbm + 1) : undefined;
    this.#limits = [
      ...caps.map(({ part, most }) => ({ part, most: new Float64Array(devices).fill(most) })),
      ...limits.filter((limit) => limit !== pooled),
    ];
    this.#pooled = pooled ?? null;
    this.#gpusPerNode = problem.gpusPerNode;
    this.#width = width;
    this.#devices = new Float64Array(devices);
    this.#hosts = new Float64Array(problem.nodes);
  }

  /** Σ of all. */
  get total(): number {
    let total = 0;
    for (let d = 0; d < this.#devices.length; d++) total += this.#devices[d] as number;
    if (this.#pooled !== null) for (const excess of this.#hosts) total += excess;
    return total;
  }

  /** Whether a device, or its host, has more than it may. */
  isOver(device: number): boolean {
    return (this.#devices[device] as number) > 0 || (this.#hosts[Math.floor(device / this.#gpusPerNode)] as number) > 0;
  }

  /** After the loads of a device have changed. */
  look(device: number, loads: Float64Array): void {
    let excess = 0;
    for (let k = 0; k < this.#limits.length; k++) {
      const { part, most } = this.#limits[k] as Limit;
      excess += over(loads[device * this.#width + part] as number, most[device] as number);
    }
    this.#devices[device] = excess;
    if (this.#pooled === null) return;
    const { part, most } = this.#pooled;
    const node = Math.floor(device / this.#gpusPerNode);
    let bytes = 0;
    for (let d = node * this.#gpusPerNode; d < (node + 1) * this.#gpusPerNode; d++) {
      bytes += loads[d * this.#width + part] as number;
    }
    this.#hosts[node] = over(bytes, most[node] as number);
  }
}

function over(load: number, most: number): number {
  return load > most ? (load - most) / (most || 1) : 0;
}
