import { InputError } from "../errors/input-error.js";
import { loadProgram } from "../program/load-program.js";
import type { ProgramFormat } from "../program/read-program.js";
import { verifyPlanText } from "../verify/plan-text.js";
import { verifyProgramText } from "../verify/program-text.js";
import type { Verification } from "../verify/verification.js";
import { looksLikeVipr, verifyViprText } from "../verify/vipr-text.js";
import { EXIT } from "./exit-status.js";
import { UsageError } from "./failure.js";
import { planInstanceOpener } from "./plan-instance.js";
import { showVerification } from "./show/verification.js";
import { readInput, readStandardInput, writeResult } from "./streams.js";

export interface VerifyOptions {
  readonly instance?: string;
  readonly format?: ProgramFormat;
  readonly json?: boolean;
}

/** `shardproof verify FILE`: a plan, a solution or certificate of a program, or a VIPR file; told apart by content. */
export async function runVerify(file: string, options: VerifyOptions): Promise<number> {
  if (file === "-" && options.instance === "-") {
    throw new UsageError("the plan and the instance cannot both be standard input");
  }
  const text = file === "-" ? await readStandardInput() : await readInput(file, "a plan file");
  const verification = await verifyText(text, file, options);
  await writeResult(
    options.json === true ? `${JSON.stringify(verification, null, 2)}\n` : showVerification(verification),
  );
  return verification.passed ? EXIT.solved : EXIT.verificationFailed;
}

function verifyText(text: string, file: string, { instance, format }: VerifyOptions): Promise<Verification> {
  const load = { standardInput: readStandardInput, ...(format === undefined ? {} : { format }) };
  if (looksLikeVipr(text)) {
    return verifyViprText(text, file, instance === undefined ? null : () => loadProgram(instance, load));
  }
  if (!isAboutProgram(text)) return verifyPlanText(text, file, planInstanceOpener(file, instance));
  return verifyProgramText(text, file, (written) => {
    if (instance === undefined && written === "-") {
      throw new InputError("the model was standard input; say where it is with --instance FILE", file);
    }
    return loadProgram(instance ?? written, load);
  });
}

/** Whether a text is JSON of the kinds that `solve` writes; all else is for the reader of plans to take or refuse. */
function isAboutProgram(text: string): boolean {
  try {
    const { kind } = JSON.parse(text) as { kind?: unknown };
    return kind === "certificate" || kind === "solution";
  } catch {
    return false;
  }
}
