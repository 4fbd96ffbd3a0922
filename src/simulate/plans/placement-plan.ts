import { withoutCopies } from "../../../models/table-placement/hot-rows.js";
import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { type ModelledTraffic, modelledTraffic } from "../../cost/placement/predicted-traffic.js";
import type { AnyInstance } from "../../instance/reader.js";
import type { ExportablePlacement } from "../../interop/exportable.js";
import { readExportablePlacement } from "../../problems/table-placement/exportable.js";
import type { IndexOrder } from "../placement/part-counts.js";
import { type PlacementRun, replayPlacementLog, simulatePlacementTraffic } from "../placement/simulate-placement.js";
import { type EventsOptions, tableOfLog } from "../simulate.js";

/** Samples of a device in an iteration, where neither the cost model nor the user says. */
const DEFAULT_SAMPLES = 1024;

export interface SimulatePlacementOptions {
  readonly batches?: number;
  readonly samples?: number;
  readonly seed?: number;
  readonly indexOrder?: IndexOrder;
  /** A log of one table to replay instead. */
  readonly events?: EventsOptions;
  readonly onProgress?: (batches: number) => void;
}

/** What `simulate` prints of a table-placement plan with `--json`. */
export interface PlacementSimulation {
  readonly shardproof: 1;
  readonly instance: { readonly name: string; readonly sha256: string };
  readonly plan: { readonly method: string; readonly digest: string };
  readonly cluster: { readonly nodes: number; readonly gpusPerNode: number };
  readonly traffic: {
    readonly kind: "sampled" | "replayed";
    readonly batches: number;
    /** Of a device in an iteration, where the cost model knows no batch. */
    readonly assumedSamplesPerGpu: number | null;
    /** Of drawn look-ups. */
    readonly seed?: number;
    readonly indexOrder: IndexOrder;
    readonly lookups: number;
    /** Of a log: its file, the table that it is of, and samples after the last whole iteration, which are not counted. */
    readonly file?: string;
    readonly table?: string;
    readonly leftOutSamples?: number;
  };
  /** Tables without an access distribution: their rows are read alike. */
  readonly readAlike: readonly string[];
  readonly verdict: PlacementRun["verdict"];
  readonly comparisons: PlacementRun["comparisons"];
  readonly caches: PlacementRun["caches"];
}

/**
 * Sends drawn look-ups through a table-placement plan: hot rows are read on the sample's own device, other ids go to the devices of
 * their shards and vectors come back. What moved is counted beside what the cost model says of it.
 *
 * Throws `InputError` as `readExportablePlacement` does, and for a table of which nobody knows how often it is looked up.
 */
export async function simulatePlacement(
  text: string,
  file: string,
  openInstance: (file: string) => Promise<AnyInstance>,
  options: SimulatePlacementOptions,
): Promise<PlacementSimulation> {
  const plan = await readExportablePlacement(text, file, openInstance);
  const { events } = options;
  return events === undefined ? simulatePlaced(plan, options) : replayPlaced(plan, events, options);
}

/** Sends a log of one table through a plan at hand. */
export async function replayPlaced(
  plan: Omit<ExportablePlacement, "status">,
  { table: name, ...log }: EventsOptions,
  { samples = DEFAULT_SAMPLES, indexOrder = "spread", onProgress }: SimulatePlacementOptions,
): Promise<PlacementSimulation> {
  const { instance } = plan;
  const modelled = modelledTraffic(instance, placedTables(plan), samples);
  const { fleet } = modelled;
  const table = modelled.tables[tableOfLog(instance, name)] as ModelledTraffic["tables"][number];
  const { leftOutSamples, ...run } = await replayPlacementLog({
    ...{ fleet, table, log, indexOrder },
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  const { batches, lookups } = run;
  const { assumedSamples: assumedSamplesPerGpu } = modelled;
  const of = { file: log.file, table: table.name, leftOutSamples };
  const traffic = { kind: "replayed", batches, assumedSamplesPerGpu, indexOrder, lookups, ...of } as const;
  return simulationOf(plan, { ...modelled, tables: [table] }, run, traffic);
}

/** The same for a plan at hand. */
export function simulatePlaced(
  plan: Omit<ExportablePlacement, "status">,
  { batches, samples = DEFAULT_SAMPLES, seed = 0, indexOrder = "spread", onProgress }: SimulatePlacementOptions,
): PlacementSimulation {
  const { instance } = plan;
  const modelled = modelledTraffic(instance, placedTables(plan), samples);
  const { fleet, tables, assumedSamples } = modelled;
  const run = simulatePlacementTraffic({
    ...{ fleet, tables, seed, indexOrder },
    ...(batches === undefined ? {} : { batches }),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  return simulationOf(plan, modelled, run, {
    ...{ kind: "sampled", batches: run.batches, assumedSamplesPerGpu: assumedSamples },
    ...{ seed, indexOrder, lookups: run.lookups },
  });
}

function simulationOf(
  { instance, method, digest }: Omit<ExportablePlacement, "status">,
  { fleet, tables }: ModelledTraffic,
  run: PlacementRun,
  traffic: PlacementSimulation["traffic"],
): PlacementSimulation {
  return {
    shardproof: 1,
    instance: { name: instance.name, sha256: instance.sha256 },
    plan: { method, digest },
    cluster: { nodes: fleet.devices / fleet.perHost, gpusPerNode: fleet.perHost },
    traffic,
    readAlike: tables.filter(({ hasAccess }) => !hasAccess).map(({ name }) => name),
    verdict: run.verdict,
    comparisons: run.comparisons,
    caches: run.caches,
  };
}

function placedTables({ problem, placement }: Pick<ExportablePlacement, "problem" | "placement">) {
  return problem.tables.map(({ options }, t) => {
    const { option, devices } = placement.choices[t] as { option: number; devices: readonly number[] };
    const own = options[option] as PlacementOption;
    const { shardingType, kernel, hot, cache } = own;
    return { shardingType, kernel, devices: withoutCopies(own, devices), hot, cache };
  });
}
