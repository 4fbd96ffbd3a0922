import { expect, test } from "vitest";
import { evaluatePlacement, goalValue } from "../../../../../models/table-placement/evaluate.js";
import type { PlacementProblem, PlacementTable, ShardNeed } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { placeByGoals } from "../../../../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { placementNow } from "../../../../../src/problems/table-placement/solve/goals/placement-now.js";
import { type Draw, drawFrom } from "../../../../fuzz/oracle/draw.js";
import { someOf } from "../../../../support/draws.js";

const DEVICES = 4;
const TABLES = 14;

/** Whole tables and halves of them on four devices: each now on one, balanced under costs that have drifted since. */
function drifted(draw: Draw): PlacementProblem {
  const loads = new Array<number>(DEVICES).fill(0);
  const tables = Array.from({ length: TABLES }, (_, t): PlacementTable => {
    const [was, bytes] = [draw.int(8, 80), 2 ** draw.int(1, 14) * draw.int(2, 3)];
    const home = loads.indexOf(Math.min(...loads));
    loads[home] = (loads[home] as number) + was;
    const cost = Math.max(1, Math.round((was * draw.int(6, 18)) / 10));
    const shard = (share: number): ShardNeed => ({ cost: share * cost, hbmBytes: 0, hostBytes: 0 });
    const incoming = (own: number) => ({ bytes: own, held: [[home, own]] as const });
    const half = shard(0.625);
    const how = { kernel: "fused", partitionBy: "device" } as const;
    return {
      name: `t${t}`,
      devices: null,
      options: [
        { ...how, shardingType: "table_wise", shards: [shard(1)], incoming: [incoming(bytes)] },
        {
          ...how,
          shardingType: "column_wise",
          shards: [half, half],
          incoming: [incoming(bytes / 2), incoming(bytes / 2)],
        },
      ],
    };
  });
  return {
    ...{ name: "drifted", nodes: 1, gpusPerNode: DEVICES, hbmBytes: new Array<number>(DEVICES).fill(1) },
    ...{ hostBytes: null, hostIsPooled: false, tables, together: [], apart: [] },
    stages: [
      { minimize: "largest-cost", allow: { percent: "5" } },
      { minimize: "moved-bytes", allow: { amount: 0 } },
    ],
  };
}

test("few bytes move: less than for the least cost, within what is allowed of it, proved", async () => {
  for (const seed of someOf([1, 2, 3, 4], 1)) {
    const problem = drifted(drawFrom(seed));
    const bytesOf = (choices: Parameters<typeof evaluatePlacement>[1]) =>
      goalValue(problem, "moved-bytes", evaluatePlacement(problem, choices));
    const now = placementNow(problem);
    expect(now && bytesOf(now).sign(), `seed ${seed}`).toBe(0);
    const options = { gap: Rational.of(1n, 100n), timeLimitSeconds: 300, workSeconds: 20, seed: 0 };
    const { stages } = await placeByGoals(problem, options);
    const [cost, bytes] = stages;
    if (cost === undefined || bytes === undefined) throw new Error(`seed ${seed}: a stage has no plan`);
    const found = evaluatePlacement(problem, bytes.placement);
    expect(found.violations, `seed ${seed}`).toEqual([]);
    expect(goalValue(problem, "largest-cost", found).compare(cost.most), `seed ${seed}`).toBeLessThanOrEqual(0);
    expect(bytesOf(bytes.placement).compare(bytesOf(cost.placement)), `seed ${seed}`).toBeLessThan(0);
    expect(bytes.verdict.status, `seed ${seed}`).toBe("proved");
  }
}, 300_000);
