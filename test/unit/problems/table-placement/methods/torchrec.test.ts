import { expect, test } from "vitest";
import { tablePlacementHeuristics } from "../../../../../src/problems/table-placement/methods/index.js";
import {
  greedyPerfPartitioner,
  memoryBalancedPartitioner,
} from "../../../../../src/problems/table-placement/methods/torchrec/partitioners.js";
import { runPlanner } from "../../../../../src/problems/table-placement/methods/torchrec/planner.js";
import {
  greedyProposer,
  gridSearchProposer,
} from "../../../../../src/problems/table-placement/methods/torchrec/proposers.js";
import { searchSpace } from "../../../../../src/problems/table-placement/methods/torchrec/search-space.js";
import { devicesOf, problemWith, sharded, times, whole } from "./support.js";

const byStorage = greedyPerfPartitioner({ sortBy: "storage" });

/** The ranks of tables with one option each. */
function partition(problem: ReturnType<typeof problemWith>, partitioner = byStorage) {
  const space = searchSpace(problem, {});
  return partitioner(space, space.tables.flat());
}

test("equal ranks are tried by local rank, so that hosts take turns", () => {
  const problem = problemWith(
    { nodes: 2, gpusPerNode: 2 },
    times(4, 1).map(() => [whole(1, 1)]),
  );
  expect(partition(problem)).toEqual([[0], [2], [1], [3]]);
});

test("the most memory is placed first, HBM before host memory; or the most time", () => {
  const problem = problemWith({ gpusPerNode: 2, hostBytes: [99, 99] }, [
    [whole(1, 5, 1)],
    [whole(5, 5, 2)],
    [whole(2, 6, 0)],
  ]);
  // By storage: t2 (6) to 0, t1 (5, 2) to 1, t0 to 0. By time: t1 to 0, t2 to 1, t0 to 1.
  expect(partition(problem)).toEqual([[0], [1], [0]]);
  expect(partition(problem, greedyPerfPartitioner({ sortBy: "perf" }))).toEqual([[1], [0], [1]]);
});

test("uniform options come first, whatever their size", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 10 }, [
    [whole(1, 9)],
    [sharded("row_wise", "uniform", times(2, 1, 2))],
  ]);
  expect(partition(problem)).toBeNull();
});

test("column shards of one table stay in one host, the one with the least time that has room", () => {
  const problem = problemWith({ nodes: 2, gpusPerNode: 2, hbmBytes: [10, 10, 10, 5] }, [
    [sharded("table_column_wise", "host", times(2, 3, 8))],
    [sharded("table_row_wise", "host", times(2, 1, 5))],
    [whole(1, 1)],
  ]);
  // t0 needs 16 of a host: node 0, which leaves it 2 + 2; t1 to node 1; t2 on the least time.
  expect(partition(problem)).toEqual([[0, 1], [2, 3], [2]]);
});

test("a host whose sum has room and whose devices have not is left as it was", () => {
  const problem = problemWith({ nodes: 2, gpusPerNode: 2, hbmBytes: [9, 3, 6, 6] }, [
    [sharded("table_column_wise", "host", times(2, 1, 5))],
    [whole(1, 4)],
  ]);
  expect(partition(problem)).toEqual([[2, 3], [0]]);
});

test("a grid takes neighbouring hosts in the order of their time, and never wraps around", () => {
  const grid = (shards: number) => [sharded("grid_shard", "multi_host", times(shards, 1, 4))];
  const cluster = { nodes: 3, gpusPerNode: 2, hbmBytes: [30, 9, 3, 9, 9, 9] };
  // Node 0 has the most time; 1 and 2 come first, and 1 has no room: then 2 and 0.
  const busy = problemWith(cluster, [[whole(5, 20)], grid(4)]);
  expect(partition(busy)).toEqual([[0], [4, 5, 0, 1]]);
  expect(partition(problemWith(cluster, [grid(8)]))).toBeNull();
  expect(partition(problemWith(cluster, [grid(3)]))).toBeNull();
});

test("column-wise key-value shards are on different ranks", () => {
  const shards = times(2, 1, 1);
  const busy = [whole(9, 9)];
  const keyValue = problemWith({ gpusPerNode: 2 }, [busy, [sharded("column_wise", "device", shards, "key_value")]]);
  expect(partition(keyValue)).toEqual([[0], [1, 0]]);
  const fused = problemWith({ gpusPerNode: 2 }, [busy, [sharded("column_wise", "device", shards)]]);
  expect(partition(fused)).toEqual([[0], [1, 1]]);
});

test("phases are accumulated one by one, which decides in the last bits", () => {
  const problem = problemWith({ gpusPerNode: 2 }, [[whole(0.3, 9)], [whole(0.1 + 0.2, 8)], [whole(1, 1)]]);
  // 0.1 + 0.2 is more than 0.3: whole, t2 goes to t0's rank.
  expect(partition(problem)?.[2]).toEqual([0]);
  const phases = [
    [0.1, 0.2],
    [0.15, 0.15],
    [0.5, 0.5],
  ];
  const space = searchSpace(problem, { phases: (table) => phases[table] as number[] });
  // With its phases it is t0's rank that is the last bit above.
  expect(byStorage(space, space.tables.flat())?.[2]).toEqual([1]);
});

