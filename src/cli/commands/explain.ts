import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { parsePlan } from "../../problems/plan-file/read-plan.js";
import { writePlan } from "../../problems/plan-file/write-plan.js";
import { problemOfPlan } from "../../problems/registry.js";
import { showVerification } from "../../problems/verification/show.js";
import { EXIT } from "../terminal/exit-status.js";
import { note, readStandardInput, writeOutput, writeResult } from "../terminal/streams.js";
import { requireWritable } from "../terminal/writable.js";
import { solveInWorker } from "../worker/client.js";
import type { SolvingOptions } from "./options.js";
import { taskOf } from "./plan.js";

export interface ExplainCommandOptions
  extends Pick<SolvingOptions, "timeLimit" | "memoryLimit" | "seed" | "json" | "out" | "quiet"> {
  readonly instance?: string;
}

/** `shardproof explain PLAN`. */
export async function runExplain(file: string, options: ExplainCommandOptions): Promise<number> {
  const { instance = "", json, out, quiet = false } = options;
  if (file === "-" && instance === "-") {
    throw new UsageError("the plan and the instance cannot both be standard input");
  }
  if (out !== undefined) await requireWritable(out);
  const startedAt = Date.now();
  const text = file === "-" ? await readStandardInput() : await readText(file, "a plan file");
  const task = { ...(await taskOf(instance, options)), startedAt, plan: { text, file } };
  const { explained } = await solveInWorker({ kind: "explain", ...task }, quiet);
  if (explained.failed !== null) {
    await writeResult(
      json === true ? `${JSON.stringify(explained.failed, null, 2)}\n` : showVerification(explained.failed),
    );
    return EXIT.verificationFailed;
  }
  const { proofs, ...explanation } = explained.explanation;
  if (out !== undefined) {
    await writeOutput(out, writePlan({ ...explanation, proofs }));
    note(`wrote ${out}`, quiet);
  }
  if (json === true) await writeResult(writePlan(explanation));
  else {
    const { explaining } = problemOfPlan(parsePlan(text, file), file);
    await writeResult((await explaining?.())?.show(explained.explanation) ?? "");
  }
  return EXIT.solved;
}
