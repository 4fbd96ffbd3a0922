import { InputError } from "../../errors/input-error.js";
import { given } from "../../input/given.js";
import { writePlan } from "../../plan-file/write-plan.js";
import { showSolution } from "../../problems/program/show.js";
import type { SOLVE } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import { exitStatusOf, note, requireWritable, writeNoted, writeResult } from "../terminal/streams.js";
import { solveInWorker } from "../worker/client.js";
import type { CertificateText } from "../worker/protocol.js";
import { taskOf } from "./plan.js";
import { openBeside } from "./solve-beside.js";

/** Names the file that is missing, and why. */
function notWritten(file: string, { problem, isFault }: Extract<CertificateText, { problem: string }>): Error {
  const message = `the answer stands, but its proof cannot be written as VIPR: ${problem}; as JSON (--certificate FILE.json) it can`;
  return isFault ? new Error(`${file}: ${message}`) : new InputError(message, file);
}

/** `shardproof solve MODEL`. */
export async function runSolve(model: string, options: OptionsOf<typeof SOLVE>): Promise<number> {
  const quiet = options.quiet === true;
  const { format, dialect, strictReading, certificate: certificateFile, out } = options;
  await requireWritable(certificateFile, out);
  const task = {
    kind: "solve",
    ...(await taskOf(model, options)),
    ...given({ format, dialect, strictReading, certificateFile }),
  } as const;
  const beside = options.beside === undefined ? null : await openBeside(options.beside, task);
  const solved = await solveInWorker(task, quiet).catch(async (error: unknown) => {
    await beside?.stop();
    throw error;
  });
  const { certificate, stopped } = solved;
  const solution = beside === null ? solved.solution : await beside.add(solved.solution, stopped !== null);
  if (certificate !== null && "text" in certificate) await writeNoted(certificateFile, () => certificate.text, quiet);
  if (certificate === null && certificateFile !== undefined) {
    note(`warning: ${certificateFile} was not written: there is no certificate`, quiet);
  }
  // A long certificate takes long to be written: not where nobody asks for it.
  const text = out === undefined && options.json !== true ? "" : writePlan(solution);
  await writeNoted(out, () => text, quiet);
  await writeResult(options.json === true ? text : showSolution(solution));
  // The answer is shown all the same: it may have taken long.
  if (certificate !== null && "problem" in certificate) throw notWritten(certificateFile as string, certificate);
  return exitStatusOf(solution.status);
}
