import { UsageError } from "../../errors/usage-error.js";
import { readText } from "../../input/files.js";
import { showVerification } from "../../problems/verification/show.js";
import type { ProgramFormat } from "../../program/read-program.js";
import type { Dialect } from "../../program/reading/dialect.js";
import { EXIT } from "../terminal/exit-status.js";
import { readStandardInput, writeResult } from "../terminal/streams.js";
import { verifyInWorker } from "../worker/verify-client.js";

export interface VerifyOptions {
  readonly instance?: string;
  readonly format?: ProgramFormat;
  readonly dialect?: Dialect;
  /** Published methods run again: all or none of them; default those that are quick. */
  readonly baselines?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `shardproof verify FILE`: a plan, a solution or certificate of a program, or a VIPR file; told apart by content. */
export async function runVerify(file: string, options: VerifyOptions): Promise<number> {
  const { instance, format, dialect, baselines, json, quiet } = options;
  if (file === "-" && instance === "-") {
    throw new UsageError("the plan and the instance cannot both be standard input");
  }
  const text = file === "-" ? await readStandardInput() : await readText(file, "a plan file");
  const request = {
    ...{ text, file },
    ...(instance === undefined ? {} : { instance }),
    ...(format === undefined ? {} : { format }),
    ...(dialect === undefined ? {} : { dialect }),
    ...(baselines === undefined ? {} : { baselines }),
    ...(instance === "-" ? { standardInput: await readStandardInput() } : {}),
  };
  const verification = await verifyInWorker(request, quiet === true);
  await writeResult(json === true ? `${JSON.stringify(verification, null, 2)}\n` : showVerification(verification));
  return verification.passed ? EXIT.solved : EXIT.verificationFailed;
}
