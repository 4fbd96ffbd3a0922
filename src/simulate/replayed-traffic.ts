import { InputError } from "../errors/input-error.js";
import type { RowTiersInstance } from "../problems/row-tiers/instance/instance.js";
import type { WrittenPlan } from "../problems/row-tiers/plan-file/plan-file.js";
import { type EventReader, readEvents } from "./event-log.js";
import type { Fleet } from "./fleet.js";
import type { Ledger } from "./ledger.js";
import { type Load, type RankedRun, rankedRuns } from "./loads.js";
import { type Observation, SampleMoments } from "./observation.js";
import { isProfiledLog, type LogColumns, readProfiledLog } from "./profiled-log.js";
import { placeOfRow } from "./routes.js";
import { type Ranks, readRankFile, writtenRanks } from "./row-ranks.js";
import { lookupVariance } from "./sampled-traffic.js";
import type { Simulation } from "./simulation.js";

/** Where a log's lookups go. */
export interface Destination {
  readonly plan: WrittenPlan;
  readonly instance: RowTiersInstance;
  readonly fleet: Fleet;
  /** Those of the log's table. */
  readonly loads: readonly Load[];
  readonly ledger: Ledger;
  readonly file: string;
}

/**
 * Sends the samples of a log through a table's tiers, sample i to GPU i mod U. The whole log, however long, stands for one
 * iteration: what was seen is scaled to its number of samples. Standard errors are those of the log's own samples.
 */
export async function replayEvents(
  events: { readonly file: string; readonly table: number; readonly rankFile?: string; readonly columns?: LogColumns },
  { plan, instance, fleet, loads, ledger, file }: Destination,
  { onProgress }: { readonly onProgress?: (done: number) => void },
): Promise<{ traffic: Simulation["traffic"]; observation: Observation }> {
  const { name, rows } = instance.tables[events.table] as (typeof instance.tables)[number];
  const runs = rankedRuns(plan, instance, events.table, file);
  const ranks: Ranks = events.rankFile === undefined ? writtenRanks(rows) : await readRankFile(events.rankFile, rows);
  const loadOfRun = runs.map(({ tier }) => loads.findIndex((load) => load.tier === tier));
  const moments = new SampleMoments(loads.length);
  const ofSample = new Float64Array(loads.length);
  let lookups = 0;
  const reader: EventReader = {
    lookup: (id, place) => {
      const rank = ranks.rankOf(id);
      if (typeof rank === "string") throw new InputError(rank, events.file, place);
      const index = loadOfRun[runAt(runs, rank)] as number;
      ofSample[index] = (ofSample[index] as number) + 1;
      count(loads[index] as Load, rank, moments.samples % fleet.gpus, fleet);
      lookups++;
    },
    endSample: () => {
      moments.add(ofSample);
      ofSample.fill(0);
      if (moments.samples % 4096 === 0) onProgress?.(moments.samples);
    },
  };
  const { file: log, columns = {} } = events;
  if (isProfiledLog(log, columns)) await readProfiledLog(log, columns, reader);
  else await readEvents(log, reader);
  const { samples } = moments;
  if (samples < 2) throw new InputError(`expected a log of at least 2 samples, received ${samples}`, events.file);
  ledger.bookIteration(fleet.samples / samples);
  return {
    traffic: {
      kind: "replayed",
      file: events.file,
      table: name,
      samples,
      samplesPerBatch: fleet.samples,
      lookups,
    },
    observation: moments.observation(
      fleet.samples,
      loads.map((load) => lookupVariance(load, fleet) / fleet.samples),
    ),
  };
}

function count({ table, size, places, counts, route }: Load, rank: number, gpu: number, fleet: Fleet): void {
  const place = route.split === "columns" ? 0 : placeOfRow(rank, table, places);
  let entry = gpu * places + place;
  if (!fleet.followed) {
    const home = Math.floor(gpu / size) * size + place;
    const isOwn = home === gpu || route.split === "columns";
    entry = isOwn ? 0 : Math.floor(home / fleet.gpusPerNode) === Math.floor(gpu / fleet.gpusPerNode) ? 1 : 2;
  }
  counts[entry] = (counts[entry] as number) + 1;
}

/** The run that holds a rank. */
function runAt(runs: readonly RankedRun[], rank: number): number {
  let low = 0;
  let high = runs.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rank < (runs[middle] as RankedRun).end) high = middle;
    else low = middle + 1;
  }
  return low;
}
