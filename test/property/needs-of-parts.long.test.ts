import { describe, expect, test } from "vitest";
import { evaluatePlacement } from "../../models/table-placement/evaluate.js";
import { placementProblem } from "../../models/table-placement/from-instance.js";
import type { Partition, PlacementOption, PlacementProblem, ShardNeed } from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { verifyPlanText } from "../../src/problems/planning/verify.js";
import { tablePlacementHeuristics } from "../../src/problems/table-placement/methods/index.js";
import { placeByGoals } from "../../src/problems/table-placement/solve/goals/place-by-goals.js";
import { solveLargePlacement } from "../../src/problems/table-placement/solve/large/solve-large.js";
import { searchPlacement } from "../../src/problems/table-placement/solve/local-search/index.js";
import { planTablePlacement } from "../../src/problems/table-placement/solve/plan.js";
import { bruteForcePlacement } from "../support/brute-force-placement.js";
import { someOf } from "../support/draws.js";
import { placementInstance } from "../support/placement-instance.js";
import { bestByStages } from "../support/tiny-placement.js";

// Every need of every part of an option, alone: all others are nothing. What looks at one part and not at another shows here.

const [NODES, GPUS] = [2, 2];
const DEVICES = NODES * GPUS;
const LIMITS = { gap: Rational.zero, timeLimitSeconds: 20, seed: 0, takesCeiling: true, takesCounted: true };

const NOTHING: ShardNeed = { cost: 0, hbmBytes: 0, hostBytes: 0, ssdBytes: 0, phases: [0, 0, 0, 0, 0] };

/** What an option of so many shards needs where each needs `own`; `hot`: of copies, and the shards need nothing. */
interface Part {
  readonly shardingType: string;
  readonly partitionBy: Partition;
  readonly count: number;
  readonly hot?: boolean;
  readonly cache?: boolean;
}

const PARTS: Readonly<Record<string, Part>> = {
  "a whole table": { shardingType: "table_wise", partitionBy: "device", count: 1 },
  "columns on any device": { shardingType: "column_wise", partitionBy: "device", count: 2 },
  "rows on every device": { shardingType: "row_wise", partitionBy: "uniform", count: DEVICES },
  "rows on some devices": { shardingType: "row_wise", partitionBy: "uniform", count: DEVICES - 1 },
  "columns in a node": { shardingType: "table_column_wise", partitionBy: "host", count: 2 },
  "rows in a node": { shardingType: "table_row_wise", partitionBy: "host", count: GPUS },
  "groups on nodes": { shardingType: "grid_shard", partitionBy: "multi_host", count: DEVICES },
  "copies beside a whole table": { shardingType: "table_wise", partitionBy: "device", count: 1, hot: true },
  "copies beside rows on every device": { shardingType: "row_wise", partitionBy: "uniform", count: DEVICES, hot: true },
  "copies beside groups": { shardingType: "grid_shard", partitionBy: "multi_host", count: DEVICES, hot: true },
  "a cache": { shardingType: "table_wise", partitionBy: "device", count: 1, cache: true },
};

/** By need: what it is of a shard, the limits that it breaks (none: it is what is minimised), and the goal. */
interface Need {
  readonly of: (amount: number) => Partial<ShardNeed>;
  readonly limits?: Partial<PlacementProblem>;
  readonly goal?: Partial<PlacementProblem>;
}

const ALL = (bytes: number) => new Array<number>(DEVICES).fill(bytes);

const NEEDS: Readonly<Record<string, Need>> = {
  "device memory": { of: (hbmBytes) => ({ hbmBytes }), limits: { hbmBytes: ALL(9) } },
  "host memory": { of: (hostBytes) => ({ hostBytes }), limits: { hostBytes: ALL(9) } },
  "pooled host memory": { of: (hostBytes) => ({ hostBytes }), limits: { hostBytes: ALL(4), hostIsPooled: true } },
  "an SSD": { of: (ssdBytes) => ({ ssdBytes }), limits: { ssdBytes: ALL(9) } },
  cost: { of: (cost) => ({ cost, phases: [cost, 0, 0, 0, 0] }) },
  "a phase": { of: (cost) => ({ cost, phases: [0, cost, 0, 0, 0] }), goal: { goal: "phases" } },
  "bytes to receive": { of: () => ({}), goal: { stages: [{ minimize: "moved-bytes", allow: { amount: 0 } }] } },
};

