import { InputError } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import { AssignmentError } from "../../instance/types/assignment.js";
import { askedGap } from "../../plan-file/asked-gap.js";
import type { PlanSource } from "../../plan-file/original-plan.js";
import { evaluate } from "../../program/evaluate.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import { type Certificate, CertificateError, readCertificate } from "../../proof/certificate.js";
import { InfeasiblePointError, relativeGap } from "../../proof/verdict.js";
import { ViprUnsupportedError, writeVipr } from "../../vipr/write.js";
import type { ProofReader, ProvedProgram } from "../proved-program.js";
import { Refusal } from "../verification/refusal.js";

export interface ViprOptions {
  /** Proves a program to a relative gap where VIPR has no words for its certificate; without it such plans are refused. */
  readonly solve?: (program: Program, gap: number, timeLimitSeconds: number) => Promise<Certificate | null>;
  /** For each of writing and proving anew; default 60. */
  readonly timeLimitSeconds?: number;
  /** Told before a program is proved anew, with what VIPR has no words for. */
  readonly onAnew?: (why: string) => void;
}

/**
 * The proof of a plan file as VIPR's. Where the certificate has steps that VIPR has no words for, its program is proved anew, by
 * branching and multipliers alone, to the gap that the plan asked for; the file says so in a comment.
 *
 * Throws `InputError` where the plan has no certificate or one that does not hold, and where that takes longer than the limit.
 */
export async function viprText(read: ProofReader, source: PlanSource, options: ViprOptions = {}): Promise<string> {
  const { file } = source;
  try {
    const proved = await read(source);
    const { program, certificate, point, comment } = proved;
    const head = comment === undefined ? "" : `% ${comment}\n`;
    const written = attempt(() => {
      if (certificate === null)
        throw new ViprUnsupportedError("its certificate speaks of sets, not of columns of a program");
      return writeVipr(program, readCertificate(certificate), point, deadlineOf(options));
    });
    if (written.text !== null) return head + written.text;
    if (options.solve !== undefined) options.onAnew?.(written.why);
    return `${head}% proved anew: ${written.why}\n${await anew(proved, written.why, file, options)}`;
  } catch (error) {
    if (error instanceof TooLong) {
      const advice = "give --time-limit more, or have `verify` check it as it is";
      throw new InputError(`the proof as VIPR takes longer to be written than ${error.seconds} s; ${advice}`, file);
    }
    if (ABOUT_THE_PLAN.some((kind) => error instanceof kind)) {
      throw new InputError(
        `expected a plan that verifies, received one that does not: ${(error as Error).message}`,
        file,
      );
    }
    throw error;
  }
}

/** What a plan that does not verify makes the checked parts throw. */
const ABOUT_THE_PLAN = [CertificateError, InfeasiblePointError, AssignmentError, Refusal, RangeError, SyntaxError];

/** Large programs have lines of as many terms, and as many of them. */
class TooLong extends Error {
  override readonly name = "TooLong";
  readonly seconds: number;

  constructor(seconds: number) {
    super(`over ${seconds} s`);
    this.seconds = seconds;
  }
}

/** What throws {@link TooLong} once the limit is over, from now on. */
function deadlineOf({ timeLimitSeconds = SECONDS }: ViprOptions): () => void {
  const end = performance.now() + 1000 * timeLimitSeconds;
  return () => {
    if (performance.now() > end) throw new TooLong(timeLimitSeconds);
  };
}

const SECONDS = 60;

type Attempt = { readonly text: string } | { readonly text: null; readonly why: string };

function attempt(write: () => string): Attempt {
  try {
    return { text: write() };
  } catch (error) {
    if (error instanceof ViprUnsupportedError) return { text: null, why: error.message };
    throw error;
  }
}

async function anew(
  { program, point, gap, proveAnew }: ProvedProgram,
  why: string,
  file: string,
  options: ViprOptions,
): Promise<string> {
  const { timeLimitSeconds = SECONDS, solve } = options;
  const cannot = `the proof cannot be written as VIPR: ${why}`;
  if (solve === undefined) throw new InputError(`${cannot}; \`export --to vipr\` proves its program anew`, file);
  const certificate = await (proveAnew?.(timeLimitSeconds) ?? solve(program, gap, timeLimitSeconds));
  const refuse = (what: string) => new InputError(`${cannot}; and its program, proved anew, ${what}`, file);
  if (certificate === null || !isWhole(program, certificate, point, gap)) {
    const advice = "give --time-limit more, or have `verify` check it as it is";
    throw refuse(`was not settled within ${timeLimitSeconds} s; ${advice}`);
  }
  const written = attempt(() =>
    writeVipr(program, { ...certificate, program: programHash(program) }, point, deadlineOf(options)),
  );
  if (written.text === null) throw refuse(`has no words either: ${written.why}; \`verify\` checks it as it is`);
  return written.text;
}

/** Whether a certificate says of a plan what was asked for; that it holds is for the writer to check. */
function isWhole(program: Program, { claim }: Certificate, point: readonly Rational[] | null, gap: number): boolean {
  if (point === null || claim.kind === "infeasible") return point === null && claim.kind === "infeasible";
  return relativeGap(evaluate(program, point).objective, Rational.parse(claim.bound)).compare(askedGap(gap)) <= 0;
}
