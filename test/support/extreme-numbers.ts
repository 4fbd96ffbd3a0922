import type { PlacementOption, PlacementProblem, ShardNeed } from "../../models/table-placement/problem.js";
import { Rational } from "../../src/exact/rational.js";
import type { Draw } from "../fuzz/oracle/draw.js";

/**
 * Costs that no double adds up: nothing, and next to nothing, beside what people write and what is very large. Together they need
 * far more than 53 bits.
 */
export const EXTREME_COSTS: readonly number[] = [0, 0, 5e-17, 1e-18, 1e-300, 0.9, 0.3, 2.3, 0.7, 0.1, 1e12];

/** One of them, as what it is. */
export function extremeCost(draw: Draw): Rational {
  return Rational.fromNumber(draw.of(EXTREME_COSTS));
}

/**
 * A drawn problem with numbers at the ends of what is allowed, for any generator: every need has another cost, equal ones stay equal, and
 * bytes come near 2^53. Placements that had room have it still.
 */
export function withExtremeNumbers(problem: PlacementProblem, draw: Draw): PlacementProblem {
  const extreme = withNeeds(problem, (need) => ({
    ...{ ...need, cost: draw.of(EXTREME_COSTS) },
    ...(need.phases === undefined ? {} : { phases: need.phases.map(() => draw.of(EXTREME_COSTS)) }),
  }));
  return draw.oneIn(2) ? nearMostBytes(extreme, () => 0) : extreme;
}

/** All bytes so many times as many that what tables need at most is just below 2^53 together; limits with them, and `odd` bytes more. */
export function nearMostBytes(problem: PlacementProblem, odd: () => number): PlacementProblem {
  const keys = ["hbmBytes", "hostBytes", "ssdBytes"] as const;
  const most = (key: (typeof keys)[number]) =>
    problem.tables.reduce((sum, { options }) => {
      const totals = options.map(({ shards }) => shards.reduce((all, need) => all + (need[key] ?? 0), 0));
      return sum + Math.max(...totals);
    }, 0);
  const pooled = problem.hostBytes?.reduce((sum, bytes) => sum + bytes, 0) ?? 0;
  const times = Math.floor(Number.MAX_SAFE_INTEGER / Math.max(1, pooled, ...problem.hbmBytes, ...keys.map(most)) / 2);
  const limits = (bytes: readonly number[]) => bytes.map((own) => Math.max(0, own * times + odd()));
  const more = (need: ShardNeed): ShardNeed => ({
    ...{ ...need, hbmBytes: need.hbmBytes * times, hostBytes: need.hostBytes * times },
    ...(need.ssdBytes === undefined ? {} : { ssdBytes: need.ssdBytes * times }),
  });
  return {
    ...withNeeds(problem, more),
    hbmBytes: limits(problem.hbmBytes),
    hostBytes: problem.hostBytes && limits(problem.hostBytes),
    ...(problem.ssdBytes === undefined ? {} : { ssdBytes: limits(problem.ssdBytes) }),
  };
}

/** The same with other needs; shards that were alike stay so. */
export function withNeeds(problem: PlacementProblem, change: (need: ShardNeed) => ShardNeed): PlacementProblem {
  const known = new Map<ShardNeed, ShardNeed>();
  const changed = (need: ShardNeed) => {
    const next = known.get(need) ?? change(need);
    known.set(need, next);
    return next;
  };
  const tables = problem.tables.map((table) => ({
    ...table,
    options: table.options.map((option) => ({ ...option, shards: option.shards.map(changed) })),
  }));
  return { ...problem, tables };
}

/** Every other table, and at times each, may also be on all devices at a cost, or whole on one where it has no room, at next to none. */
export function withBases(problem: PlacementProblem, draw: Draw): PlacementProblem {
  const devices = problem.nodes * problem.gpusPerNode;
  const most = Math.max(...problem.hbmBytes);
  const spread = (cost: number): PlacementOption => ({
    ...{ shardingType: "row_wise", kernel: "fused", partitionBy: "uniform" },
    shards: new Array<ShardNeed>(devices).fill({ cost, hbmBytes: 0, hostBytes: 0 }),
  });
  const whole = (cost: number): PlacementOption => ({
    ...{ shardingType: "table_wise", kernel: "large", partitionBy: "device" },
    shards: [{ cost, hbmBytes: most + 1, hostBytes: 0 }],
  });
  const tables = problem.tables.map((table) => {
    if (draw.oneIn(3)) return table;
    const added = [spread(draw.of(EXTREME_COSTS)), whole(draw.of(EXTREME_COSTS.slice(0, 5)))];
    return { ...table, devices: null, options: draw.oneIn(2) ? added : [...table.options, ...added] };
  });
  return { ...problem, tables };
}
