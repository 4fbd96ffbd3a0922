import type { RowClasses } from "../../src/access/row-classes.js";
import type { RowTiersInstance } from "../../src/instance/types/row-tiers.js";

/** A table by its histogram, from the hottest rows to the coldest. */
export interface TinyTable {
  readonly dim: number;
  readonly histogram: readonly (readonly [rows: number, appearances: number])[];
}

const BASE: Omit<RowTiersInstance, "tables"> = {
  problem: "row-tiers",
  name: "tiny",
  cluster: {
    nodes: 2,
    gpusPerNode: 2,
    bandwidth: { allToAllGlobal: 1000, allToAllIntra: 4000, allReduceGlobal: 3000, allReduceCross: 500 },
    latency: { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 },
  },
  training: { batchPerGpu: 8, replicaMemoryFactor: 6 },
  tiers: ["data_parallel", "flex", "row_wise"],
  budget: { kind: "memory-neutral" },
  objective: "serial",
  granularity: 1,
  file: "-",
  sha256: "0".repeat(64),
};

/**
 * An instance with fp32 tables on two nodes of two GPUs, eight samples each, κ = 6, and the classes of its tables.
 * Bandwidths: 1000 and 4000 bytes per second for the global and the intra-node all-to-all, 3000 and 500 for the global and
 * the cross-node all-reduce.
 */
export function tinyInstance(
  tables: readonly TinyTable[],
  changes: Partial<RowTiersInstance> = {},
): { instance: RowTiersInstance; access: readonly RowClasses[] } {
  const instance: RowTiersInstance = {
    ...BASE,
    tables: tables.map(({ dim, histogram }, index) => ({
      name: `t${index}`,
      rows: histogram.reduce((sum, [rows]) => sum + rows, 0),
      dim,
      dataType: "fp32",
      elementBytes: 4,
      access: { kind: "histogram", bins: histogram },
    })),
    ...changes,
  };
  const access = tables.map(({ histogram }) => ({
    rows: Float64Array.from(histogram, ([rows]) => rows),
    appearances: Float64Array.from(histogram, ([, appearances]) => appearances),
  }));
  return { instance, access };
}
