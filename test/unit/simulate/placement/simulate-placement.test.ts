import { expect, test } from "vitest";
import { instanceCosts } from "../../../../src/cost/placement/table-costs.js";
import { InputError } from "../../../../src/errors/input-error.js";
import { instanceOf, played } from "./support.js";

/** 8 rows with 40 % of the look-ups, 392 with 40 %, the others with 20 %: many rows of each for every block. */
const ACCESS = {
  histogram: [
    [80, 0.05],
    [920, 0.004],
    [3000, 0.0006],
  ],
};
const HOT_SHARE = 4 / (4 + 3.68 + 1.8);

type Run = ReturnType<typeof played>;

function lineOf({ comparisons }: Run, wanted: Partial<Run["comparisons"][number]>) {
  const found = comparisons.filter((one) =>
    Object.entries(wanted).every(([key, value]) => one[key as keyof typeof one] === value),
  );
  expect(found).toHaveLength(1);
  return found[0] as Run["comparisons"][number];
}

const TYPES = {
  table_wise: () => 5,
  column_wise: (shard: number) => [1, 6][shard] ?? 0,
  row_wise: (shard: number) => shard,
  table_row_wise: (shard: number) => 4 + shard,
  grid_shard: (shard: number) => shard,
  data_parallel: (shard: number) => shard,
} as const;

for (const [type, at] of Object.entries(TYPES)) {
  // TorchRec has no sequences that are added up inside a host.
  for (const isPooled of type === "table_row_wise" || type === "grid_shard" ? [true] : [true, false]) {
    test(`${type}, ${isPooled ? "pooled" : "a sequence"}: whole and with hot rows all numbers agree`, () => {
      const table = {
        ...{ poolingFactor: isPooled ? 1 : 3.5, access: ACCESS, sharding_types: [type, "data_parallel"] },
        ...(isPooled ? {} : { is_pooled: false, sharder: "embedding_collection" }),
        min_partition: 32,
      };
      const instance = instanceOf(table, { splits: { hotRows: true } });
      for (const isSplit of type === "data_parallel" ? [false] : [false, true]) {
        const run = played(
          instance,
          ({ shardingType, hot }) => shardingType === type && (hot !== undefined) === isSplit,
          at,
          { batches: 40 },
        );
        expect(run.comparisons.filter(({ within }) => !within)).toEqual([]);
        expect(run.verdict).toMatchObject({ outcome: "agrees", uneven: 0 });
        const perBatch = 8 * 64 * (isPooled ? 1 : 3.5);
        const part = isSplit ? "cold" : "whole";
        expect(lineOf(run, { quantity: "look-ups", device: null, part }).predicted).toBeCloseTo(
          perBatch * (isSplit ? 1 - HOT_SHARE : 1),
          9,
        );
      }
    });
  }
}

test("bytes by link are what the shards' places make them", () => {
  const run = played(
    instanceOf({ poolingFactor: 2 }),
    ({ shardingType }) => shardingType === "table_wise",
    () => 5,
  );
  // 512 samples with two ids and a vector of 64 floats each; of their 8 devices one is the shard's, 3 are in its host.
  const bytes = (quantity: "ids" | "vectors") =>
    (["own", "inside", "between"] as const).map((link) => lineOf(run, { quantity, link }).observed);
  expect(bytes("ids")).toEqual([1, 3, 4].map((devices) => devices * 64 * 2 * 8));
  expect(bytes("vectors")).toEqual([1, 3, 4].map((devices) => devices * 64 * 64 * 4));
});

test("grid shards add up inside a host first, and one vector of each host goes on", () => {
  const run = played(
    instanceOf({ poolingFactor: 4, sharding_types: ["grid_shard"], min_partition: 32 }),
    () => true,
    (shard) => shard,
  );
  const vectors = (link: "own" | "inside" | "between") => lineOf(run, { quantity: "vectors", link }).observed;
  const vector = 32 * 4;
  // Each of 8 shards: the 512 samples' parts to the 4 devices of its host, then those of 2 · 64 samples on from there.
  expect(vectors("inside")).toBe(8 * 512 * 0.75 * vector);
  expect(vectors("between")).toBe(8 * 64 * vector);
  expect(vectors("own")).toBe(8 * 512 * 0.25 * vector + 8 * 64 * vector);
});

