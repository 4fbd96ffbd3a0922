import { parsePlan } from "../../plan-file/read-plan.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { problemOfPlan } from "../../problems/planning/registry.js";
import { showVerification } from "../../problems/verification/show.js";
import type { EXPLAIN } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import {
  EXIT,
  jsonText,
  readGiven,
  requireOneStandardInput,
  requireWritable,
  writeNoted,
  writeResult,
} from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import { taskOf } from "./plan.js";

/** `shardproof explain PLAN`. */
export async function runExplain(file: string, options: OptionsOf<typeof EXPLAIN>): Promise<number> {
  const { instance = "", json, out, quiet = false } = options;
  requireOneStandardInput([file, instance]);
  await requireWritable(out);
  const startedAt = Date.now();
  const text = await readGiven(file, "a plan file");
  const task = { ...(await taskOf(instance, options)), startedAt, plan: { text, file } };
  const { explained } = await solveInWorker({ kind: "explain", ...task }, quiet);
  if (explained.failed !== null) {
    await writeResult(json === true ? jsonText(explained.failed) : showVerification(explained.failed));
    return EXIT.verificationFailed;
  }
  const { proofs, ...explanation } = explained.explanation;
  await writeNoted(out, () => writePlan({ ...explanation, proofs }), quiet);
  if (json === true) await writeResult(writePlan(explanation));
  else {
    const { explaining } = problemOfPlan(parsePlan(text, file), file);
    await writeResult((await explaining?.())?.show(explained.explanation) ?? "");
  }
  return EXIT.solved;
}
