import type { RowClasses } from "../../src/access/row-classes.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { ELEMENT_BYTES } from "../../src/instance/data-type.js";
import type { RowTiersInstance, RowTiersObjective } from "../../src/instance/types/row-tiers.js";
import { leastMemory } from "../../src/problems/row-tiers/plan-file/least-memory.js";
import { tinyInstance } from "./tiny-instance.js";

/**
 * A few tables of different widths with a hundred classes and more each, far too many plans to try, that compete for
 * little memory on the GPUs and little more on the hosts than is needed. Half of the tables have rows that are never read.
 */
export function midInstance(
  seed: number,
  objective: RowTiersObjective,
): { instance: RowTiersInstance; access: readonly RowClasses[] } {
  const random = seededRandom(seed);
  const between = (low: number, high: number) => low * (high / low) ** random.next();
  const one = <T>(list: readonly T[]): T => list[random.integer(list.length)] as T;
  const tables = Array.from({ length: 2 + random.integer(3) }, () => ({
    dim: one([8, 32, 64, 128]),
    dataType: one(["fp32", "fp16"] as const),
    histogram: histogram(random, between),
  }));
  const nodes = one([2, 4]);
  const gpusPerNode = one([4, 8]);
  const { instance, access } = tinyInstance(tables, {
    objective,
    tiers: ["data_parallel", "flex", "row_wise", "host"],
    training: { batchPerGpu: 1024, replicaMemoryFactor: 6 },
    cluster: {
      nodes,
      gpusPerNode,
      hostBytesPerNode: 1,
      bandwidth: {
        allToAllGlobal: between(5e9, 5e10),
        allToAllIntra: between(5e10, 3e11),
        allReduceGlobal: between(2e10, 1e11),
        allReduceCross: between(5e9, 5e10),
        hostToDevice: between(5e9, 6e10),
      },
      latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
    },
  });
  const typed: RowTiersInstance = {
    ...instance,
    tables: instance.tables.map((table, t) => {
      const { dataType } = tables[t] as (typeof tables)[number];
      return { ...table, dataType, elementBytes: ELEMENT_BYTES[dataType] };
    }),
  };
  const parameters = typed.tables.reduce((sum, { rows, dim, elementBytes }) => sum + rows * dim * elementBytes, 0);
  const kept = 0.05 + 0.9 * random.next();
  const spare = between(1e-3, 0.3);
  return {
    access,
    instance: {
      ...typed,
      cluster: { ...typed.cluster, hostBytesPerNode: Math.ceil(((1 - kept + spare) * parameters) / nodes) },
      budget: {
        kind: "bytesPerGpu",
        bytes: leastMemory(typed, access).bytes.toNumber() + (kept * parameters) / nodes / gpusPerNode,
      },
    },
  };
}

/** Classes with more and more rows that are read less and less. */
function histogram(random: Random, between: (low: number, high: number) => number): readonly [number, number][] {
  const classes: [number, number][] = [];
  const fall = between(0.01, 0.05);
  let appearances = between(0.1, 2);
  let rows = 1;
  for (let left = 100 + random.integer(200); left > 0; left--) {
    classes.push([Math.max(1, Math.floor(rows * (0.5 + random.next()))), appearances]);
    appearances *= (1 - fall) ** (0.5 + random.next());
    rows = Math.min(rows * (1 + fall) ** (0.5 + 1.3 * random.next()), 1e6);
  }
  if (random.next() < 0.5) classes.push([Math.floor(between(1e3, 1e7)), 0]);
  return classes;
}
