import { COLLECTIVES, type Collective } from "../instance/cluster.js";
import type { Load } from "./loads.js";
import { type Fleet, firstElement, LOOKUP_PASSES } from "./routes.js";
import type { CollectiveTraffic, Largest, MemoryUse } from "./simulation.js";

/** What one collective moved, summed over the iterations so far. */
interface Flow {
  /** Of this iteration, by GPU: looked-up bytes that it receives forward, and that it sends, its own part included. */
  readonly received: Float64Array;
  readonly sent: Float64Array;
  /** Of this iteration, by GPU: bytes to other GPUs, in all passes. */
  readonly leaving: Float64Array;
  largest: Largest | null;
  largestLeaving: Largest | null;
  elements: number;
  bytes: number;
  own: number;
  intraNode: number;
  interNode: number;
}

/**
 * Books the lookups of the loads, iteration by iteration, as elements and bytes per collective, GPU and kind of link, and
 * as memory. `scale` is what one seen lookup stands for in an iteration (1 for drawn traffic).
 */
export class Ledger {
  readonly #fleet: Fleet;
  readonly #loads: readonly Load[];
  readonly #flows = new Map<Collective, Flow>();
  /** Bytes by GPU in this iteration. */
  readonly #dynamic: Float64Array;
  readonly #static: Float64Array;
  /** Bytes by node: empty where no row may be in host memory. */
  readonly #host: Float64Array;
  #dynamicTotal = 0;
  #largestDynamic: Largest | null = null;
  #iterations = 0;

