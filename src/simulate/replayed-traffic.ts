import { runOfRank } from "../access/run-of-rank.js";
import { InputError } from "../errors/input-error.js";
import type { RowTiersInstance } from "../instance/types/row-tiers.js";
import type { WrittenPlan } from "../problems/row-tiers/plan-file/plan-file.js";
import type { Ledger } from "./ledger.js";
import { type Load, rankedRuns } from "./loads.js";
import { type Observation, SampleMoments } from "./observation.js";
import { type Fleet, placeOfRow } from "./routes.js";
import { lookupVariance } from "./sampled-traffic.js";
import type { Simulation } from "./simulation.js";
import { readRanks, type TableLog } from "./table-log.js";

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
  events: TableLog & { readonly table: number },
  { plan, instance, fleet, loads, ledger, file }: Destination,
  { onProgress }: { readonly onProgress?: (done: number) => void },
): Promise<{ traffic: Simulation["traffic"]; observation: Observation }> {
  const { name, rows } = instance.tables[events.table] as (typeof instance.tables)[number];
  const runs = rankedRuns(plan, instance, events.table, file);
  const ends = runs.map(({ end }) => end);
  const loadOfRun = runs.map(({ tier }) => loads.findIndex((load) => load.tier === tier));
  const moments = new SampleMoments(loads.length);
  const ofSample = new Float64Array(loads.length);
  let lookups = 0;
  await readRanks(events, rows, {
    lookup: (rank) => {
      const index = loadOfRun[runOfRank(ends, rank)] as number;
      ofSample[index] = (ofSample[index] as number) + 1;
      count(loads[index] as Load, rank, moments.samples % fleet.gpus, fleet);
      lookups++;
    },
    endSample: () => {
      moments.add(ofSample);
      ofSample.fill(0);
      if (moments.samples % 4096 === 0) onProgress?.(moments.samples);
    },
  });
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
