import { showVerification } from "../../problems/verification/show.js";
import type { VERIFY } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import {
  EXIT,
  jsonText,
  readGiven,
  readStandardInput,
  requireOneStandardInput,
  writeResult,
} from "../terminal/streams.js";
import { verifyInWorker } from "../worker/verify-client.js";

/** `shardproof verify FILE`: a plan, a solution or certificate of a program, or a VIPR file; told apart by content. */
export async function runVerify(file: string, options: OptionsOf<typeof VERIFY>): Promise<number> {
  const { instance, json, quiet } = options;
  requireOneStandardInput([file, instance]);
  const text = await readGiven(file, "a plan file");
  const request = {
    ...{ ...options, text, file },
    ...(instance === "-" ? { standardInput: await readStandardInput() } : {}),
  };
  const verification = await verifyInWorker(request, quiet === true);
  await writeResult(json === true ? jsonText(verification) : showVerification(verification));
  return verification.passed ? EXIT.solved : EXIT.verificationFailed;
}
