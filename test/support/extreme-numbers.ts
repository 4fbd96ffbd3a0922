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

/** Bytes of which a drawn one is so many times as large: few shards come near 2^53 together, and an odd byte still counts. */
const BYTES = 2 ** 44;

/**
 * A drawn problem with numbers at the ends of what is allowed, for any generator: every need has another cost, equal ones stay equal, and
 * bytes come near 2^53. Placements that had room have it still.
 */
export function withExtremeNumbers(problem: PlacementProblem, draw: Draw): PlacementProblem {
  const isFull = draw.oneIn(2);
  const bytes = (own: number) => (isFull ? own * BYTES + (own > 0 ? 1 : 0) : own);
  // An odd byte for each shard that there may be.
  const room = (own: number) => (isFull ? own * BYTES + 64 : own);
  const known = new Map<ShardNeed, ShardNeed>();
  const needOf = (need: ShardNeed): ShardNeed => {
    const extreme = {
      ...need,
      cost: draw.of(EXTREME_COSTS),
      hbmBytes: bytes(need.hbmBytes),
      hostBytes: bytes(need.hostBytes),
      ...(need.phases === undefined ? {} : { phases: need.phases.map(() => draw.of(EXTREME_COSTS)) }),
    };
    return known.get(need) ?? known.set(need, extreme).get(need) ?? extreme;
  };
  const optionOf = (option: PlacementOption) => ({ ...option, shards: option.shards.map(needOf) });
  return {
    ...problem,
    hbmBytes: problem.hbmBytes.map(room),
    hostBytes: problem.hostBytes?.map(room) ?? null,
    tables: problem.tables.map((table) => ({ ...table, options: table.options.map(optionOf) })),
  };
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
