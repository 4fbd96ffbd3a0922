import type { RowClasses } from "../access/row-classes.js";
import { runOfRank } from "../access/run-of-rank.js";
import { tableClasses } from "../access/table-classes.js";
import { InputError } from "../errors/input-error.js";
import { type AnyInstance, isInstance } from "../instance/reader.js";
import type { RowTiersInstance } from "../instance/types/row-tiers.js";
import { planDigest } from "../plan-file/canonical-json.js";
import { parsePlan, shapePlan } from "../plan-file/read-plan.js";
import { rowTiersReader } from "../problems/row-tiers/instance/reader.js";
import { rowTiersPlanSchema, type WrittenPlan } from "../problems/row-tiers/plan-file/plan-file.js";
import { comparisonsOf, hostBytes, staticBytes } from "./comparisons.js";
import { Ledger } from "./ledger.js";
import { type Load, loadsOf, rankedRuns } from "./loads.js";
import { longRandom } from "./long-random.js";
import { independentLoads, type Observation, SampleMoments } from "./observation.js";
import { type Fleet, fleetOf, placeOfRow } from "./routes.js";
import { drawIteration, lookupVariance } from "./sampled-traffic.js";
import { type Simulation, verdictOf } from "./simulation.js";
import { readRanks, type TableLog } from "./table-log.js";

export interface SimulateOptions {
  /** Iterations to draw; default 10. */
  readonly batches?: number;
  /** Seed of the drawn traffic; default 0. */
  readonly seed?: number;
  /** A log to replay instead. */
  readonly events?: EventsOptions;
  /** Gets the number of iterations, or of samples of a log, that are done. */
  readonly onProgress?: (done: number) => void;
}

export interface EventsOptions extends TableLog {
  /** The table that the log is of; needed where the instance has several. */
  readonly table?: string;
}

export const DEFAULT_BATCHES = 10;

/**
 * Sends sampled traffic, or that of a log, through the plan in a plan file's text, and compares what moved with what the
 * plan file says. The cost model has no part in it: rows are routed by their tiers (`ROUTES`), and lookups, bytes and
 * memory are counted GPU by GPU.
 *
 * `openInstance` opens the plan's instance by the path that the plan has. Throws `InputError` when the text is no plan
 * with runs, the instance is another one, or a file cannot be read.
 */
export async function simulatePlanText(
  text: string,
  file: string,
  openInstance: (file: string) => Promise<AnyInstance>,
  options: SimulateOptions = {},
): Promise<Simulation> {
  const json = parsePlan(text, file);
  if (json.problem !== "row-tiers" || json.shardproof !== 1) {
    throw new InputError("expected a plan of version 1 for row-tiers, received another", file);
  }
  const plan = shapePlan(rowTiersPlanSchema, json, text, file);
  if (plan.status === "infeasible") {
    throw new InputError("expected a plan with runs, received the proof that there is none; nothing to simulate", file);
  }
  const instance = await openInstance(plan.instance.file);
  if (!isInstance(rowTiersReader, instance) || instance.sha256 !== plan.instance.sha256) {
    const advice = "say where the plan's instance is with --instance FILE";
    throw new InputError(
      `expected the instance that the plan was made for, received ${instance.file}, another one; ${advice}`,
      file,
    );
  }
  const access = await Promise.all(instance.tables.map((table) => tableClasses(table, instance.file)));
  return simulatePlan(plan, instance, access, options, file);
}

/** The same for a plan and an instance at hand; `access` has one entry per table, `file` is the plan's for messages. */
export async function simulatePlan(
  plan: WrittenPlan,
  instance: RowTiersInstance,
  access: readonly RowClasses[],
  options: SimulateOptions = {},
  file = "-",
): Promise<Simulation> {
  const fleet = fleetOf(instance);
  const { nodes, gpusPerNode, batchPerGpu } = fleet;
  const all = loadsOf(plan, instance, access, fleet, file);
  const table = options.events === undefined ? null : tableOfLog(instance, options.events.table);
  const loads = table === null ? all : all.filter((load) => load.table === table);
  const ledger = new Ledger(loads, fleet, instance.training.replicaMemoryFactor);
  const { traffic, observation } =
    options.events === undefined || table === null
      ? sample(loads, fleet, ledger, options, instance.file)
      : await replayEvents({ ...options.events, table }, { plan, instance, fleet, loads, ledger, file }, options);
  const { comparisons, notCompared } = comparisonsOf({ plan, instance, fleet, loads, all, observation, file });
  const digestAgrees = planDigest(plan) === plan.digest;
  const hasHost = instance.tiers.includes("host");
  return {
    shardproof: 1,
    instance: { name: instance.name, sha256: instance.sha256 },
    plan: { method: plan.method, digest: plan.digest, digestAgrees },
    cluster: { nodes, gpusPerNode, batchPerGpu },
    traffic,
    verdict: verdictOf(comparisons, digestAgrees),
    comparisons,
    notCompared,
    collectives: ledger.collectives(),
    memory: ledger.memory(
      loads.reduce((sum, load) => sum + staticBytes(load, instance.training.replicaMemoryFactor), 0),
      hasHost ? loads.reduce((sum, load) => sum + hostBytes(load, fleet), 0) : null,
    ),
  };
}

function sample(
  loads: readonly Load[],
  fleet: Fleet,
  ledger: Ledger,
  { batches = DEFAULT_BATCHES, seed = 0, onProgress }: SimulateOptions,
  instanceFile: string,
): { traffic: Simulation["traffic"]; observation: Observation } {
  if (!Number.isInteger(fleet.batchPerGpu)) {
    const received = `expected a whole training.batchPerGpu to draw samples for, received ${fleet.batchPerGpu}`;
    throw new InputError(received, instanceFile);
  }
  const random = longRandom(seed);
  const lookups = loads.map(() => 0);
  for (let batch = 0; batch < batches; batch++) {
    drawIteration(loads, fleet, random);
    ledger.bookIteration();
    for (const [index, { counts }] of loads.entries()) {
      lookups[index] = counts.reduce((sum, count) => sum + count, lookups[index] as number);
    }
    onProgress?.(batch + 1);
  }
  const total = lookups.reduce((sum, count) => sum + count, 0);
  return {
    traffic: { kind: "sampled", batches, samplesPerBatch: fleet.samples, seed, lookups: total },
    observation: independentLoads(
      lookups.map((count) => count / batches),
      loads.map((load) => lookupVariance(load, fleet) / batches),
      1 / batches,
    ),
  };
}

/** The index of the table that a log is of. Throws `InputError` where there is none, or several and no name. */
export function tableOfLog(
  { tables, file }: { readonly tables: readonly { readonly name: string }[]; readonly file: string },
  name: string | undefined,
): number {
  const names = tables.map((table) => table.name).join(", ");
  if (name === undefined && tables.length === 1) return 0;
  if (name === undefined) {
    throw new InputError(`expected one of the tables ${names} for the log, received none; add --table NAME`, file);
  }
  const index = tables.findIndex((table) => table.name === name);
  if (index === -1) throw new InputError(`expected one of the tables ${names}, received "${name}"`, file);
  return index;
}

/** Where a log's lookups go. */
interface Destination {
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
async function replayEvents(
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