test("the grid search proposes every combination once, the best first, and nothing above 10,000", () => {
  const options = [3, 1, 2].map((cost) => whole(cost, 1));
  const space = (tables: number) => searchSpace(problemWith({ gpusPerNode: 1 }, Array(tables).fill(options)), {});
  const proposals = Array.from(gridSearchProposer(space(2)), (proposal) => proposal.map(({ option }) => option));
  expect(proposals).toEqual([
    [1, 1],
    [1, 2],
    [1, 0],
    [2, 1],
    [2, 2],
    [2, 0],
    [0, 1],
    [0, 2],
    [0, 0],
  ]);
  expect(Array.from(gridSearchProposer(space(8)))).toHaveLength(6561);
  expect(Array.from(gridSearchProposer(space(9)))).toHaveLength(0);
});

test("the greedy proposer moves the table with the most memory and never looks at time", () => {
  const problem = problemWith({ gpusPerNode: 1, hostBytes: [9] }, [
    [whole(1, 5), whole(2, 0, 1)],
    [whole(1, 4), whole(2, 3), whole(3, 9)],
    // Without memory it never moves.
    [whole(1, 0), whole(2, 0)],
  ]);
  const proposals = Array.from(greedyProposer("largestCost")(searchSpace(problem, {})), (proposal) =>
    proposal.map(({ option }) => option),
  );
  expect(proposals).toEqual([
    [0, 0, 0],
    [1, 0, 0],
    [1, 1, 0],
    [1, 2, 0],
  ]);
});

test("proposals are counted once, whichever proposer makes them first, and the first best plan stays", () => {
  const problem = problemWith({ gpusPerNode: 1 }, [[whole(1, 2), whole(1, 1)]]);
  const space = searchSpace(problem, {});
  const run = runPlanner(space, [greedyProposer("largestCost"), gridSearchProposer], byStorage);
  expect(run).toEqual({ placement: { choices: [{ option: 0, devices: [0] }] }, rating: 1, proposals: 2, plans: 2 });
});

test("a stop between proposals leaves the best plan so far", () => {
  const problem = problemWith({ gpusPerNode: 1 }, [[whole(2, 2), whole(3, 1)]]);
  let asked = 0;
  const run = runPlanner(searchSpace(problem, {}), [gridSearchProposer], byStorage, () => ++asked > 1);
  expect(run).toEqual({ placement: { choices: [{ option: 0, devices: [0] }] }, rating: 2, proposals: 1, plans: 1 });
});

const MEBIBYTE = 2 ** 20;

test("memory-balanced trades time within the tolerance for even memory", () => {
  // By time: t0 to 0, t1 to 1, t2 to 1 (99 < 100), t3 to 0: 700 and 200 MiB. Even: 500 and 400.
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 1000 * MEBIBYTE }, [
    [whole(100, 400 * MEBIBYTE)],
    [whole(99, 100 * MEBIBYTE)],
    [whole(2, 100 * MEBIBYTE)],
    [whole(1, 300 * MEBIBYTE)],
  ]);
  expect(partition(problem, greedyPerfPartitioner({ sortBy: "perf" }))).toEqual([[0], [1], [1], [0]]);
  const balanced = memoryBalancedPartitioner({ maxSearchCount: 10, tolerance: 0.02 });
  expect(partition(problem, balanced)).toEqual([[0], [1], [1], [1]]);
  // 102 against 101 is 0.99 % worse.
  const strict = memoryBalancedPartitioner({ maxSearchCount: 10, tolerance: 0.009 });
  expect(partition(problem, strict)).toEqual([[0], [1], [1], [0]]);
});

test("of selections with the same memory the dynamic programming keeps the least sum of times, not the best plan", () => {
  const problem = problemWith({ gpusPerNode: 2, hbmBytes: 100 }, [
    [whole(3, 10), sharded("column_wise", "device", times(2, 2, 5))],
  ]);
  expect(devicesOf(tablePlacementHeuristics["torchrec-dp"](problem, { seed: 0 }))).toEqual([[0]]);
  expect(devicesOf(tablePlacementHeuristics["torchrec-greedy"](problem, { seed: 0 }))).toEqual([[0, 1]]);
});

test("a selection that takes all the memory there is, is beyond the dynamic programming", () => {
  const options = [whole(3, 10), whole(1, 20)];
  const plan = (hbmBytes: number) =>
    tablePlacementHeuristics["torchrec-dp"](problemWith({ gpusPerNode: 1, hbmBytes }, [options]), { seed: 0 });
  expect(plan(20)).toEqual({ kind: "plan", placement: { choices: [{ option: 0, devices: [0] }] } });
  expect(plan(21)).toEqual({ kind: "plan", placement: { choices: [{ option: 1, devices: [0] }] } });
});
