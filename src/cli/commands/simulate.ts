import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { simulateTowers } from "../../problems/joint-towers/simulate.js";
import { parsePlan } from "../../problems/plan-file/read-plan.js";
import { PROBLEMS } from "../../problems/registry.js";
import { simulatePlacement } from "../../problems/table-placement/simulate.js";
import type { LogFormat } from "../../profile/options.js";
import type { IndexOrder } from "../../simulate/placement/part-counts.js";
import { type SimulateOptions, simulatePlanText } from "../../simulate/simulate.js";
import { count } from "../../text/units.js";
import { showSimulatedPlacement } from "../show/simulated-placement.js";
import { showSimulatedTowers } from "../show/simulated-towers.js";
import { showSimulation } from "../show/simulation.js";
import { EXIT } from "../terminal/exit-status.js";
import { StatusLine } from "../terminal/status-line.js";
import { readStandardInput, writeResult } from "../terminal/streams.js";
import { planInstanceOpener } from "./plan-instance.js";

export interface SimulateCommandOptions {
  readonly instance?: string;
  readonly batches?: number;
  readonly samples?: number;
  readonly indexOrder?: IndexOrder;
  readonly seed?: number;
  readonly events?: string;
  readonly table?: string;
  readonly rankFile?: string;
  readonly row?: string;
  readonly list?: string;
  readonly sample?: string;
  readonly format?: LogFormat;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `shardproof simulate PLAN`. */
export async function runSimulate(file: string, options: SimulateCommandOptions): Promise<number> {
  const { instance, events, json } = options;
  if (file === "-" && instance === "-") {
    throw new UsageError("the plan and the instance cannot both be standard input");
  }
  if (events === undefined) {
    for (const [name, value] of [
      ["--table", options.table],
      ["--row", options.row],
      ["--list", options.list],
      ["--sample", options.sample],
      ["--format", options.format],
      ["--rank-file", options.rankFile],
    ]) {
      if (value !== undefined) throw new UsageError(`${name} is of a log: it needs --events FILE`);
    }
  } else if (options.row !== undefined && options.list !== undefined) {
    throw new UsageError("give --row or --list, not both");
  } else if (options.batches !== undefined || options.seed !== undefined) {
    throw new UsageError("--events replays a log as it is: it takes no --batches and no --seed");
  }
  const text = file === "-" ? await readStandardInput() : await readText(file, "a plan file");
  const openInstance = planInstanceOpener(file, instance);
  const plan = parsePlan(text, file);
  const problem = plan.shardproof === 1 ? PROBLEMS.find(({ isOf }) => isOf(plan)) : undefined;
  if (problem?.simulation === "look-ups") {
    return runPlacement(text, file, openInstance, options);
  }
  if (options.samples !== undefined || options.indexOrder !== undefined) {
    throw new UsageError("--samples and --index-order are for plans of table-placement");
  }
  if (problem?.simulation === "exchange") {
    if (events !== undefined || options.batches !== undefined) {
      throw new UsageError("an exchange of towers is one iteration: it takes no --events and no --batches");
    }
    const towers = await simulateTowers(plan, { text, file, seed: options.seed ?? 0 }, openInstance);
    await writeResult(json === true ? `${JSON.stringify(towers, null, 2)}\n` : showSimulatedTowers(towers));
    return towers.verdict.within ? EXIT.solved : EXIT.verificationFailed;
  }
  const line = new StatusLine(options.quiet === true);
  const what = events === undefined ? "batches" : "samples";
  const simulation = await simulatePlanText(text, file, openInstance, {
    ...simulateOptions(options),
    onProgress: (done) => line.show(() => [`${count(done)} ${what}`]),
  }).finally(() => line.clear());
  await writeResult(json === true ? `${JSON.stringify(simulation, null, 2)}\n` : showSimulation(simulation));
  return STATUS[simulation.verdict.outcome];
}

async function runPlacement(
  text: string,
  file: string,
  openInstance: ReturnType<typeof planInstanceOpener>,
  options: SimulateCommandOptions,
): Promise<number> {
  const { samples, indexOrder, json } = options;
  const line = new StatusLine(options.quiet === true);
  const simulation = await simulatePlacement(text, file, openInstance, {
    ...simulateOptions(options),
    ...(samples === undefined ? {} : { samples }),
    ...(indexOrder === undefined ? {} : { indexOrder }),
    onProgress: (done) => line.show(() => [`${count(done)} batches`]),
  }).finally(() => line.clear());
  await writeResult(json === true ? `${JSON.stringify(simulation, null, 2)}\n` : showSimulatedPlacement(simulation));
  return STATUS[simulation.verdict.outcome];
}

const STATUS = { agrees: EXIT.solved, differs: EXIT.verificationFailed, "too few": EXIT.notProved } as const;

function simulateOptions(options: SimulateCommandOptions): SimulateOptions {
  const { batches, seed, events, table, rankFile, row, list, sample, format } = options;
  const columns = {
    ...(row === undefined ? {} : { row }),
    ...(list === undefined ? {} : { list }),
    ...(sample === undefined ? {} : { sample }),
    ...(format === undefined ? {} : { format }),
  };
  return {
    ...(batches === undefined ? {} : { batches }),
    ...(seed === undefined ? {} : { seed }),
    ...(events === undefined
      ? {}
      : {
          events: {
            file: events,
            ...(table === undefined ? {} : { table }),
            ...(rankFile === undefined ? {} : { rankFile }),
            ...(Object.keys(columns).length === 0 ? {} : { columns }),
          },
        }),
  };
}
