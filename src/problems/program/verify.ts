import { InputError } from "../../errors/input-error.js";
import type { Rational } from "../../exact/rational.js";
import { readJson } from "../../input/json.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import type { Dialect } from "../../program/reading/dialect.js";
import { type Certificate, readCertificate } from "../../proof/certificate.js";
import { some } from "../../text/units.js";
import { planDigest } from "../plan-file/canonical-json.js";
import { timingOf } from "../plan-file/timing.js";
import { compareWritten } from "../verification/compare-written.js";
import { checkDigest } from "../verification/digest.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { acceptedGap, tellGap } from "../verification/request.js";
import { type Verification, VerificationDraft } from "../verification/verification.js";
import { type OnVerifyProgress, VerifySteps } from "../verification/verify-steps.js";
import { assembleCertificate } from "./answer/certificate-file.js";
import { type CheckedOutcome, checkOutcome, checkUnbounded, referenceTo } from "./answer/outcome.js";
import { shapeProgramFile, type WrittenCertificate, type WrittenSolution } from "./answer/schema.js";
import { assembleSolution, type WordBeside, withCertificateIn } from "./answer/solution-file.js";
import { PROGRAM_CERTIFICATE, PROGRAM_SOLUTION } from "./coverage.js";
import { pointByName } from "./point-by-name.js";

/** Digest, model, point, certificate, numbers. */
const STEPS = 5;

/** Where the program of a file comes from: `file` is the path that the file has. */
export type OpenProgram = (file: string, dialect?: Dialect) => Promise<Program>;

/** The text of the file beside a solution that has its certificate. */
export type OpenCertificate = (file: string) => Promise<string>;

/**
 * Verifies the text of a certificate file, or of a solution (`shardproof solve --json`), against its program: the file is
 * as it was written, the program is the one it was made for, the point is feasible with zero tolerance, the certificate
 * proves the bound, and every other field follows from these or is listed as not checked. The model is read by the same readers,
 * the certificate replayed by src/proof, which imports no solver and no method.
 *
 * Throws `InputError` when the text is neither, or when its program cannot be read.
 */
export async function verifyProgramText(
  text: string,
  file: string,
  openProgram: OpenProgram,
  onProgress?: OnVerifyProgress,
  openCertificate?: OpenCertificate,
): Promise<Verification> {
  const draft = new VerificationDraft(new VerifySteps(onProgress, STEPS));
  draft.steps.next("the digest");
  const json = objectIn(text, file);
  const untouched = checkDigest(draft, text, json, json.kind === "solution" ? ", its timing apart" : "");
  try {
    const written = shapeProgramFile(json, file);
    draft.steps.next("the model");
    const program = await openProgram(written.model.file, written.model.dialect);
    const beside = written.kind === "solution" ? written.certificateFile : null;
    check(draft, written, program, beside === null ? undefined : await certificateBeside(beside, openCertificate));
  } catch (error) {
    if (error instanceof Refusal) draft.check(error.check, false, error.message);
    else if (untouched || !(error instanceof InputError)) throw error;
    else draft.check("readable", false, error.message);
  }
  return draft.done();
}

function objectIn(text: string, file: string): Readonly<Record<string, unknown>> {
  const what = "a certificate or solution file";
  const value = readJson(text, file, what);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InputError(`expected ${what} (a JSON object), received other JSON`, file);
}

/** The certificate that a solution names, from the file that has it. */
async function certificateBeside(file: string, open: OpenCertificate | undefined): Promise<unknown> {
  if (open === undefined) throw new Refusal("certificate", `it is in a file of its own, ${file}: verify that`);
  const text = await open(file).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    throw new Refusal("certificate", `it is in a file of its own, ${file}, which cannot be read: ${error.message}`);
  });
  const json = objectIn(text, file);
  const written = shapeProgramFile(json, file);
  const isWhole = written.kind === "certificate" && json.digest === planDigest(json);
  if (!isWhole) throw new Refusal("certificate", `${file} is no certificate, or was changed after it was written`);
  return written.certificate;
}

