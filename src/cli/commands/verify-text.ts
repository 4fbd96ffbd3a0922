import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../../errors/input-error.js";
import { readText } from "../../input/files.js";
import { given } from "../../input/given.js";
import { parseJson } from "../../input/json.js";
import { publishedMethods, verifyPlanText } from "../../problems/planning/verify.js";
import { verifyProgramText } from "../../problems/program/verify.js";
import { looksLikeVipr, verifyViprText } from "../../problems/program/verify-vipr.js";
import type { Verification } from "../../problems/verification/verification.js";
import type { OnVerifyProgress } from "../../problems/verification/verify-steps.js";
import { loadProgram } from "../../program/load-program.js";
import type { Dialect } from "../../program/reading/dialect.js";
import { baseName } from "../../text/base-name.js";
import type { VERIFY } from "../tables/answers.js";
import type { OptionsOf } from "../tables/table.js";
import { openWritten, planInstanceOpener } from "./plan-instance.js";

/** What is to be verified, and where what it is about is to be found. */
export interface VerifyRequest extends OptionsOf<typeof VERIFY> {
  readonly text: string;
  readonly file: string;
  /** What standard input holds, where the instance is `-`. */
  readonly standardInput?: string;
}

/** Verifies a plan, a solution or certificate of a program, or a VIPR file: told apart by content. */
export async function verifyText(request: VerifyRequest, onProgress: OnVerifyProgress): Promise<Verification> {
  const { text, file, instance, format, standardInput = "" } = request;
  const read = async () => standardInput;
  const asked = { standardInput: read, ...given({ format }) };
  if (looksLikeVipr(text)) {
    const openModel =
      instance === undefined ? null : () => loadProgram(instance, { ...asked, ...given({ dialect: request.dialect }) });
    return verifyViprText(text, file, openModel, onProgress);
  }
  if (!isAboutProgram(text)) {
    const { baselines } = request;
    const methods = baselines === false ? undefined : publishedMethods(baselines === true ? "all" : "quick");
    return verifyPlanText(text, file, planInstanceOpener(file, instance, read), onProgress, methods);
  }
  const openProgram = (written: string, dialect?: Dialect) => {
    const load = { ...asked, ...given({ dialect }) };
    if (instance === undefined && written === "-") {
      throw new InputError("the model was standard input; say where it is with --instance FILE", file);
    }
    if (instance !== undefined) return loadProgram(instance, load);
    return openWritten(written, "the model", file, () => loadProgram(written, load));
  };
  const openCertificate = async (written: string) => {
    const beside = join(dirname(file), baseName(written));
    const path = (await isThere(written)) || !(await isThere(beside)) ? written : beside;
    return readText(path, "a certificate");
  };
  return verifyProgramText(text, file, openProgram, onProgress, openCertificate);
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Whether a text is JSON of the kinds that `solve` writes; all else is for the reader of plans to take or refuse. */
function isAboutProgram(text: string): boolean {
  try {
    const { kind } = parseJson(text, "file") as { kind?: unknown };
    return kind === "certificate" || kind === "solution";
  } catch {
    return false;
  }
}
