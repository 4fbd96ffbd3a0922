import { expect, test } from "vitest";
import { tablePlacementHeuristics } from "../../../../../src/problems/table-placement/methods/index.js";
import { devicesOf, featuresOf, planOf, problemWith, sharded, whole } from "./support.js";

const { "size-greedy": sizeGreedy, "dim-greedy": dimGreedy } = tablePlacementHeuristics;
const { "lookup-greedy": lookupGreedy, "size-lookup-greedy": sizeLookupGreedy } = tablePlacementHeuristics;

const features = (rows: number, dim: number, poolingFactor: number | null, elementBytes = 1) => ({
  rows,
  dim,
  poolingFactor,
  elementBytes,
});

test("each rule has its own order: the same three tables on two devices, four ways", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(1, 10)], [whole(1, 10)], [whole(1, 10)]]);
  // Sizes 40, 60, 50; dimensions 4, 2, 1; look-ups 4, 20, 25; with log₁₀ of the rows 4, 29.5…, 42.4….
  const instance = featuresOf(features(10, 4, 1), features(30, 2, 10), features(50, 1, 25));
  const run = (method: typeof sizeGreedy) => devicesOf(method(problem, { seed: 0, instance })).flat();
  expect(run(sizeGreedy)).toEqual([1, 0, 1]);
  expect(run(dimGreedy)).toEqual([0, 1, 1]);
  expect(run(lookupGreedy)).toEqual([1, 1, 0]);
  expect(run(sizeLookupGreedy)).toEqual([1, 1, 0]);
});

test("equal costs go by size, then by index, from the largest down", () => {
  const problem = problemWith({ gpusPerNode: 3 }, [[whole(1, 10)], [whole(1, 20)], [whole(1, 10)]]);
  const instance = featuresOf(features(10, 1, 1), features(20, 1, 1), features(10, 1, 1));
  expect(devicesOf(dimGreedy(problem, { seed: 0, instance })).flat()).toEqual([2, 0, 1]);
});

test("of devices with equal sums the one with fewer bytes is taken, then the first", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(1, 30)], [whole(1, 10)], [whole(1, 5)], [whole(1, 1)]]);
  const instance = featuresOf(features(30, 1, 1), features(10, 1, 1), features(5, 1, 1), features(1, 1, 1));
  // t0 to 0, t1 to 1; sums 1 and 1, bytes 30 and 10: t2 to 1; t3 to 0.
  expect(devicesOf(dimGreedy(problem, { seed: 0, instance })).flat()).toEqual([0, 1, 1, 0]);
});

test("a full device is passed over; where none has room there is no plan", () => {
  const tables = [[whole(1, 60)], [whole(1, 50)], [whole(1, 45)]];
  const context = { seed: 0 };
  expect(devicesOf(sizeGreedy(problemWith({ gpusPerNode: 2, hbmBytes: [60, 100] }, tables), context)).flat()).toEqual([
    0, 1, 1,
  ]);
  expect(sizeGreedy(problemWith({ gpusPerNode: 2, hbmBytes: 90 }, tables), context)).toEqual({
    kind: "none",
    reason: "no device had room left for t2 after 2 of 3 tables",
  });
});

test("host memory counts, by the device or as a node's pool", () => {
  const tables = [[whole(1, 10, 6)], [whole(1, 10, 6)]];
  const cluster = { nodes: 2, gpusPerNode: 2, hostBytes: [3, 3, 5, 4] };
  expect(sizeGreedy(problemWith(cluster, tables), { seed: 0 }).kind).toBe("none");
  // t1 first: node 0 holds 6, and node 1 holds 9.
  expect(devicesOf(sizeGreedy(problemWith({ ...cluster, hostIsPooled: true }, tables), { seed: 0 })).flat()).toEqual([
    2, 0,
  ]);
});

test("a table is placed in its cheapest option of one shard for any device", () => {
  const options = [
    sharded("row_wise", "uniform", [[1], [1]]),
    sharded("table_wise", "device", [[9, 1]], "fused_uvm"),
    whole(5, 7),
    sharded("column_wise", "device", [[5, 7]]),
  ];
  const placement = planOf(sizeGreedy(problemWith({ gpusPerNode: 2 }, [options]), { seed: 0 }));
  expect(placement.choices).toEqual([{ option: 2, devices: [0] }]);
});

test("what a rule needs and does not have makes it not applicable", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(1, 1)], [whole(1, 1)]]);
  const partly = featuresOf(features(10, 1, 1), features(10, 1, null));
  expect(dimGreedy(problem, { seed: 0 })).toEqual({
    kind: "not-applicable",
    reason: "needs the dimension of every table, and t0 has not all",
  });
  expect(dimGreedy(problem, { seed: 0, instance: partly }).kind).toBe("plan");
  expect(lookupGreedy(problem, { seed: 0, instance: partly })).toEqual({
    kind: "not-applicable",
    reason: "needs the dimension and the pooling factor of every table, and t1 has not all",
  });
  const split = problemWith({ gpusPerNode: 2 }, [[sharded("column_wise", "device", [[1], [1]])]]);
  expect(sizeGreedy(split, { seed: 0 })).toEqual({
    kind: "not-applicable",
    reason: "places tables in one piece, and t0 has no option with one shard for any device",
  });
});

test("constraints that no published method knows make all of them not applicable", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(1)], [whole(1)]]);
  const [first, second] = problem.tables as [(typeof problem.tables)[0], (typeof problem.tables)[0]];
  const reasons = (changed: Partial<typeof problem>) =>
    Object.values(tablePlacementHeuristics).map((method) => method({ ...problem, ...changed }, { seed: 0 }));
  const all = (reason: string) => Object.keys(tablePlacementHeuristics).map(() => ({ kind: "not-applicable", reason }));
  expect(reasons({ tables: [first, { ...second, devices: [1] }] })).toEqual(
    all("cannot keep a table to devices, as t1 asks"),
  );
  expect(reasons({ together: [[0, 1]] })).toEqual(all("cannot keep tables together on a device"));
  expect(reasons({ apart: [[0, 1]] })).toEqual(all("cannot keep tables apart"));
  // Devices that are all of them constrain nothing.
  expect(sizeGreedy({ ...problem, tables: [first, { ...second, devices: [1, 0] }] }, { seed: 0 }).kind).toBe("plan");
});
