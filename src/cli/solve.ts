import { InputError } from "../errors/input-error.js";
import { writePlan } from "../plan/write-plan.js";
import type { ProgramFormat } from "../program/read-program.js";
import { exitStatusOf } from "./exit-status.js";
import type { SolvingOptions } from "./options.js";
import { requireFolder, taskOf } from "./plan.js";
import { showSolution } from "./show/solution.js";
import { note, writeOutput, writeResult } from "./streams.js";
import { solveInWorker } from "./worker/client.js";

export interface SolveOptions extends SolvingOptions {
  readonly format?: ProgramFormat;
  readonly certificate?: string;
}

/** `shardproof solve MODEL`. */
export async function runSolve(model: string, options: SolveOptions): Promise<number> {
  const quiet = options.quiet === true;
  const { format, certificate: certificateFile, out } = options;
  for (const file of [certificateFile, out]) if (file !== undefined) await requireFolder(file);
  const { solution, certificate } = await solveInWorker(
    {
      kind: "solve",
      ...(await taskOf(model, options)),
      ...(format === undefined ? {} : { format }),
      ...(certificateFile === undefined ? {} : { certificateFile }),
    },
    quiet,
  );
  const write = async (file: string, content: string) => {
    await writeOutput(file, content);
    note(`wrote ${file}`, quiet);
  };
  if (certificateFile !== undefined) {
    if (certificate !== null && "text" in certificate) await write(certificateFile, certificate.text);
    if (certificate === null) note(`warning: ${certificateFile} was not written: there is no certificate`, quiet);
  }
  // A long certificate takes long to be written: not where nobody asks for it.
  const text = out === undefined && options.json !== true ? "" : writePlan(solution);
  if (out !== undefined) await write(out, text);
  await writeResult(options.json === true ? text : showSolution(solution));
  // The answer is shown all the same: it may have taken long.
  if (certificate !== null && "problem" in certificate) throw new InputError(certificate.problem, certificateFile);
  return exitStatusOf(solution.status);
}