test("hot rows take their share of the look-ups on the sample's own device", () => {
  const instance = instanceOf({ poolingFactor: 1, access: ACCESS }, { splits: { hotRows: true } });
  const run = played(
    instance,
    ({ hot, shardingType }) => hot?.rows === 80 && shardingType === "table_wise",
    () => 0,
    {
      batches: 50,
    },
  );
  expect(lineOf(run, { part: "hot", quantity: "look-ups" }).observed / 512).toBeCloseTo(HOT_SHARE, 1);
  expect(run.comparisons.some(({ part, quantity }) => part === "hot" && quantity !== "look-ups")).toBe(false);
  expect(lineOf(run, { device: 3 }).predicted).toBeCloseTo(64 * HOT_SHARE, 9);
});

test("distinct rows that miss a cache are as many as the cost model expects", () => {
  const table = {
    poolingFactor: 20,
    access: ACCESS,
    compute_kernels: ["fused_uvm_caching"],
    sharding_types: ["row_wise"],
  };
  const instance = instanceOf(table, { splits: { hotRows: true }, caches: { loadFactors: [0.05, 0.3] } });
  for (const hotRows of [undefined, 80]) {
    for (const loadFactor of [0.05, 0.3]) {
      const run = played(
        instance,
        ({ hot, cache }) => hot?.rows === hotRows && cache?.loadFactor === loadFactor,
        (shard) => shard,
        { batches: 15 },
      );
      const { predicted, observed, reading } = lineOf(run, { quantity: "misses" });
      expect(reading).toBe("agrees");
      expect(observed / predicted).toBeCloseTo(1, 1);
      const [cache] = run.caches;
      expect(cache?.cachedRows).toBe(Math.floor((4000 - (hotRows ?? 0)) * loadFactor));
      // Evicting what was read longest ago misses more than keeping the hottest rows.
      expect(cache?.leastRecentlyUsed).toBeGreaterThan(cache?.misses ?? 0);
    }
  }
});

test("with several ids to a bag the cost model's vectors are an estimate, between what was seen and all", () => {
  const instance = instanceOf({ poolingFactor: 6, access: ACCESS }, { splits: { hotRows: true } });
  const run = played(
    instance,
    ({ hot, shardingType }) => hot?.rows === 1000 && shardingType === "table_wise",
    () => 0,
  );
  const { reading, observed, predicted, ofAllBags } = lineOf(run, { quantity: "vectors", link: "between" });
  expect(reading === "between" || predicted === ofAllBags).toBe(true);
  expect(observed).toBeLessThanOrEqual(predicted);
  const narrow = instanceOf({ poolingFactor: 3, access: ACCESS }, { splits: { hotRows: true } });
  const other = played(
    narrow,
    ({ hot, shardingType }) => hot?.rows === 1000 && shardingType === "table_wise",
    () => 0,
  );
  const line = lineOf(other, { quantity: "vectors", link: "between" });
  // 3 · 0.19 ids to a bag: TorchRec counts as many bags, of which some have two.
  expect(line.reading).toBe("between");
  expect(line.predicted).toBeGreaterThan(line.observed);
  expect(line.predicted).toBeLessThan(line.ofAllBags ?? 0);
});

test("releases that count a vector for every bag are right for bags without an id in the part", () => {
  const instance = instanceOf(
    { poolingFactor: 1, access: ACCESS },
    { splits: { hotRows: true }, torchrec: { batch_size: 64, version: 1.6 } },
  );
  const run = played(
    instance,
    ({ hot, shardingType }) => hot?.rows === 80 && shardingType === "table_wise",
    () => 0,
  );
  const line = lineOf(run, { quantity: "vectors", link: "between" });
  expect([line.z, line.reading]).toEqual([null, "agrees"]);
  expect(line.observed).toBe(256 * 64 * 4);
});

