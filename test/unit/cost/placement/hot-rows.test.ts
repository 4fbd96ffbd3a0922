import { expect, test } from "vitest";
import { instanceCosts } from "../../../../src/cost/placement/table-costs.js";
import { InputError } from "../../../../src/errors/input-error.js";
import { parseWith } from "../../../../src/instance/parse.js";
import { tablePlacementReader } from "../../../../src/problems/table-placement/instance/reader.js";

const read = (instance: object) =>
  parseWith(
    [tablePlacementReader],
    JSON.stringify({ shardproof: 1, name: "hot", problem: "table-placement", ...instance }),
    "hot.json",
  );

const HISTOGRAM = [
  [100, 0.06],
  [900, 0.004],
  [9000, 4e-5],
];
const TOTAL = 6 + 3.6 + 0.36;

const torchrec = (keys: object, table: object = {}) =>
  read({
    costModel: "torchrec",
    cluster: { nodes: 1, gpusPerNode: 2, hbmBytesPerGpu: 1e9, hostBytesPerGpu: 1e9 },
    torchrec: { batch_size: 64 },
    ...keys,
    tables: [{ name: "t", rows: 10_000, dim: 128, poolingFactor: 10, access: { histogram: HISTOGRAM }, ...table }],
  });

const HBM_BANDWIDTH = (897 * 2 ** 30) / 1000;
const INTRA_BANDWIDTH = (600 * 2 ** 30) / 1000;
/** Between hosts, for each of the two ranks. */
const ALL_REDUCE_BANDWIDTH = (2 * 12.5 * 2 ** 30) / 1000;
const TO_HOST_BANDWIDTH = (32 * 2 ** 30) / 1000;

test("hot rows cost and hold what TorchRec's formulas say of a data-parallel table of theirs", () => {
  const [table] = instanceCosts(torchrec({ splits: { hotRows: true } })).tables;
  const split = table?.options.filter(({ hot }) => hot !== undefined) ?? [];
  expect([...new Set(split.map(({ hot }) => hot?.rows))]).toEqual([100, 1000]);
  expect(split.some(({ shardingType }) => shardingType === "data_parallel")).toBe(false);
  const { hot } = split[0] as (typeof split)[number];
  expect(hot?.share).toBeCloseTo(6 / TOTAL, 14);
  // planner/estimator: own samples alone, the dense kernel at half the bandwidth, an all-reduce of the whole table.
  const inputs = 10 * (6 / TOTAL) * 64;
  const forward = (Math.ceil(inputs * 8) + inputs * 128 * 4 + 64 * 128 * 4) / (0.5 * HBM_BANDWIDTH);
  const bytes = 100 * 128 * 4;
  const allReduce = bytes / ALL_REDUCE_BANDWIDTH + (bytes * 9.22) / (0.5 * HBM_BANDWIDTH);
  expect(hot?.need.cost).toBeCloseTo(forward * 3 + allReduce, 12);
  expect(hot?.need.hbmBytes).toBeGreaterThanOrEqual(bytes);
  // The others: fewer rows, and the look-ups that are left.
  const whole = table?.options.find((one) => one.shardingType === "table_wise" && one.kernel === "fused");
  const cold = split.find((one) => one.shardingType === "table_wise" && one.kernel === "fused");
  const [wholeNeed, coldNeed] = [whole?.shards[0]?.[1], cold?.shards[0]?.[1]];
  expect((wholeNeed?.hbmBytes ?? 0) - (coldNeed?.hbmBytes ?? 0)).toBeGreaterThanOrEqual(bytes);
  const left = 10 * (1 - 6 / TOTAL) * 64;
  const coldForward = (Math.ceil(left * 2 * 8) + left * 2 * 128 * 4 + 64 * 2 * 128 * 4) / HBM_BANDWIDTH;
  expect(coldNeed?.cost).toBeCloseTo(coldForward * 3 + (2 * (64 * 2 * 128 * 4)) / INTRA_BANDWIDTH, 12);
});

