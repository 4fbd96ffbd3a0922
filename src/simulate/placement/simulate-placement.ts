import type { PlacedFleet, PlacedTable } from "../../access/traffic/placed-table.js";
import { InputError } from "../../errors/input-error.js";
import { longRandom } from "../long-random.js";
import { type SimulationVerdict, verdictOf } from "../simulation.js";
import { readRanks, type TableLog } from "../table-log.js";
import { type PlacementComparison, placementComparisons } from "./comparisons.js";
import { DrawnTraffic } from "./drawn-iteration.js";
import { meanIds } from "./link-weights.js";
import { type IndexOrder, type PartCounts, type TableCounts, tableCounts } from "./part-counts.js";

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

/** What a log came to. */
interface ReplayedLog {
  /** Its table's features have the spread of the log's own bags. */
  readonly counts: TableCounts;
  readonly iterations: number;
  /** After the last whole iteration: distinct rows of a smaller batch are not those of a whole one. */
  readonly leftOutSamples: number;
}

/**
 * Sends the samples of a log through a table, sample i to device i mod the number of devices, in iterations of as many samples as the
 * plan's. A row is on the devices that hold its rank.
 *
 * Throws `InputError` where a line is none, an id is none of the table's, the table has not one feature with a whole number of bags,
 * or the log is shorter than one iteration.
 */
async function replayLog(
  table: PlacedTable,
  { devices }: PlacedFleet,
  indexOrder: IndexOrder,
  log: TableLog,
  onProgress?: (iterations: number) => void,
): Promise<ReplayedLog> {
  const { file } = log;
  const [feature, ...others] = table.features;
  if (feature === undefined || others.length > 0 || !Number.isInteger(feature.bags) || feature.bags === 0) {
    const received = others.length > 0 ? `${table.features.length} features` : `${feature?.bags ?? 0} bags`;
    throw new InputError(
      `expected a table of one feature with a whole number of bags per device for a log, received ${table.name} with ${received}; replay another table`,
      file,
    );
  }
  const rows = table.parts.reduce((sum, part) => sum + part.rows, 0);
  const counts = tableCounts(table, devices, indexOrder);
  const perIteration = devices * feature.bags;
  let iterations = 0;
  let bags: number[][] = [];
  let bag: number[] = [];
  let [ids, squares] = [0, 0];
  await readRanks(log, rows, {
    lookup: (rank) => bag.push(rank),
    endSample: () => {
      bags.push(bag);
      bag = [];
      if (bags.length < perIteration) return;
      for (const [sample, own] of bags.entries()) {
        countBag(counts, own, sample % devices);
        ids += own.length;
        squares += own.length ** 2;
      }
      for (const { cache } of counts.parts) cache?.endIteration();
      bags = [];
      iterations++;
      onProgress?.(iterations);
    },
  });
  if (iterations === 0) {
    throw new InputError(
      `expected a log of at least ${perIteration} samples, an iteration of ${devices} devices, received ${bags.length}; give a longer one`,
      file,
    );
  }
  const samples = iterations * perIteration;
  const spread = Math.max(0, squares / samples - (ids / samples) ** 2);
  return {
    counts: { ...counts, table: { ...table, features: [{ ...feature, spread }] } },
    iterations,
    leftOutSamples: bags.length,
  };
}

/** The ids of one sample, each to the part that has its row. */
function countBag({ parts, bags }: TableCounts, ranks: readonly number[], device: number): void {
  const last = parts.at(-1) as PartCounts;
  for (const rank of ranks) {
    const part = rank < last.part.first ? (parts[0] as PartCounts) : last;
    part.take(rank - part.part.first, device);
  }
  bags[device] = (bags[device] as number) + 1;
  for (const part of parts) part.endBag(device, 0);
}