test("rows in falling order leave the first block most of the look-ups", () => {
  const instance = instanceOf({ poolingFactor: 4, access: ACCESS, sharding_types: ["row_wise"] });
  const run = played(
    instance,
    () => true,
    (shard) => shard,
    { indexOrder: "falling" },
  );
  expect(run.verdict.outcome).toBe("agrees");
  expect(run.verdict.uneven).toBeGreaterThan(4);
  const devices = run.comparisons.filter(({ device }) => device !== null).map(({ observed }) => observed);
  expect(devices[0]).toBeGreaterThan(3 * (devices[7] as number));
});

test("the same seed gives the same numbers, another one others", () => {
  const instance = instanceOf({ poolingFactor: 1.5, access: ACCESS }, { splits: { hotRows: true } });
  const run = (seed: number) =>
    JSON.stringify(
      played(
        instance,
        ({ hot }) => hot !== undefined,
        () => 1,
        { seed },
      ),
    );
  expect(run(7)).toBe(run(7));
  expect(run(8)).not.toBe(run(7));
});

test("formulas say what devices look up, for as many samples as are asked for", () => {
  const table = { poolingFactor: 5, access: ACCESS, dim: 48, dataType: "fp32" };
  const keys = {
    costModel: "lookup",
    torchrec: undefined,
    splits: { hotRows: true, columns: true, maxShardsPerTable: 2 },
  };
  const run = played(
    instanceOf(table, keys),
    ({ hot, shards }) => hot?.rows === 80 && shards.length === 10,
    (shard) => shard,
    { samples: 200, batches: 20 },
  );
  expect(run.verdict).toMatchObject({ outcome: "agrees" });
  // Ids go to both parts of the columns.
  expect(lineOf(run, { device: 1 }).predicted).toBeCloseTo(200 * 5 * HOT_SHARE + 8 * 200 * 5 * (1 - HOT_SHARE), 6);
  expect(run.comparisons.some(({ quantity }) => quantity === "vectors")).toBe(false);
  expect(run.traffic.assumedSamplesPerGpu).toBe(200);
});

test("a table of which nobody knows how many ids are looked up is refused", () => {
  const table = { cost: 1, bytes: 10, rows: undefined, dim: undefined };
  const instance = instanceOf(table, { costModel: "given", torchrec: undefined });
  const run = () =>
    played(
      instance,
      () => true,
      () => 0,
    );
  expect(run).toThrow(InputError);
  expect(run).toThrow(/table t: expected its ids per sample \(poolingFactor\)/);
});

test("what is compared is what the plan pays for: communication and prefetching are these bytes over their links", () => {
  const table = {
    ...{ poolingFactor: 2.5, access: ACCESS, sharding_types: ["table_wise"] },
    compute_kernels: ["fused_uvm_caching"],
  };
  const instance = instanceOf(table, { splits: { hotRows: true }, caches: { loadFactors: [0.05] } });
  const fits = ({ hot }: { readonly hot?: { readonly rows: number } | undefined }) => hot?.rows === 1000;
  const run = played(instance, fits, () => 3);
  const { options, phases } = instanceCosts(instance).tables[0] as ReturnType<typeof instanceCosts>["tables"][number];
  const [, , forwardComms, , prefetch] = (phases?.[options.findIndex(fits)]?.[0] ?? []) as readonly number[];
  const vectors = run.comparisons.filter(({ quantity }) => quantity === "vectors");
  const sent = vectors.reduce((sum, { predicted }) => sum + predicted, 0);
  expect(sent / ((12.5 * 2 ** 30) / 1000) / (forwardComms as number)).toBeCloseTo(1, 12);
  const fetched = lineOf(run, { quantity: "misses" }).predicted * 64 * 4;
  expect(fetched / ((32 * 2 ** 30) / 1000) / (prefetch as number)).toBeCloseTo(1, 12);
});
