import { InputError } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import { readJson } from "../../input/json.js";
import { planDigest } from "../../plan-file/canonical-json.js";
import { timingOf } from "../../plan-file/timing.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import type { Dialect } from "../../program/reading/dialect.js";
import { type Certificate, CertificateError, readCertificate, readNumber } from "../../proof/certificate.js";
import { relativeGap, statusAt } from "../../proof/verdict.js";
import { some } from "../../text/units.js";
import { compareWritten } from "../verification/compare-written.js";
import { checkDigest } from "../verification/digest.js";
import { Refusal, refusing } from "../verification/refusal.js";
import { acceptedGap, tellGap } from "../verification/request.js";
import { type Verification, VerificationDraft } from "../verification/verification.js";
import { type OnVerifyProgress, VerifySteps } from "../verification/verify-steps.js";
import { assembleCertificate } from "./answer/certificate-file.js";
import { type CheckedOutcome, checkOutcome, checkUnbounded, referenceTo } from "./answer/outcome.js";
import {
  certificateFileSchema,
  shapeProgramFile,
  solutionSchema,
  type WordBeside,
  type WrittenCertificate,
  type WrittenSolution,
} from "./answer/schema.js";
import { assembleSolution, withCertificateIn } from "./answer/solution-file.js";
import { looksLikeVipr, provedByVipr } from "./verify-vipr.js";

/** Digest, model, point, certificate, numbers. */
const STEPS = 5;

/** Where the program of a file comes from: `file` is the path that the file has. */
export type OpenProgram = (file: string, dialect?: Dialect) => Promise<Program>;

/** The text of the file beside a solution that has its certificate: our own, or VIPR's. */
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
    check(draft, written, program, beside === null ? written : await certificateBeside(beside, openCertificate));
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

/** What shows the bound of a file: a certificate (`null`: nothing does), or the text of a VIPR file. */
type Proof = { readonly certificate?: unknown } | { readonly vipr: string; readonly file: string };

/** The certificate that a solution names, from the file that has it. */
async function certificateBeside(file: string, open: OpenCertificate | undefined): Promise<Proof> {
  if (open === undefined) throw new Refusal("certificate", `it is in a file of its own, ${file}: verify that`);
  const text = await open(file).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    throw new Refusal("certificate", `it is in a file of its own: ${error.message}`);
  });
  if (looksLikeVipr(text)) return { vipr: text, file };
  const json = objectIn(text, file);
  const written = shapeProgramFile(json, file);
  const isWhole = written.kind === "certificate" && json.digest === planDigest(json);
  if (!isWhole) throw new Refusal("certificate", `${file} is no certificate, or was changed after it was written`);
  return written;
}

function check(
  draft: VerificationDraft,
  written: WrittenCertificate | WrittenSolution,
  program: Program,
  proof: Proof,
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
  const isVipr = "vipr" in proof;
  const certificate = isVipr ? null : refusing("certificate", () => certificateIn(proof.certificate));
  if (ray !== null && (point === null || certificate !== null || isVipr)) {
    throw new Refusal("ray", "a ray shows something from a point on, and beside no certificate");
  }
  if (point !== null) {
    refusing("point", () => checkOutcome(program, null, point, gap));
    draft.check("point", true, "feasible, in exact arithmetic with zero tolerance");
  }
  draft.steps.next(`the certificate: ${isVipr ? "VIPR's" : some(certificate?.steps.length ?? 0, "step")}`);
  const checked: CheckedOutcome & { readonly steps?: string } =
    ray !== null && point !== null
      ? refusing("ray", () => checkUnbounded(program, point, ray))
      : refusing("certificate", () =>
          isVipr ? checkVipr(program, proof, point, gap) : checkOutcome(program, certificate, point, gap),
        );
  const { steps = sizeOf(certificate), ...outcome } = checked;
  if (ray !== null) draft.check("ray", true, "the objective improves along it for ever");
  else draft.check("certificate", true, provedText(steps, outcome));
  if (isVipr) draft.leaveOut("proof", "the size of the proof in other steps than those of the VIPR file");
  tellGap(draft, written.request, outcome);
  draft.steps.next("all other numbers");
  const expected = expectedFile(written, { program, outcome, point, ray, certificate });
  const schema = isSolution ? solutionSchema : certificateFileSchema;
  draft.check("status", true, outcome.status);
  compareWritten(draft, { expected, written }, schema, "the model, the point and the certificate");
}

/** What a VIPR file and a point show together, and the size of the proof. Throws `CertificateError`. */
function checkVipr(
  program: Program,
  { vipr, file }: Extract<Proof, { readonly vipr: string }>,
  point: readonly Rational[] | null,
  gap: Rational,
): CheckedOutcome & { readonly steps: string } {
  const { bound, isInfeasible, derivations } = provedByVipr(vipr, file, program);
  const { value, ...nothing } = checkOutcome(program, null, point, gap);
  const steps = some(derivations, "derivation");
  if (isInfeasible && value !== null)
    throw new CertificateError(0, "there is a feasible point beside the proof of none");
  if (isInfeasible) return { ...nothing, value, status: "infeasible", steps };
  if (value === null || bound === null) return { ...nothing, value, bound, steps };
  const isBetter = value.compare(bound) * (program.objective.sense === "minimize" ? 1 : -1) < 0;
  if (isBetter) throw new CertificateError(0, `the point has ${value}, which is better than the bound ${bound}`);
  const between = relativeGap(value, bound);
  return { status: statusAt(between, gap), value, bound, gap: between, steps };
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
    if (certificateFile === null) return solution;
    // VIPR's derivations say nothing of the size of the proof in our steps.
    const isCounted = certificate !== null || written.proof === null;
    return withCertificateIn(certificateFile, isCounted ? solution : { ...solution, proof: written.proof });
  }
  if (certificate === null) throw new Refusal("certificate", "there is none");
  return assembleCertificate({ ...parts, certificate, model, gap: request.gap });
}

function sizeOf(certificate: Certificate | null): string | null {
  return certificate === null ? null : some(certificate.steps.length, "step");
}

function provedText(steps: string | null, { bound, value }: CheckedOutcome): string {
  if (steps === null) return "none: no bound was proved";
  const size = `${steps}, checked in exact arithmetic`;
  if (bound === null) return `there is no feasible point: ${size}`;
  const words = value?.equals(bound) === true ? "no feasible point is better than" : "proved bound";
  return `${words} ${bound.toString()}: ${size}`;
}

/**
 * The rationals of a point that a file has by column name, in the order of the program's columns: numbers are the
 * doubles that they are, texts are integers or fractions in lowest terms. `null` where the file has none.
 *
 * Throws `CertificateError` for a column without a value and a value without a column.
 */
function pointByName(written: unknown, { columns }: Program): readonly Rational[] | null {
  if (written === null) return null;
  if (typeof written !== "object" || Array.isArray(written)) {
    throw new CertificateError(0, "a point must be an object with a value for every column");
  }
  const values = new Map<string, unknown>(Object.entries(written));
  const known = new Set(columns.map(({ name }) => name));
  for (const name of values.keys()) {
    if (!known.has(name)) throw new CertificateError(0, `there is a value of "${name}", and no such column`);
  }
  return columns.map(({ name }) => {
    const value = values.get(name);
    if (value === undefined) throw new CertificateError(0, `there is no value of column "${name}"`);
    return typeof value === "number" ? Rational.fromNumber(value) : readNumber(value, 0);
  });
}
