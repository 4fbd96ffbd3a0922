import { expect, test } from "vitest";
import type { TablePlacementPlan } from "../../../../../src/problems/table-placement/plan-file/plan-file.js";
import { showRankStatistics } from "../../../../../src/problems/table-placement/show/rank-statistics.js";

/** Row-wise tables on all ranks, and one whole on the last rank, which costs most. */
function planOf(ranks: number): TablePlacementPlan {
  const all = Array.from({ length: ranks }, (_, rank) => rank);
  return {
    deviceCosts: all.map((rank) => (rank === ranks - 1 ? 2 : 1)),
    deviceBytes: all.map(() => 10),
    memory: { hbmBytesPerGpu: all.map(() => 100) },
    objective: { unit: null },
    tables: [
      { shardingType: "row_wise", ranks: all },
      { shardingType: "row_wise", ranks: all },
      { shardingType: "table_wise", ranks: [ranks - 1] },
    ],
  } as unknown as TablePlacementPlan;
}

test("every rank has its shards by type", () => {
  const text = showRankStatistics(planOf(100), null);
  expect(text).toContain("as TorchRec's planner reports a plan\n");
  expect(text.match(/^ +\d+ +10 B \(10\.0 %\).* RW 2/gm)).toHaveLength(100);
  expect(text).toMatch(/^ +99 .* RW 2, TW 1$/m);
  expect(text).toContain("the largest perf is 98.0 % above the mean");
});

test("as many ranks as there may be are listed, soon", () => {
  const before = process.cpuUsage();
  const text = showRankStatistics(planOf(65_536), null);
  const { user, system } = process.cpuUsage(before);
  const lines = text.split("\n").filter((line) => line.includes("  RW 2"));
  expect(lines).toHaveLength(65_536);
  expect(lines.at(-1)).toMatch(/^ +65535 .* RW 2, TW 1$/);
  // Each rank beside all shards, or a line of each laid out beside all others, takes minutes.
  expect((user + system) / 1e6).toBeLessThan(5);
});
