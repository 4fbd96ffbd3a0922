import type { PlacedFleet, PlacedTable } from "../../access/traffic/placed-table.js";
import { InputError } from "../../errors/input-error.js";
import { readRanks, type TableLog } from "../table-log.js";
import { type IndexOrder, type PartCounts, type TableCounts, tableCounts } from "./part-counts.js";

/** What a log came to. */
export interface ReplayedLog {
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
export async function replayLog(
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
