import { expect, test } from "vitest";
import type { RowClasses } from "../../../src/access/row-classes.js";
import type { RowTiersInstance, Tier } from "../../../src/instance/types/row-tiers.js";
import { Ledger } from "../../../src/simulate/ledger.js";
import { loadsOf } from "../../../src/simulate/loads.js";
import { longRandom } from "../../../src/simulate/long-random.js";
import { fleetOf } from "../../../src/simulate/routes.js";
import { drawIteration } from "../../../src/simulate/sampled-traffic.js";
import { tinyInstance } from "../../support/tiny-instance.js";
import { writtenPlan } from "./support.js";

const NODES = 2;
const GPUS_PER_NODE = 3;
const GPUS = NODES * GPUS_PER_NODE;
const BATCH = 4;

// Whole appearances: nothing is left to chance, so every lookup can be followed by hand.
const { instance, access } = tinyInstance(
  [
    {
      dim: 5,
      histogram: [
        [7, 3],
        [4, 2],
        [9, 1],
      ],
    },
    {
      dim: 8,
      histogram: [
        [2, 4],
        [11, 1],
        [3, 0],
      ],
    },
  ],
  {
    tiers: ["data_parallel", "flex", "row_wise", "column_wise", "host"],
    cluster: {
      nodes: NODES,
      gpusPerNode: GPUS_PER_NODE,
      hostBytesPerNode: 1000,
      bandwidth: { allToAllGlobal: 1, allToAllIntra: 1, allReduceGlobal: 1, allReduceCross: 1, hostToDevice: 1 },
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
    },
    training: { batchPerGpu: BATCH, replicaMemoryFactor: 6 },
  },
);
const RUNS: [number, Tier][][] = [
  [
    [2, "data_parallel"],
    [6, "flex"],
    [5, "row_wise"],
    [3, "flex"],
    [1, "host"],
    [3, "column_wise"],
  ],
  [
    [1, "column_wise"],
    [6, "row_wise"],
    [2, "host"],
    [3, "data_parallel"],
    [2, "flex"],
    [2, "host"],
  ],
];

const zeros = () => Array.from({ length: GPUS }, () => 0);
const nodeOf = (gpu: number) => Math.floor(gpu / GPUS_PER_NODE);

/** Every lookup of every sample, one by one. */
function followEveryLookup() {
  const flows = new Map(
    ["allToAllGlobal", "allToAllIntra", "hostToDevice"].map((name) => [
      name,
      { received: zeros(), sent: zeros(), leaving: zeros(), own: 0, intraNode: 0, interNode: 0, elements: 0 },
    ]),
  );
  const dynamic = zeros();
  const held = zeros();
  const heldByHosts = Array.from({ length: NODES }, () => 0);
  const add = (list: number[], gpu: number, bytes: number) => {
    list[gpu] = (list[gpu] as number) + bytes;
  };
  for (const [table, { dim }] of instance.tables.entries()) {
    const tiers = (RUNS[table] ?? []).flatMap(([rows, tier]) => Array.from({ length: rows }, () => tier));
    const { rows: counts, appearances } = access[table] as RowClasses;
    const times = [...counts].flatMap((rows, index) =>
      Array.from({ length: rows }, () => appearances[index] as number),
    );
    for (const [row, tier] of tiers.entries()) {
      /** GPUs that hold a copy's parts of the row, with their elements, as GPU `gpu` looks them up. */
      const holders = (gpu: number): [gpu: number, elements: number][] => {
        const first = nodeOf(gpu) * GPUS_PER_NODE;
        if (tier === "data_parallel") return [[gpu, dim]];
        if (tier === "flex") return [[first + ((row + table) % GPUS_PER_NODE), dim]];
        if (tier === "row_wise" || tier === "host") return [[(row + table) % GPUS, dim]];
        const elements = zeros();
        for (let element = 0; element < dim; element++) {
          const holder = elements.findIndex((_, at) => element < Math.floor(((at + 1) * dim) / GPUS));
          add(elements, holder, 1);
        }
        return [...elements.entries()];
      };
      for (let gpu = 0; gpu < GPUS; gpu++) {
        const own = holders(gpu).find(([holder]) => holder === gpu)?.[1] ?? 0;
        if (tier === "host") add(heldByHosts, nodeOf(gpu), own * 4);
        else add(held, gpu, own * 4 * (tier === "data_parallel" || tier === "flex" ? 6 : 1));
        const lookups = BATCH * (times[row] as number);
        for (const [holder, elements] of holders(gpu)) {
          const bytes = lookups * elements * 4;
          add(dynamic, gpu, bytes);
          if (tier === "data_parallel") continue;
          add(dynamic, holder, bytes);
          const flow = flows.get(tier === "flex" ? "allToAllIntra" : "allToAllGlobal");
          const link = flows.get("hostToDevice");
          if (flow === undefined || link === undefined) throw new Error("no flow");
          if (tier === "host") {
            link.elements += lookups * elements;
            add(link.received, holder, bytes);
          }
          flow.elements += lookups * elements;
          add(flow.received, gpu, bytes);
          add(flow.sent, holder, bytes);
          if (holder === gpu) flow.own += bytes;
          else {
            add(flow.leaving, holder, bytes);
            add(flow.leaving, gpu, bytes);
            flow[nodeOf(holder) === nodeOf(gpu) ? "intraNode" : "interNode"] += bytes;
          }
        }
      }
    }
  }
  return { flows, dynamic, held, heldByHosts };
}

