import { UsageError } from "../../errors/usage-error.js";
import { frontiersOf } from "../../problems/frontier.js";
import type { Instance } from "../../problems/instances.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import { EXIT } from "../terminal/exit-status.js";
import { note, writeOutput, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";
import { solveInWorker } from "../worker/client.js";
import type { SolvingOptions } from "./options.js";
import { taskOf } from "./plan.js";

export interface FrontierCommandOptions
  extends Pick<SolvingOptions, "gap" | "timeLimit" | "memoryLimit" | "seed" | "json" | "out" | "quiet"> {
  readonly points?: number;
  readonly exact?: boolean;
  /** A file, or `true`: standard output. */
  readonly csv?: string | true;
}

/** `shardproof frontier INSTANCE`. */
export async function runFrontier(instance: string, options: FrontierCommandOptions): Promise<number> {
  const { points, exact, csv, json, out, quiet = false } = options;
  if (csv === true && json === true) {
    throw new UsageError("--json and --csv cannot both go to standard output; name a file: --csv FILE");
  }
  for (const file of [out, csv]) if (typeof file === "string") await requireWritable(file);
  const task = {
    ...(await taskOf(instance, options)),
    ...(points === undefined ? {} : { points }),
    ...(exact === undefined ? {} : { exact }),
  };
  const { frontier } = await solveInWorker({ kind: "frontier", ...task }, quiet);
  const { proofs, ...report } = frontier;
  const {
    show,
    csv: csvOf,
    outcome,
  } = await frontiersOf({ problem: frontier.problem as Instance["problem"], file: instance });
  const files = [
    ...(out === undefined ? [] : [{ file: out, text: () => writePlan({ ...report, proofs }) }]),
    ...(typeof csv === "string" ? [{ file: csv, text: () => csvOf(frontier) }] : []),
  ];
  for (const { file, text } of files) {
    await writeOutput(file, text());
    note(`wrote ${file}`, quiet);
  }
  await writeResult(csv === true ? csvOf(frontier) : json === true ? writePlan(report) : show(frontier));
  return EXITS[outcome(frontier)];
}

const EXITS = {
  complete: EXIT.solved,
  open: EXIT.notProved,
  infeasible: EXIT.infeasible,
} as const;