function check(
  draft: VerificationDraft,
  written: WrittenCertificate | WrittenSolution,
  program: Program,
  beside: unknown,
): void {
  const hash = programHash(program);
  const size = `${some(program.columns.length, "column")}, ${some(program.rows.length, "row")}`;
  if (written.model.sha256 !== hash) {
    throw new Refusal("model", `made for another model: hash ${written.model.sha256}, this one (${size}) has ${hash}`);
  }
  draft.check("model", true, `the one that the file was made for: ${size}`);
  draft.steps.next("the point");
  const gap = acceptedGap(written.request);
  const isSolution = written.kind === "solution";
  const point = refusing("point", () => pointByName(isSolution ? written.variables : written.point, program));
  const ray = isSolution ? refusing("ray", () => pointByName(written.ray, program)) : null;
  const certificate = refusing("certificate", () => certificateIn(beside ?? written.certificate));
  if (ray !== null && (point === null || certificate !== null)) {
    throw new Refusal("ray", "a ray shows something from a point on, and beside no certificate");
  }
  if (point !== null) {
    refusing("point", () => checkOutcome(program, null, point, gap));
    draft.check("point", true, "feasible, in exact arithmetic with zero tolerance");
  }
  draft.steps.next(`the certificate: ${some(certificate?.steps.length ?? 0, "step")}`);
  const outcome =
    ray !== null && point !== null
      ? refusing("ray", () => checkUnbounded(program, point, ray))
      : refusing("certificate", () => checkOutcome(program, certificate, point, gap));
  if (ray !== null) draft.check("ray", true, "the objective improves along it for ever");
  else draft.check("certificate", true, provedText(certificate, outcome));
  tellGap(draft, written.request, outcome);
  draft.steps.next("all other numbers");
  const expected = expectedFile(written, { program, outcome, point, ray, certificate });
  const table = isSolution ? PROGRAM_SOLUTION : PROGRAM_CERTIFICATE;
  draft.check("status", true, outcome.status);
  compareWritten(draft, { expected, written }, table, "the model, the point and the certificate");
}

function certificateIn(certificate: unknown): Certificate | null {
  return certificate === null ? null : readCertificate(certificate);
}

interface Parts {
  readonly program: Program;
  readonly outcome: CheckedOutcome;
  readonly point: readonly Rational[] | null;
  readonly ray: readonly Rational[] | null;
  readonly certificate: Certificate | null;
}

/** The file that follows from what was checked. */
function expectedFile(written: WrittenCertificate | WrittenSolution, parts: Parts): object {
  const { request } = written;
  const { certificate, program } = parts;
  const model = referenceTo(program, written.model.file, written.model.dialect);
  if (written.kind === "solution") {
    const { notes, reason, claims, beside, contradictions, nodes, timing } = written;
    const { certificateFile, approx } = written;
    const passedOn = {
      withApprox: approx !== undefined,
      ...{ request: written.request, reason, claims, contradictions, nodes },
      ...(notes === undefined ? {} : { notes }),
      ...(beside === undefined ? {} : { beside: beside as WordBeside }),
    };
    const { besideSeconds } = timing;
    const told = { ...timingOf(timing), ...(besideSeconds === undefined ? {} : { besideSeconds }) };
    const solution = assembleSolution({ ...parts, ...passedOn, model, timing: told });
    return certificateFile === null ? solution : withCertificateIn(certificateFile, solution);
  }
  if (certificate === null) throw new Refusal("certificate", "there is none");
  return assembleCertificate({ ...parts, certificate, model, gap: request.gap });
}

function provedText(certificate: Certificate | null, { bound, value }: CheckedOutcome): string {
  if (certificate === null) return "none: no bound was proved";
  const size = `${some(certificate.steps.length, "step")}, checked in exact arithmetic`;
  if (bound === null) return `there is no feasible point: ${size}`;
  const words = value?.equals(bound) === true ? "no feasible point is better than" : "proved bound";
  return `${words} ${bound.toString()}: ${size}`;
}
