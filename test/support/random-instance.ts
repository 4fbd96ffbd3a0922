import fc from "fast-check";
import type { RowClasses } from "../../src/access/row-classes.js";
import { type DataType, ELEMENT_BYTES } from "../../src/instance/data-type.js";
import {
  ROW_TIERS_OBJECTIVES,
  type RowTiersBudget,
  type RowTiersInstance,
  TIERS,
} from "../../src/instance/types/row-tiers.js";
import { bruteForce, countPlans } from "./brute-force.js";
import { tinyInstance } from "./tiny-instance.js";

export interface RandomCase {
  readonly instance: RowTiersInstance;
  readonly access: readonly RowClasses[];
}

// Few values, so that tables share them; 0.71875 is p_mem of eight samples on four GPUs.
const APPEARANCES = [3, 2.5, 2, 1.5, 1, 0.9, 0.71875, 0.5, 0.3, 0.1, 0.0625, 0.02, 0.01, 1e-7, 0];

/** Seconds of which no double holds the sum. */
const FAR_APART = [1e12, 2.3, 0.9, 0.3, 5e-17, 1e-18, 1e-300, 0];

const tableOf = (farApart: number) =>
  fc.record({
    // Rows of the widest come near 2^53 bytes, in replicas and together.
    dim: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(1, 2, 4, 4, 16) },
      { weight: farApart, arbitrary: fc.constant(2 ** 42) },
    ),
    dataType: fc.constantFrom<DataType>("fp32", "fp32", "fp16", "int8"),
    histogram: fc
      .oneof(
        { weight: 4, arbitrary: fc.subarray(APPEARANCES, { minLength: 1, maxLength: 4 }) },
        { weight: farApart, arbitrary: fc.subarray(FAR_APART, { minLength: 1, maxLength: 4 }) },
      )
      .chain((appearances) =>
        fc.tuple(...appearances.map((each) => fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constant(each)))),
      ),
  });

const bandwidth = fc.constantFrom(500, 777.7, 1000, 3000, 4000);
const latency = fc.constantFrom(0, 0.001, 0.05, 0.3);
const noLatency = { allToAllGlobal: 0, allToAllIntra: 0, allReduceGlobal: 0, allReduceCross: 0, hostToDevice: 0 };

const cluster = fc.record({
  hostBytesPerNode: fc.constantFrom(0, 1, 8, 40, 100, 1000, 1e9),
  nodes: fc.integer({ min: 1, max: 3 }),
  gpusPerNode: fc.integer({ min: 1, max: 4 }),
  bandwidth: fc.record({
    allToAllGlobal: bandwidth,
    allToAllIntra: bandwidth,
    allReduceGlobal: bandwidth,
    allReduceCross: bandwidth,
    hostToDevice: bandwidth,
  }),
  latency: fc.oneof(
    { weight: 2, arbitrary: fc.constant(noLatency) },
    {
      weight: 1,
      arbitrary: fc.record({
        allToAllGlobal: latency,
        allToAllIntra: latency,
        allReduceGlobal: latency,
        allReduceCross: latency,
        hostToDevice: latency,
      }),
    },
  ),
});

/** How a budget is chosen: `tight` is exactly what the best plan without a budget needs, `below` a little less. */
const budget = fc.oneof(
  fc.constant("memory-neutral" as const),
  fc.constant("tight" as const),
  fc.constant("below" as const),
  fc.record({ kind: fc.constant("extraBytesPerGpu" as const), bytes: fc.integer({ min: -2000, max: 2000 }) }),
  fc.record({ kind: fc.constant("bytesPerGpu" as const), bytes: fc.integer({ min: 0, max: 6000 }) }),
);

/**
 * Instances small enough to try every plan: up to three tables of four classes of four rows (fewer where that would be
 * more than `mostPlans`), all objectives, tier sets in any order, budgets that bind exactly or cannot be met. `farApart`:
 * now and then numbers that no solver in doubles takes.
 */
export function randomCases(mostPlans: number, { farApart = true } = {}): fc.Arbitrary<RandomCase> {
  return fc
    .record({
      tables: fc.array(tableOf(farApart ? 1 : 0), { minLength: 1, maxLength: 3 }),
      cluster,
      batchPerGpu: fc.constantFrom(1, 8, 8, 10.5),
      replicaMemoryFactor: fc.constantFrom(1, 6, 6, 6, 0.25),
      tiers: fc.shuffledSubarray([...TIERS], { minLength: 1 }),
      objective: fc.constantFrom(...ROW_TIERS_OBJECTIVES),
      granularity: fc.integer({ min: 1, max: 3 }),
      budget,
    })
    .map(({ tables, batchPerGpu, replicaMemoryFactor, budget: wanted, ...rest }) => {
      let kept = tables;
      for (;;) {
        const { instance, access } = tinyInstance(kept, {
          ...rest,
          training: { batchPerGpu, replicaMemoryFactor },
        });
        const typed: RowTiersInstance = {
          ...instance,
          tables: instance.tables.map((each, t) => {
            const { dataType } = kept[t] as (typeof kept)[number];
            return { ...each, dataType, elementBytes: ELEMENT_BYTES[dataType] };
          }),
        };
        if (countPlans(typed, access) <= mostPlans) {
          return { instance: { ...typed, budget: budgetOf(typed, access, wanted) }, access };
        }
        kept = shorter(kept);
      }
    });
}

function budgetOf(
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  wanted: RowTiersBudget | "memory-neutral" | "tight" | "below",
): RowTiersBudget {
  if (wanted === "memory-neutral") return { kind: "memory-neutral" };
  if (typeof wanted === "object") return wanted;
  const free = bruteForce({ ...instance, budget: { kind: "bytesPerGpu", bytes: Number.MAX_VALUE } }, access);
  const bytes = free?.bytesPerGpu.toNumberUp() ?? 0;
  return { kind: "bytesPerGpu", bytes: wanted === "tight" ? bytes : bytes * 0.995 };
}

/** Without the coldest class of the table that has the most classes. */
function shorter<T extends { readonly histogram: readonly unknown[] }>(tables: readonly T[]): T[] {
  const most = Math.max(...tables.map(({ histogram }) => histogram.length));
  const at = tables.findIndex(({ histogram }) => histogram.length === most);
  if (most === 1) return tables.slice(0, -1);
  return tables.map((each, t) => (t === at ? { ...each, histogram: each.histogram.slice(0, -1) } : each));
}
