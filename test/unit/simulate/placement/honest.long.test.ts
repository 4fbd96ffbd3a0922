import { expect, test } from "vitest";
import { modelledTraffic } from "../../../../src/cost/placement/predicted-traffic.js";
import { simulatePlacementTraffic } from "../../../../src/simulate/placement/simulate-placement.js";
import { instanceOf, played } from "./support.js";

const ACCESS = {
  histogram: [
    [80, 0.05],
    [920, 0.004],
    [3000, 0.0006],
  ],
};

test("standard errors are those of the numbers: of many seeds as many z are beyond 2 as should be", () => {
  const table = { poolingFactor: 1.5, access: ACCESS, compute_kernels: ["fused_uvm_caching"] };
  const instance = instanceOf(table, { splits: { hotRows: true }, caches: { loadFactors: [0.05] } });
  const scores = new Map<string, number[]>();
  for (let seed = 0; seed < 200; seed++) {
    const run = played(
      instance,
      ({ hot }) => hot?.rows === 80,
      () => 0,
      { seed, batches: 10 },
    );
    for (const { quantity, part, device, link, z } of run.comparisons) {
      if (z === null) continue;
      const key = [quantity, part, device, link].join();
      scores.set(key, [...(scores.get(key) ?? []), z]);
    }
  }
  expect(scores.size).toBeGreaterThan(10);
  for (const [key, list] of scores) {
    const mean = list.reduce((sum, z) => sum + z, 0) / list.length;
    const spread = Math.sqrt(list.reduce((sum, z) => sum + z * z, 0) / list.length);
    // 200 scores: their mean within 4 / √200, their spread near 1 (estimates of misses may be wide).
    expect([key, Math.abs(mean) < 4 / Math.sqrt(200), spread > 0.7 && spread < 1.25]).toEqual([key, true, true]);
  }
});

test("a cost model that is off by some per cent is found out, number by number", () => {
  const table = {
    poolingFactor: 2,
    access: ACCESS,
    compute_kernels: ["fused_uvm_caching"],
    sharding_types: ["row_wise"],
  };
  const instance = instanceOf(table, { splits: { hotRows: true }, caches: { loadFactors: [0.05] } });
  const devices = Array.from({ length: 8 }, (_, d) => d);
  const placed = { shardingType: "row_wise", kernel: "fused_uvm_caching", devices, cache: { loadFactor: 0.05 } };
  const { fleet, tables } = modelledTraffic(instance, [{ ...placed, hot: { rows: 80, share: 4 / 9.48 } }], 1);
  type Predicted = (typeof tables)[number]["parts"][number]["predicted"];
  const run = (change: (predicted: Predicted) => object) => {
    const changed = tables.map((one) => ({
      ...one,
      parts: one.parts.map((part) => ({ ...part, predicted: { ...part.predicted, ...change(part.predicted) } })),
    }));
    const { comparisons } = simulatePlacementTraffic({
      ...{ fleet, tables: changed, seed: 1, indexOrder: "spread", batches: 200 },
    });
    return comparisons.filter(({ device, within }) => device === null && !within).map(({ quantity }) => quantity);
  };
  expect(run(() => ({}))).toEqual([]);
  expect(run(({ lookups }) => ({ lookups: lookups * 1.05 }))).toContain("look-ups");
  expect(run(({ ids }) => ({ ids: { ...ids, between: ids.between * 1.05 } }))).toEqual(["ids"]);
  expect(run(({ ids }) => ({ ids: { ...ids, own: ids.inside, inside: ids.own } }))).toContain("ids");
  expect(run(({ misses }) => ({ misses: misses === null ? null : misses * 1.1 }))).toEqual(["misses"]);
});
