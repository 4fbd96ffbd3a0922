import { readFile } from "node:fs/promises";
import { InputError } from "../errors/input-error.js";
import { loadInstance } from "../instance/load.js";
import { verifyPlanText } from "../verify/plan-text.js";
import { EXIT } from "./exit-status.js";
import { UsageError } from "./failure.js";
import { showVerification } from "./show/verification.js";
import { readStandardInput, writeResult } from "./streams.js";

export interface VerifyOptions {
  readonly instance?: string;
  readonly json?: boolean;
}

/** `shardproof verify PLAN`. */
export async function runVerify(file: string, { instance, json }: VerifyOptions): Promise<number> {
  if (file === "-" && instance === "-") throw new UsageError("the plan and the instance cannot both be standard input");
  const text = file === "-" ? await readStandardInput() : await readPlanFile(file);
  const verification = await verifyPlanText(text, file, (written) => {
    const where = instance ?? written;
    if (instance === undefined && where === "-") {
      throw new InputError("the plan's instance was standard input; say where it is with --instance FILE", file);
    }
    return loadInstance(where, readStandardInput);
  });
  await writeResult(json === true ? `${JSON.stringify(verification, null, 2)}\n` : showVerification(verification));
  return verification.passed ? EXIT.solved : EXIT.verificationFailed;
}

async function readPlanFile(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new InputError(`expected a plan file that can be read, received ${error.code ?? error.message}`, file);
  });
}
