import { estimateOption, type TorchrecShard } from "../../../cost/torchrec/enumerate.js";
import type { ComputeKernel } from "../../../cost/torchrec/kernels.js";
import type { TorchrecProblem, TorchrecTable } from "../../../cost/torchrec/problem.js";
import { tableQuantities } from "../../../cost/torchrec/quantities.js";
import { readPlacedTorchrecProblem } from "../../../cost/torchrec/read-problem.js";
import type { ShardingType } from "../../../cost/torchrec/sharding-types.js";
import { rowNodesIn } from "../../../cost/torchrec/shards.js";
import { shardIo } from "../../../cost/torchrec/storage/io.js";
import type { PlacedDocument } from "../../../instance/document.js";
import { facts, nothing, paint, table } from "../../../terminal/table.js";
import { printable } from "../../../text/printable.js";
import { bytes, percent, significant } from "../../../text/units.js";
import type { PlacementPlanTable, TablePlacementPlan } from "../plan-file/plan-file.js";

/** What TorchRec's planner calls the sharding types in its statistics. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  data_parallel: "DP",
  table_wise: "TW",
  column_wise: "CW",
  row_wise: "RW",
  table_row_wise: "TWRW",
  table_column_wise: "TWCW",
  grid_shard: "GS",
};

/** Digits of milliseconds. */
const DIGITS = 4;

/** The parts of a rank's milliseconds, as TorchRec lists them. */
const PHASES = [
  ["fwd compute", "forwardCompute"],
  ["fwd comms", "forwardComms"],
  ["bwd compute", "backwardCompute"],
  ["bwd comms", "backwardComms"],
  ["prefetch", "prefetchCompute"],
] as const;

/** What TorchRec's cost model says of a rank beyond what the plan has. */
interface RankTotals {
  /** In the order of {@link PHASES}. */
  readonly phases: number[];
  inputBytes: number;
  outputBytes: number;
}

/**
 * The table of TorchRec's planner statistics (planner/stats.py, `EmbeddingStats`): by rank its memory, its milliseconds,
 * its shards by sharding type, and where the instance's cost model is TorchRec's (`torchrec` is then its problem) the phases
 * of the milliseconds and the bytes in and out of the rank in one iteration.
 *
 * Throws `InputError` where `torchrec` is no problem of TorchRec's.
 */
export function showRankStatistics(plan: TablePlacementPlan, torchrec: PlacedDocument | null): string {
  const { deviceCosts, deviceBytes, memory, objective } = plan;
  if (deviceCosts === null || deviceBytes === null) return "";
  // TorchRec's planner has no tables in two parts, and one size of cache.
  const isOwn = plan.tables.some(({ hotRows, cacheLoadFactor }) => (hotRows ?? cacheLoadFactor) !== undefined);
  const totals = torchrec === null || isOwn ? null : rankTotals(plan, readPlacedTorchrecProblem(torchrec));
  const shown = PHASES.flatMap(([name], phase) =>
    totals?.some(({ phases }) => (phases[phase] as number) > 0) ? [{ name, phase }] : [],
  );
  const head = ["rank", "HBM", "DDR", objective.unit === null ? "perf" : `perf ${printable(objective.unit)}`]
    .concat(shown.map(({ name }) => name))
    .concat(totals === null ? [] : ["input", "output"])
    .concat("shards");
  const shards = shardsByRank(plan.tables, deviceCosts.length);
  const rows = deviceCosts.map((cost, rank) => {
    const of = totals?.[rank];
    return [
      String(rank),
      ofLimit(deviceBytes[rank] as number, memory.hbmBytesPerGpu?.[rank]),
      ofLimit(memory.deviceHostBytes?.[rank] ?? 0, memory.hostIsPooled ? undefined : memory.hostBytesPerGpu?.[rank]),
      significant(cost, DIGITS),
      ...shown.map(({ phase }) => milliseconds(of?.phases[phase] as number)),
      ...(of === undefined ? [] : [bytes(of.inputBytes), bytes(of.outputBytes)]),
      shards[rank] as string,
    ];
  });
  const largest = deviceCosts.reduce((most, cost) => Math.max(most, cost), Number.NEGATIVE_INFINITY);
  const mean = deviceCosts.reduce((sum, cost) => sum + cost, 0) / deviceCosts.length;
  const imbalance = mean === 0 ? "none" : `the largest perf is ${percent(largest / mean - 1)} above the mean`;
  return [
    `  ${paint.dim("as TorchRec's planner reports a plan")}`,
    table(head, rows, `${"r".repeat(head.length - 1)}l`),
    facts([["imbalance", imbalance]]),
  ].join("\n\n");
}

function ofLimit(used: number, limit: number | undefined): string {
  return limit === undefined || limit === 0 || used === 0 ? bytes(used) : `${bytes(used)} (${percent(used / limit)})`;
}

function milliseconds(value: number): string {
  return value === 0 ? nothing() : significant(value, DIGITS);
}

/** How many shards of each type each rank has: `TW 2, TWRW 1`. */
function shardsByRank(tables: readonly PlacementPlanTable[], devices: number): readonly string[] {
  const numbers = Array.from({ length: devices }, () => new Map<string, number>());
  for (const { shardingType, ranks } of tables) {
    const name = ABBREVIATIONS[shardingType] ?? printable(shardingType);
    for (const rank of ranks) {
      const own = numbers[rank] as Map<string, number>;
      own.set(name, (own.get(name) ?? 0) + 1);
    }
  }
  return numbers.map((own) =>
    [...own]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, number]) => `${name} ${number}`)
      .join(", "),
  );
}

function rankTotals({ tables, deviceCosts }: TablePlacementPlan, problem: TorchrecProblem): readonly RankTotals[] {
  const totals = (deviceCosts ?? []).map(
    (): RankTotals => ({ phases: PHASES.map(() => 0), inputBytes: 0, outputBytes: 0 }),
  );
  for (const [t, { shardingType, kernel, ranks }] of tables.entries()) {
    const torchrecTable = problem.tables[t] as TorchrecTable;
    const type = shardingType as ShardingType;
    const nodes = rowNodesIn(type, ranks.length, problem.topology);
    const { shards } = estimateOption(problem, torchrecTable, type, kernel as ComputeKernel, nodes);
    for (const [k, rank] of ranks.entries()) {
      const total = totals[rank] as RankTotals;
      const shard = shards[k] as TorchrecShard;
      const io = shardIo(
        torchrecTable,
        tableQuantities(torchrecTable, problem.release),
        type,
        shard,
        problem.topology,
        problem.constants,
        nodes,
      );
      for (const [phase, [, key]] of PHASES.entries())
        total.phases[phase] = (total.phases[phase] as number) + shard.perf[key];
      total.inputBytes += io.inputBytes;
      total.outputBytes += io.outputBytes;
    }
  }
  return totals;
}