function simulateOnce(changes: Partial<RowTiersInstance> = {}, followed = true) {
  const changed = { ...instance, ...changes };
  const fleet = { ...fleetOf(changed), followed };
  const loads = loadsOf(writtenPlan(changed, access, RUNS), changed, access, fleet, "-");
  const ledger = new Ledger(loads, fleet, 6);
  drawIteration(loads, fleet, longRandom(0));
  ledger.bookIteration();
  return ledger;
}

test("every lookup goes where following it by hand says", () => {
  const { flows, dynamic, held, heldByHosts } = followEveryLookup();
  const ledger = simulateOnce();
  const collectives = ledger.collectives();
  for (const [name, flow] of flows) {
    const traffic = collectives.find(({ collective }) => collective === name);
    const largest = Math.max(...flow.received, ...flow.sent);
    expect(traffic?.largestBytesPerPass?.bytes).toBe(largest);
    expect(traffic?.links.largestLeaving?.bytes).toBe(Math.max(...flow.leaving));
    expect(traffic?.elementsPerPass).toBeCloseTo(flow.elements / GPUS, 9);
    expect(traffic?.bytesPerPass).toBeCloseTo((flow.elements * 4) / GPUS, 9);
    expect(traffic?.links.own).toBeCloseTo((2 * flow.own) / GPUS, 9);
    expect(traffic?.links.intraNode).toBeCloseTo((2 * flow.intraNode) / GPUS, 9);
    expect(traffic?.links.interNode).toBeCloseTo((2 * flow.interNode) / GPUS, 9);
  }
  const memory = ledger.memory(0, 0);
  expect(memory.largestDynamicBytes?.bytes).toBe(Math.max(...dynamic));
  expect(memory.dynamicBytes).toBeCloseTo(dynamic.reduce((sum, bytes) => sum + bytes) / GPUS, 9);
  expect(memory.largestStaticBytes?.bytes).toBe(Math.max(...held));
  expect(memory.host?.largest?.bytes).toBe(Math.max(...heldByHosts));
  expect(heldByHosts[memory.host?.largest?.node ?? -1]).toBe(Math.max(...heldByHosts));
});

test("a cluster that is not followed GPU by GPU has the same sums", () => {
  // Elements that the GPUs share evenly: sums alone cannot know of uneven columns.
  const even = { tables: instance.tables.map((table) => ({ ...table, dim: 12 })) };
  const followed = simulateOnce(even).collectives();
  const summed = simulateOnce(even, false).collectives();
  expect(summed).toHaveLength(5);
  for (const [index, traffic] of summed.entries()) {
    const { links, elementsPerPass, bytesPerPass } = followed[index] as (typeof followed)[number];
    expect(traffic).toMatchObject({ elementsPerPass, bytesPerPass, largestBytesPerPass: null });
    // Columns: a ninth of a lookup is no whole number of bytes.
    expect(traffic.links.own).toBeCloseTo(links.own, 6);
    expect(traffic.links.intraNode).toBeCloseTo(links.intraNode, 6);
    expect(traffic.links.interNode).toBeCloseTo(links.interNode, 6);
  }
});

test("all-reduces go around a ring", () => {
  const collectives = simulateOnce().collectives();
  const [global, cross] = ["allReduceGlobal", "allReduceCross"].map((name) =>
    collectives.find(({ collective }) => collective === name),
  );
  const replicated = 2 * 5 + 3 * 8;
  expect(global?.elementsPerPass).toBe(replicated);
  // 6 GPUs send 2 · 5/6 of the buffer; two of the six hops of the ring leave a node.
  expect(global?.links.interNode).toBeCloseTo((replicated * 4 * 2 * 5) / 6 / 3, 9);
  expect(global?.links.intraNode).toBeCloseTo((replicated * 4 * 2 * 5 * 2) / 6 / 3, 9);
  const shard = (9 * 5 + 2 * 8) / 3;
  expect(cross?.bytesPerPass).toBeCloseTo(shard * 4, 9);
  // Two copies: each GPU sends its whole shard, to the other node.
  expect(cross?.links.interNode).toBeCloseTo(shard * 4, 9);
  expect(cross?.links.intraNode).toBe(0);
});
