import { UsageError } from "../../errors/usage-error.js";
import { given } from "../../input/given.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { frontiersOf } from "../../problems/planning/frontier.js";
import type { Instance } from "../../problems/planning/instances.js";
import type { FRONTIER } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import { EXIT, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import { taskOf } from "./plan.js";

/** `shardproof frontier INSTANCE`. */
export async function runFrontier(instance: string, options: OptionsOf<typeof FRONTIER>): Promise<number> {
  const { points, exact, csv, json, out, quiet = false } = options;
  if (csv === true && json === true) {
    throw new UsageError("--json and --csv cannot both go to standard output; name a file: --csv FILE");
  }
  const csvFile = csv === true ? undefined : csv;
  await requireWritable(out, csvFile);
  const task = {
    ...(await taskOf(instance, options)),
    ...given({ points, exact }),
  };
  const { frontier } = await solveInWorker({ kind: "frontier", ...task }, quiet);
  const { proofs, ...report } = frontier;
  const {
    show,
    csv: csvOf,
    outcome,
  } = await frontiersOf({ problem: frontier.problem as Instance["problem"], file: instance });
  await writeNoted(out, () => writePlan({ ...report, proofs }), quiet);
  await writeNoted(csvFile, () => csvOf(frontier), quiet);
  await writeResult(csv === true ? csvOf(frontier) : json === true ? writePlan(report) : show(frontier));
  return EXITS[outcome(frontier)];
}

const EXITS = {
  complete: EXIT.solved,
  open: EXIT.notProved,
  infeasible: EXIT.infeasible,
} as const;
