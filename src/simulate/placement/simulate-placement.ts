import type { PlacedFleet, PlacedTable } from "../../access/traffic/placed-table.js";
import { longRandom } from "../long-random.js";
import { type SimulationVerdict, verdictOf } from "../simulation.js";
import type { TableLog } from "../table-log.js";
import { type PlacementComparison, placementComparisons } from "./comparisons.js";
import { DrawnTraffic } from "./drawn-iteration.js";
import { meanIds } from "./link-weights.js";
import { type IndexOrder, type TableCounts, tableCounts } from "./part-counts.js";
import { type ReplayedLog, replayLog } from "./replayed-log.js";

export const DEFAULT_PLACEMENT_BATCHES = 10;

/** Ids that are drawn at most where nobody says how many batches: a minute or so. */
const MAX_DRAWN = 2 ** 28;

export interface PlacementTraffic {
  readonly fleet: PlacedFleet;
  readonly tables: readonly PlacedTable[];
  /** Iterations; default 10, or as many as a minute or so draws. */
  readonly batches?: number;
  readonly seed: number;
  readonly indexOrder: IndexOrder;
  readonly onProgress?: (batches: number) => void;
}

/** A cache of a plan: distinct rows of a global batch, and how many of them miss. */
export interface SimulatedCache {
  readonly table: string;
  readonly cachedRows: number;
  readonly distinct: number;
  /** One that keeps the hottest rows, as the cost model has it. */
  readonly misses: number;
  /** One that takes in every row that is read and lets go of the one read longest ago; `null`: too large to follow. */
  readonly leastRecentlyUsed: number | null;
}

export interface PlacementVerdict extends SimulationVerdict {
  /** Vectors of which the cost model has an estimate. */
  readonly between: number;
  /** Devices whose blocks of rows are read more, or less, than the cost model's even share. */
  readonly uneven: number;
}

export interface PlacementRun {
  readonly batches: number;
  readonly lookups: number;
  readonly verdict: PlacementVerdict;
  readonly comparisons: readonly PlacementComparison[];
  readonly caches: readonly SimulatedCache[];
}

/**
 * Draws what all devices' samples look up, sends every id to the device that has its row, and counts; beside the counts what the cost
 * model says, which has no part in it. Deterministic by seed.
 */
export function simulatePlacementTraffic(traffic: PlacementTraffic): PlacementRun {
  const { fleet, seed, indexOrder, onProgress } = traffic;
  const tables = traffic.tables.map((table) => tableCounts(table, fleet.devices, indexOrder));
  const perBatch = traffic.tables.reduce((sum, table) => sum + fleet.devices * Math.max(1, meanIds(table)), 0);
  const batches = traffic.batches ?? Math.max(1, Math.min(DEFAULT_PLACEMENT_BATCHES, Math.floor(MAX_DRAWN / perBatch)));
  const random = longRandom(seed);
  const drawn = tables.map((counts) => new DrawnTraffic(counts));
  for (let batch = 0; batch < batches; batch++) {
    for (const one of drawn) one.draw(fleet.devices, random);
    onProgress?.(batch + 1);
  }
  return runOf(tables, fleet, batches);
}

/** A log's look-ups of one table, and what the cost model says of that table. */
export interface LoggedTraffic extends Pick<PlacementTraffic, "fleet" | "indexOrder" | "onProgress"> {
  readonly table: PlacedTable;
  readonly log: TableLog;
}

/** Sends a log's look-ups to the devices that have their rows, and counts as {@link simulatePlacementTraffic} does. */
export async function replayPlacementLog(
  traffic: LoggedTraffic,
): Promise<PlacementRun & Pick<ReplayedLog, "leftOutSamples">> {
  const { fleet, table, log, indexOrder, onProgress } = traffic;
  const { counts, iterations, leftOutSamples } = await replayLog(table, fleet, indexOrder, log, onProgress);
  return { ...runOf([counts], fleet, iterations), leftOutSamples };
}

function runOf(tables: readonly TableCounts[], fleet: PlacedFleet, batches: number): PlacementRun {
  const comparisons = placementComparisons({ tables, fleet, iterations: batches });
  return {
    batches,
    lookups: tables.reduce((sum, { parts }) => sum + parts.reduce((own, { lookups }) => own + total(lookups), 0), 0),
    verdict: placementVerdict(comparisons),
    comparisons,
    caches: tables.flatMap((counts) => cachesOf(counts, batches)),
  };
}

function cachesOf({ table, parts }: TableCounts, batches: number): SimulatedCache[] {
  return parts.flatMap(({ part, cache }) => {
    if (cache === null) return [];
    return {
      ...{ table: table.name, cachedRows: part.cachedRows as number, distinct: cache.distinct / batches },
      misses: cache.misses / batches,
      leastRecentlyUsed: cache.recentMisses === null ? null : cache.recentMisses / batches,
    };
  });
}

function placementVerdict(comparisons: readonly PlacementComparison[]): PlacementVerdict {
  const { largestZ, ...verdict } = verdictOf(comparisons);
  const having = (wanted: PlacementComparison["reading"]) =>
    comparisons.filter(({ reading }) => reading === wanted).length;
  return { ...verdict, between: having("between"), uneven: having("uneven"), largestZ };
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
