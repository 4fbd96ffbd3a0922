import { InputError } from "../errors/input-error.js";
import type { Rational } from "../exact/rational.js";
import { assembleCertificate } from "../plan/program/certificate-file.js";
import { type CheckedOutcome, checkOutcome, checkUnbounded } from "../plan/program/outcome.js";
import { shapeProgramFile, type WrittenCertificate, type WrittenSolution } from "../plan/program/schema.js";
import { assembleSolution } from "../plan/program/solution-file.js";
import { askedGap } from "../plan/row-tiers/asked-gap.js";
import { timingOf } from "../plan/row-tiers/timing.js";
import { programHash } from "../program/hash.js";
import type { Program } from "../program/program.js";
import { type Certificate, readCertificate } from "../proof/certificate.js";
import { some } from "../text/units.js";
import { checkDigest, parseObject } from "./json-text.js";
import { pointByName } from "./point-by-name.js";
import { Refusal, refusing } from "./refusal.js";
import { differencesOf, type Verification, VerificationDraft } from "./verification.js";
import { type OnVerifyProgress, VerifySteps } from "./verify-steps.js";

/** Where the program of a file comes from: `file` is the path that the file has. */
export type OpenProgram = (file: string) => Promise<Program>;

/**
 * Verifies the text of a certificate file, or of a solution (`shardproof solve --json`), against its program: the file is
 * as it was written, the program is the one it was made for, the point is feasible with zero tolerance, the certificate
 * proves the bound, and every other field follows from these. Nothing of what made the file is used.
 *
 * Throws `InputError` when the text is neither, or when its program cannot be read.
 */
export async function verifyProgramText(
  text: string,
  file: string,
  openProgram: OpenProgram,
  onProgress?: OnVerifyProgress,
): Promise<Verification> {
  const draft = new VerificationDraft(new VerifySteps(onProgress));
  draft.steps.next("the digest");
  const json = parseObject(text, file, "a certificate or solution file");
  const untouched = checkDigest(draft, text, json, json.kind === "solution" ? ", its timing apart" : "");
  try {
    const written = shapeProgramFile(json, file);
    draft.steps.next("the model");
    check(draft, written, await openProgram(written.model.file));
  } catch (error) {
    if (error instanceof Refusal) draft.check(error.check, false, error.message);
    else if (untouched || !(error instanceof InputError)) throw error;
    else draft.check("readable", false, error.message);
  }
  return draft.done();
}

function check(draft: VerificationDraft, written: WrittenCertificate | WrittenSolution, program: Program): void {
  const hash = programHash(program);
  const size = `${some(program.columns.length, "column")}, ${some(program.rows.length, "row")}`;
  if (written.model.sha256 !== hash) {
    throw new Refusal("model", `made for another model: hash ${written.model.sha256}, this one (${size}) has ${hash}`);
  }
  draft.check("model", true, `the one that the file was made for: ${size}`);
  draft.steps.next("the point");
  const gap = refusing("request", () => askedGap(written.request.gap));
  const isSolution = written.kind === "solution";
  const point = refusing("point", () => pointByName(isSolution ? written.variables : written.point, program));
  const ray = isSolution ? refusing("ray", () => pointByName(written.ray, program)) : null;
  if (isSolution && written.certificateFile !== null) {
    throw new Refusal("certificate", `it is in a file of its own, ${written.certificateFile}: verify that`);
  }
  const certificate = refusing("certificate", () => certificateIn(written));
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
  draft.steps.next("all other numbers");
  compare(draft, written, expectedFile(written, { program, outcome, point, ray, certificate }), outcome);
}

function certificateIn({ certificate }: WrittenCertificate | WrittenSolution): Certificate | null {
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
  const { model, request } = written;
  const { certificate } = parts;
  if (written.kind === "solution") {
    const { notes, reason, claims, contradictions, nodes } = written;
    const passedOn = {
      ...{ request: written.request, reason, claims, contradictions, nodes },
      ...(notes === undefined ? {} : { notes }),
    };
    return assembleSolution({ ...parts, ...passedOn, model, timing: timingOf(written.timing) });
  }
  if (certificate === null) throw new Refusal("certificate", "there is none");
  return assembleCertificate({ ...parts, certificate, model, gap: request.gap });
}

function compare(draft: VerificationDraft, written: object, expected: object, { status }: CheckedOutcome): void {
  // By way of JSON, as the file was. Its digest was looked at before.
  const differences = differencesOf(JSON.parse(JSON.stringify(expected)), written).filter(
    ({ path }) => path !== "digest",
  );
  for (const { path, expected: wanted, found } of differences) draft.differ(path, wanted, found);
  draft.check(
    "numbers",
    differences.length === 0,
    differences.length === 0
      ? `${status}: value, bound and gap follow from what was checked`
      : `${some(differences.length, "field")} ${differences.length === 1 ? "differs" : "differ"} from what was checked`,
  );
}

function provedText(certificate: Certificate | null, { bound, value }: CheckedOutcome): string {
  if (certificate === null) return "none: no bound was proved";
  const size = `${some(certificate.steps.length, "step")}, checked in exact arithmetic`;
  if (bound === null) return `there is no feasible point: ${size}`;
  const words = value?.equals(bound) === true ? "no feasible point is better than" : "proved bound";
  return `${words} ${bound.toString()}: ${size}`;
}