test("caches have the load factors of break-points, the default one first, and pay for rows that miss", () => {
  const [table] = instanceCosts(torchrec({ caches: true }, { num_embeddings: undefined })).tables;
  const cached = table?.options.filter(
    (one) => one.kernel === "fused_uvm_caching" && one.shardingType === "table_wise",
  );
  expect(cached?.map(({ cache }) => cache?.loadFactor)).toEqual([0.2, 0.01, 0.1]);
  expect(cached?.map(({ cache }) => cache?.isPublished)).toEqual([true, false, false]);
  const accesses = 10 * 64 * 2;
  const distinct = (rows: number, appearances: number) => rows * (1 - (1 - appearances / TOTAL) ** accesses);
  const bins = [distinct(100, 0.06), distinct(900, 0.004), distinct(9000, 4e-5)] as const;
  const all = bins[0] + bins[1] + bins[2];
  const [, small] = cached ?? [];
  expect(small?.cache?.missRate).toBeCloseTo((bins[1] + bins[2]) / all, 12);
  const inputs = accesses;
  const bandwidth = (0.01 * HBM_BANDWIDTH + 0.99 * TO_HOST_BANDWIDTH) / 10;
  const forward = (Math.ceil(inputs * 8) + inputs * 128 * 4 + 128 * 128 * 4) / bandwidth;
  const prefetch = ((bins[1] + bins[2]) * 128 * 4) / TO_HOST_BANDWIDTH;
  const exchange = (2 * (128 * 128 * 4)) / INTRA_BANDWIDTH;
  expect(small?.shards[0]?.[1].cost).toBeCloseTo(forward * 3 + exchange + prefetch, 12);
});

test("without the keys the options are those of TorchRec alone, whatever is known of access", () => {
  const plain = instanceCosts(torchrec({}, { access: undefined })).tables;
  expect(instanceCosts(torchrec({})).tables).toEqual(plain);
});

test("under a formula a copy looks up its device's part of the samples", () => {
  const instance = read({
    costModel: "lookup",
    cluster: { nodes: 1, gpusPerNode: 4, hbmBytesPerGpu: 1e9 },
    splits: { hotRows: { maxPoints: 1 } },
    tables: [{ name: "t", rows: 10_000, dim: 16, poolingFactor: 10, access: { histogram: HISTOGRAM } }],
  });
  const options = instanceCosts(instance).tables[0]?.options ?? [];
  const split = options.find(({ hot }) => hot !== undefined);
  const share = split?.hot?.share ?? 0;
  expect(split?.hot?.need.cost).toBeCloseTo((16 * 10 * share) / 4, 12);
  expect(split?.hot?.need.hbmBytes).toBe((split?.hot?.rows ?? 0) * 16 * 4);
  expect(split?.shards[0]?.[1].cost).toBeCloseTo(16 * 10 * (1 - share), 12);
});

test("counts that nobody has read are no access that rows have by chance", () => {
  const unread = torchrec({ caches: true }, { access: { counts: { file: "c.csv", samples: 3 } } });
  expect(() => instanceCosts(unread)).toThrow("c.csv: expected an instance with its counts read");
});

test.each([
  [
    "no access",
    { splits: { hotRows: true } },
    { access: undefined },
    "add it (shardproof profile columns LOG --instance FILE counts it)",
  ],
  ["a histogram of other rows", {}, { rows: 10_001 }, "expected counts that add up to 10001"],
  ["no points", { splits: { hotRows: { maxPoints: 0 } } }, {}, "splits.hotRows"],
])("%s is refused where it stands", (_, keys, table, words) => {
  expect(() => torchrec(keys, table)).toThrow(InputError);
  expect(() => torchrec(keys, table)).toThrow(words);
  expect(() => torchrec(keys, table)).toThrow(/hot\.json:\d+:\d+/);
});

test("columns need the most shards, and names of parts must be free", () => {
  const formula = (splits: object, names = ["t"]) =>
    read({
      costModel: "lookup",
      cluster: { nodes: 1, gpusPerNode: 2 },
      splits,
      tables: names.map((name) => ({ name, rows: 10_000, dim: 8, poolingFactor: 1, access: { histogram: HISTOGRAM } })),
    });
  expect(() => formula({ columns: true })).toThrow("add the key maxShardsPerTable");
  expect(() => formula({ maxShardsPerTable: 2 })).toThrow("add the key columns");
  expect(() => formula({})).toThrow("expected columns or hotRows");
  expect(() => formula({ hotRows: true }, ["t", "t_hot"])).toThrow("expected a name that no part of another table has");
  expect(formula({ hotRows: true }).hotRows).toEqual({ maxPoints: 8 });
});

test("bends of the curve beyond those that are allowed are named as left out", () => {
  expect(instanceCosts(torchrec({ splits: { hotRows: true } })).leftOut).toEqual([]);
  const { leftOut } = instanceCosts(torchrec({ splits: { hotRows: { maxPoints: 1 } }, caches: { maxPoints: 1 } }));
  expect(leftOut?.map(({ options, tables }) => [options, tables])).toEqual([
    [1, ["t"]],
    [1, ["t"]],
  ]);
});
