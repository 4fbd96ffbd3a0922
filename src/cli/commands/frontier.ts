import { UsageError } from "../../errors/usage-error.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import type { FrontierReport } from "../../problems/row-tiers/frontier/report.js";
import { showFrontier } from "../../problems/row-tiers/show/frontier.js";
import { frontierCsv } from "../../problems/row-tiers/show/frontier-csv.js";
import { EXIT } from "../terminal/exit-status.js";
import { note, writeOutput, writeResult } from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import type { SolvingOptions } from "./options.js";
import { requireFolder, taskOf } from "./plan.js";

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
  for (const file of [out, csv]) if (typeof file === "string") await requireFolder(file);
  const task = {
    ...(await taskOf(instance, options)),
    ...(points === undefined ? {} : { points }),
    ...(exact === undefined ? {} : { exact }),
  };
  const { frontier } = await solveInWorker({ kind: "frontier", ...task }, quiet);
  const { proofs, ...report } = frontier;
  const files = [
    ...(out === undefined ? [] : [{ file: out, text: () => writePlan({ ...report, proofs }) }]),
    ...(typeof csv === "string" ? [{ file: csv, text: () => frontierCsv(report) }] : []),
  ];
  for (const { file, text } of files) {
    await writeOutput(file, text());
    note(`wrote ${file}`, quiet);
  }
  await writeResult(csv === true ? frontierCsv(report) : json === true ? writePlan(report) : showFrontier(report));
  return exitStatusOf(report);
}

function exitStatusOf({ breakPoints, isComplete, check }: FrontierReport): number {
  if (check.below.length > 0) return EXIT.internalError;
  if (breakPoints.length === 0) return EXIT.infeasible;
  return isComplete ? EXIT.solved : EXIT.notProved;
}