  constructor(loads: readonly Load[], fleet: Fleet, replicaMemoryFactor: number) {
    this.#loads = loads;
    this.#fleet = fleet;
    const entries = fleet.followed ? fleet.gpus : 0;
    this.#dynamic = new Float64Array(entries);
    this.#static = new Float64Array(entries);
    for (const { route, rows } of loads) {
      for (const collective of [route.lookup, route.fetch]) {
        if (collective === null || rows === 0 || this.#flows.has(collective)) continue;
        this.#flows.set(collective, newFlow(entries));
      }
    }
    const hosts = fleet.followed && loads.some(({ route }) => route.memory === "host") ? fleet.nodes : 0;
    this.#host = new Float64Array(hosts);
    if (!fleet.followed) return;
    for (const load of loads) {
      const isInHost = load.route.memory === "host";
      eachHeld(load, fleet, replicaMemoryFactor, (gpu, bytes) => {
        if (isInHost) raise(this.#host, Math.floor(gpu / fleet.gpusPerNode), bytes);
        else raise(this.#static, gpu, bytes);
      });
    }
  }

  /** Books the counts that the loads have now. */
  bookIteration(scale = 1): void {
    this.#dynamic.fill(0);
    for (const { received, sent, leaving } of this.#flows.values()) {
      for (const list of [received, sent, leaving]) list.fill(0);
    }
    for (const load of this.#loads) this.#book(load, scale);
    for (const flow of this.#flows.values()) {
      // A GPU is as slow as the larger of what comes to it and what goes from it (FlexShard, section 3).
      const slowest = flow.received.map((bytes, gpu) => Math.max(bytes, flow.sent[gpu] as number));
      flow.largest = slowest.reduce(larger, flow.largest);
      flow.largestLeaving = flow.leaving.reduce(larger, flow.largestLeaving);
    }
    this.#largestDynamic = this.#dynamic.reduce(larger, this.#largestDynamic);
    this.#iterations++;
  }

  #book(load: Load, scale: number): void {
    const { route, counts, dim, elementBytes } = load;
    const lookups = counts.reduce((sum, count) => sum + count, 0) * scale;
    const bytes = lookups * dim * elementBytes;
    this.#dynamicTotal += route.sendBuffer ? 2 * bytes : bytes;
    const flow = route.lookup === null ? undefined : this.#flows.get(route.lookup);
    const fetched = route.fetch === null ? undefined : this.#flows.get(route.fetch);
    for (const used of [flow, fetched]) {
      if (used === undefined) continue;
      used.elements += lookups * dim;
      used.bytes += bytes;
    }
    if (this.#fleet.followed) this.#bookGpus(load, scale, flow, fetched);
    else if (flow !== undefined) this.#bookDistances(load, scale, flow);
  }

  #bookGpus(load: Load, scale: number, flow: Flow | undefined, fetched: Flow | undefined): void {
    const { route, size, places, counts, dim, elementBytes } = load;
    const { gpus, gpusPerNode } = this.#fleet;
    for (let gpu = 0; gpu < gpus; gpu++) {
      const group = Math.floor(gpu / size) * size;
      for (let place = 0; place < size; place++) {
        const isCut = route.split === "columns";
        const lookups = counts[gpu * places + (isCut ? 0 : place)] as number;
        if (lookups === 0) continue;
        const elements = isCut ? firstElement(place + 1, size, dim) - firstElement(place, size, dim) : dim;
        const bytes = lookups * scale * elements * elementBytes;
        const home = group + place;
        raise(this.#dynamic, gpu, bytes);
        if (route.sendBuffer) raise(this.#dynamic, home, bytes);
        // Once per lookup, by the GPU that holds the row, whosever sample it is.
        if (fetched !== undefined) raise(fetched.received, home, bytes);
        if (flow === undefined) continue;
        raise(flow.received, gpu, bytes);
        raise(flow.sent, home, bytes);
        if (home === gpu) {
          flow.own += bytes;
          continue;
        }
        // Forward the row leaves its home, backward its gradient leaves the sample's GPU.
        raise(flow.leaving, home, bytes);
        raise(flow.leaving, gpu, bytes);
        if (Math.floor(home / gpusPerNode) === Math.floor(gpu / gpusPerNode)) flow.intraNode += bytes;
        else flow.interNode += bytes;
      }
    }
  }

  #bookDistances({ route, size, counts, dim, elementBytes }: Load, scale: number, flow: Flow): void {
    const rowBytes = dim * elementBytes * scale;
    const [own, intra, inter] = counts as unknown as [number, number, number];
    if (route.split === "columns") {
      const inNode = Math.min(size, this.#fleet.gpusPerNode);
      flow.own += (own * rowBytes) / size;
      flow.intraNode += (own * rowBytes * (inNode - 1)) / size;
      flow.interNode += (own * rowBytes * (size - inNode)) / size;
      return;
    }
    flow.own += own * rowBytes;
    flow.intraNode += intra * rowBytes;
    flow.interNode += inter * rowBytes;
  }

  /** Per GPU and iteration, for every collective that carries something. */
  collectives(): readonly CollectiveTraffic[] {
    return COLLECTIVES.flatMap((collective) => {
      const flow = this.#flows.get(collective);
      if (flow !== undefined) return [this.#lookupTraffic(collective, flow)];
      const reduced = this.#loads.filter(({ route, rows }) => route.reduce === collective && rows > 0);
      return reduced.length === 0 ? [] : [this.#reduceTraffic(collective, reduced)];
    });
  }

  #lookupTraffic(collective: Collective, flow: Flow): CollectiveTraffic {
    const perGpu = 1 / (this.#iterations * this.#fleet.gpus);
    return {
      collective,
      passes: LOOKUP_PASSES,
      elementsPerPass: flow.elements * perGpu,
      bytesPerPass: flow.bytes * perGpu,
      largestBytesPerPass: flow.largest,
      links: {
        own: LOOKUP_PASSES * flow.own * perGpu,
        intraNode: LOOKUP_PASSES * flow.intraNode * perGpu,
        interNode: LOOKUP_PASSES * flow.interNode * perGpu,
        largestLeaving: flow.largestLeaving,
      },
    };
  }

  /**
   * A ring all-reduce of P GPUs sends 2·(P − 1)/P of the buffer from every GPU; the ring goes through a node's GPUs
   * before it leaves the node.
   */
  #reduceTraffic(collective: Collective, loads: readonly Load[]): CollectiveTraffic {
    const { gpus, gpusPerNode, nodes } = this.#fleet;
    let elements = 0;
    let bytes = 0;
    let intraNode = 0;
    let interNode = 0;
    for (const { rows, size, dim, elementBytes } of loads) {
      const copies = gpus / size;
      const held = (rows * dim) / size;
      const leaving = (2 * (copies - 1) * held * elementBytes) / copies;
      const acrossNodes = nodes === 1 ? 0 : Math.min(1, size / gpusPerNode);
      elements += held;
      bytes += held * elementBytes;
      interNode += leaving * acrossNodes;
      intraNode += leaving * (1 - acrossNodes);
    }
    const links = { own: 0, intraNode, interNode, largestLeaving: null };
    return { collective, passes: 1, elementsPerPass: elements, bytesPerPass: bytes, largestBytesPerPass: null, links };
  }

  /** Memory, with what is certain of it as it was computed: bytes per GPU and, of host memory, per node. */
  memory(meanStaticBytes: number, hostBytesPerNode: number | null = null): MemoryUse {
    const host = this.#host.reduce<Largest | null>(larger, null);
    const largest = host === null ? null : { bytes: host.bytes, node: host.gpu };
    return {
      staticBytes: meanStaticBytes,
      largestStaticBytes: this.#static.reduce<Largest | null>(larger, null),
      dynamicBytes: this.#dynamicTotal / (this.#iterations * this.#fleet.gpus),
      largestDynamicBytes: this.#largestDynamic,
      ...(hostBytesPerNode === null ? {} : { host: { bytesPerNode: hostBytesPerNode, largest } }),
    };
  }
}

function newFlow(gpus: number): Flow {
  const perGpu = () => new Float64Array(gpus);
  return {
    ...{ received: perGpu(), sent: perGpu(), leaving: perGpu() },
    ...{ largest: null, largestLeaving: null, elements: 0, bytes: 0, own: 0, intraNode: 0, interNode: 0 },
  };
}

/** Calls `take` with the memory of the rows that every GPU holds, or the host for it. */
function eachHeld(
  load: Load,
  { gpus }: Fleet,
  replicaMemoryFactor: number,
  take: (gpu: number, bytes: number) => void,
): void {
  const { table, route, size, dim, elementBytes } = load;
  const factor = elementBytes * (route.reduce === null ? 1 : replicaMemoryFactor);
  for (let gpu = 0; gpu < gpus; gpu++) {
    const place = gpu % size;
    for (const { start, rows } of load.parts) {
      if (route.split === "columns") {
        const elements = firstElement(place + 1, size, dim) - firstElement(place, size, dim);
        take(gpu, rows * elements * factor);
        continue;
      }
      const longer = rows % size;
      // How far this place is from that of the part's first row, around the group.
      const distance = (place + size - ((start + table) % size)) % size;
      take(gpu, ((rows - longer) / size + (distance < longer ? 1 : 0)) * dim * factor);
    }
  }
}

function raise(list: Float64Array, index: number, amount: number): void {
  list[index] = (list[index] as number) + amount;
}

function larger(most: Largest | null, bytes: number, gpu: number): Largest {
  return most === null || bytes > most.bytes ? { bytes, gpu } : most;
}
