import { constants } from "node:buffer";
import { InputError } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import { MAX_TEXT_BYTES } from "../../input/limits.js";
import { AssignmentError } from "../../instance/types/assignment.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import type { PlanSource } from "../../plan-file/original-plan.js";
import { evaluate } from "../../program/evaluate.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import { type Certificate, CertificateError, readCertificate } from "../../proof/certificate.js";
import { InfeasiblePointError, relativeGap } from "../../proof/verdict.js";
import { bytes, some } from "../../text/units.js";
import { ViprUnsupportedError, writeVipr } from "../../vipr/write.js";
import type { NamedProofs, ProofReader, ProvedProgram } from "../proved-program.js";
import { Refusal } from "../verification/refusal.js";

/** No string of V8's has more characters, and those of a proof are ASCII. */
const LONGEST_TEXT = constants.MAX_STRING_LENGTH;

/** What writing a certificate may take of the time, before its program is proved anew. */
const WRITING_SHARE = 0.7;

export interface ViprOptions {
  /** Proves a program to a relative gap where VIPR has no words for its certificate; without it such plans are refused. */
  readonly solve?: (program: Program, gap: number, timeLimitSeconds: number) => Promise<Certificate | null>;
  /** For writing and proving anew together; default 60. */
  readonly timeLimitSeconds?: number;
  /** Of what is written; by default what `verify` reads at most. */
  readonly sizeLimitBytes?: number;
  /** Which of the plan's proofs; by default that of the file's own certificate. */
  readonly proof?: string;
  /** Told the name of the one that is written, and of all, where there are several. */
  readonly onNamed?: (name: string, all: readonly string[]) => void;
  /** Told before a program is proved anew, with what VIPR has no words for. */
  readonly onAnew?: (why: string) => void;
}

/**
 * The proof of a plan file as VIPR's. Where the certificate has steps that VIPR has no words for, its program is proved anew, by
 * branching and multipliers alone, to the gap that the plan asked for; the file says so in a comment.
 *
 * Throws `InputError` where the plan has no certificate or one that does not hold, and beyond a limit.
 */
export async function viprText(read: ProofReader, source: PlanSource, options: ViprOptions = {}): Promise<string> {
  const { timeLimitSeconds = 60, sizeLimitBytes = MAX_TEXT_BYTES } = options;
  const { file } = source;
  const end = performance.now() + 1000 * timeLimitSeconds;
  const most = Math.min(sizeLimitBytes, LONGEST_TEXT);
  /** Of writing what is there: blocks that are branched out may take far longer than a proof made anew. */
  const firstEnd = end - 1000 * (1 - WRITING_SHARE) * timeLimitSeconds;
  const onFirstLine = (lines: number, size: number): void => {
    onLine(lines, size);
    if (performance.now() < firstEnd) return;
    const soFar = `${some(lines, "line")} of ${bytes(size)} so far`;
    throw new ViprUnsupportedError(`it takes too long to be written out as it is (${soFar})`);
  };
  const onLine = (lines: number, size: number): void => {
    const isLarger = size > most;
    if (!isLarger && performance.now() < end) return;
    const over = isLarger ? `is larger than ${bytes(most)}` : `takes longer to be written than ${timeLimitSeconds} s`;
    const limit = isLarger ? "size" : "time";
    const more =
      isLarger && most < sizeLimitBytes ? `no text is longer; ${ADVICE}` : `give --${limit}-limit more, or ${ADVICE}`;
    throw new InputError(`the proof as VIPR ${over}; ${more} (${some(lines, "line")} of ${bytes(size)} so far)`, file);
  };
  try {
    const { proved, name } = proofNamed(await read(source), options, file);
    const { program, certificate, point, comment } = proved;
    const written = attempt(() => {
      if (certificate === null)
        throw new ViprUnsupportedError("its certificate speaks of sets, not of columns of a program");
      return writeVipr(program, readCertificate(certificate), point, onFirstLine);
    });
    const head = [name, comment].map((line) => (line === undefined ? "" : `% ${line}\n`)).join("");
    if (written.text !== null) return head + written.text;
    const { why } = written;
    const refuse = (what: string) => new InputError(`the proof cannot be written as VIPR: ${why}; ${what}`, file);
    if (options.solve === undefined) throw refuse("`export --to vipr` proves its program anew");
    options.onAnew?.(why);
    const left = Math.max(1e-6, (end - performance.now()) / 1000);
    const found = await (proved.proveAnew?.(left) ?? options.solve(program, proved.gap, left));
    if (found === null || !isWhole(proved, found)) {
      const unsettled = `was not settled within ${timeLimitSeconds} s; give --time-limit more, or ${ADVICE}`;
      throw refuse(`and its program, proved anew, ${unsettled}`);
    }
    const again = attempt(() => writeVipr(program, { ...found, program: programHash(program) }, point, onLine));
    if (again.text === null) throw refuse(`and its program, proved anew, has no words either: ${again.why}; ${ADVICE}`);
    return `${head}% proved anew: ${why}\n${again.text}`;
  } catch (error) {
    if (!ABOUT_THE_PLAN.some((kind) => error instanceof kind)) throw error;
    const { message } = error as Error;
    throw new InputError(`expected a plan that verifies, received one that does not: ${message}`, file);
  }
}

/** One of several proofs has its name in the file. */
function proofNamed(
  proofs: NamedProofs,
  { proof, onNamed }: ViprOptions,
  file: string,
): { readonly proved: ProvedProgram; readonly name?: string } {
  const all = [...proofs.keys()];
  const name = proof ?? (all[0] as string);
  const make = proofs.get(name);
  if (make === undefined) {
    const received = `received ${JSON.stringify(name)} for one with ${all.join(", ")}`;
    throw new InputError(`expected a plan with the proof that --proof names, ${received}; name one of these`, file);
  }
  if (all.length === 1) return { proved: make() };
  if (proof === undefined) onNamed?.(name, all);
  return { proved: make(), name: `the proof ${name} of a plan with ${all.join(", ")}` };
}

const ADVICE = "have `verify` check it as it is";

/** What a plan that does not verify makes the checked parts throw. */
const ABOUT_THE_PLAN = [CertificateError, InfeasiblePointError, AssignmentError, Refusal, RangeError, SyntaxError];

type Attempt = { readonly text: string } | { readonly text: null; readonly why: string };

function attempt(write: () => string): Attempt {
  try {
    return { text: write() };
  } catch (error) {
    if (error instanceof ViprUnsupportedError) return { text: null, why: error.message };
    throw error;
  }
}

/** Whether a certificate says of a plan what was asked for; that it holds is for the writer to check. */
function isWhole({ program, point, gap }: ProvedProgram, { claim }: Certificate): boolean {
  if (point === null || claim.kind === "infeasible") return point === null && claim.kind === "infeasible";
  return relativeGap(evaluate(program, point).objective, Rational.parse(claim.bound)).compare(askedGap(gap)) <= 0;
}