/** A table with an option whose part needs so much, beside one that costs 3 and needs nothing else (`isAlone`: without that). */
function problemOf(part: Part, need: Need, amount: number, isAlone: boolean): PlacementProblem {
  const own = { ...NOTHING, ...need.of(amount) };
  const other = { ...NOTHING, cost: 3, phases: [3, 0, 0, 0, 0] };
  const optionOf = ({ shardingType, partitionBy, count, hot, cache }: Part, shard: ShardNeed, bytes: number) => {
    const shards = [
      ...new Array<ShardNeed>(count).fill(hot === true ? NOTHING : shard),
      ...(hot === true ? new Array<ShardNeed>(DEVICES).fill(shard) : []),
    ];
    const isReceived = (k: number) => hot !== true || k >= count;
    const incoming = shards.map((_, k) => ({ bytes: isReceived(k) ? bytes : 0, held: [] }));
    return {
      ...{ shardingType, partitionBy, kernel: "fused", shards },
      ...(need === NEEDS["bytes to receive"] ? { incoming } : {}),
      ...(hot === true ? { hot: { rows: 1, share: 0, copies: DEVICES } } : {}),
      ...(cache === true ? { cache: { loadFactor: 0.5, missRate: 0.5, isPublished: true } } : {}),
    } satisfies PlacementOption;
  };
  const plain = { ...(PARTS["a whole table"] as Part), shardingType: "data_parallel" };
  const options = [optionOf(part, own, amount), ...(isAlone ? [] : [optionOf(plain, other, 3)])];
  return {
    ...{ name: "need", nodes: NODES, gpusPerNode: GPUS, hbmBytes: ALL(1000), hostBytes: null, hostIsPooled: false },
    ...{ tables: [{ name: "t", options, devices: null }], together: [], apart: [] },
    ...need.limits,
    ...need.goal,
  };
}

/** The least of the (first) goal by trying every placement. */
function leastOf(problem: PlacementProblem): string | null {
  return (
    (problem.stages === undefined ? bruteForcePlacement(problem)?.largest : bestByStages(problem)?.[0])?.toString() ??
    null
  );
}

/** Every search, and the command where a file has words for the problem: what each says the least is. */
async function expectLeast(problem: PlacementProblem, least: string | null): Promise<void> {
  expect(leastOf(problem)).toBe(least);
  const { verdict, certificate } = await placeByGoals(problem, LIMITS);
  expect(verdict?.status).toBe(least === null ? "infeasible" : "proved");
  expect(verdict?.value?.toString() ?? null).toBe(least);
  expect(certificate).not.toBeNull();
  const found = searchPlacement(problem, { seed: 0, maxRounds: 2 }).placement;
  const isPlain = problem.goal === undefined && problem.stages === undefined;
  const large = isPlain ? solveLargePlacement(problem, { ...LIMITS, timeLimitSeconds: 1 }) : null;
  const published = Object.values(tablePlacementHeuristics).flatMap((method) => {
    const result = method(problem, { seed: 1, instance: { tables: [{ name: "t", features: null }] } });
    return result.kind === "plan" ? [result.placement] : [];
  });
  for (const placement of [found, large?.placement ?? null, ...published]) {
    if (placement === null) continue;
    const { violations, objective } = evaluatePlacement(problem, placement);
    if (placement === found || placement === large?.placement) expect(violations).toEqual([]);
    if (violations.length > 0) continue;
    expect(least, "a placement where there is none").not.toBeNull();
    expect(objective.compare(Rational.parse(least as string))).toBeGreaterThanOrEqual(0);
  }
  if (large !== null && least !== null) {
    expect(large.verdict?.bound?.compare(Rational.parse(least)) ?? 0).toBeLessThanOrEqual(0);
  }
  if (problem.stages !== undefined) return;
  const instance = placementInstance(problem);
  expect(leastOf(placementProblem(instance))).toBe(least);
  const plan = await planTablePlacement(instance, { gap: 0 });
  expect([plan.status, plan.exact.value]).toEqual([least === null ? "infeasible" : "proved", least]);
  const { checks, differences } = await verifyPlanText(writePlan(plan), "plan.json", async () => instance);
  expect([checks.filter(({ passed }) => !passed), differences]).toEqual([[], []]);
}

describe.each(Object.entries(NEEDS))("%s", (name, need) => {
  // Other parts of each need.
  const parts = someOf(Object.entries(PARTS), 4, 3 * Object.keys(NEEDS).indexOf(name));
  test.each(parts)("of %s", { timeout: 300_000 }, async (__name, part) => {
    const isMinimised = need.limits === undefined;
    if (isMinimised) {
      // With more than 3 of it the other option is better, with nothing this one.
      await expectLeast(problemOf(part, need, 10, false), "3");
      await expectLeast(problemOf(part, need, 0, false), "0");
      return;
    }
    await expectLeast(problemOf(part, need, 10, true), null);
    await expectLeast(problemOf(part, need, 10, false), "3");
    await expectLeast(problemOf(part, need, 0, false), "0");
  });
});
