import { type SolvedProgram, solveProgram } from "../../src/problems/program/solve/solve-program.js";
import { evaluate } from "../../src/program/evaluate.js";
import { programHash } from "../../src/program/hash.js";
import { readLp } from "../../src/program/lp/read.js";
import { writeLp } from "../../src/program/lp/write.js";
import { readMps } from "../../src/program/mps/read.js";
import { writeMps } from "../../src/program/mps/write.js";
import type { Program } from "../../src/program/program.js";
import { type Certificate, readCertificate } from "../../src/proof/certificate.js";
import { checkCertificate } from "../../src/proof/check.js";
import { checkVipr } from "../../src/vipr/check.js";
import { ViprUnsupportedError, writeVipr } from "../../src/vipr/write.js";
import type { Case } from "./case.js";
import { seekBetter } from "./oracle/better-point.js";

/** What came of one program. `unconfirmed`: proved, and the witness ran out of nodes before it could contradict. */
export interface Outcome {
  readonly kind: "proved" | "infeasible" | "unbounded" | "unfinished" | "wrong";
  readonly unconfirmed: boolean;
  /** There is a certificate, with a step that the VIPR writer has no words for. */
  readonly isUnwritten?: boolean;
  /** For a wrong answer: what was said and what is true, with the program. */
  readonly report: string;
}

const MAX_WITNESS_NODES = 20_000;

/** Solves a program to gap 0 and confronts the answer with its witness. */
export async function tryCase(one: Case, timeLimitSeconds: number): Promise<Outcome> {
  const solved = await solveProgram(one.program, { timeLimitSeconds }).catch((error: unknown) => String(error));
  const outcome = confronted(one, solved);
  if (typeof solved === "string" || outcome.kind === "wrong") return outcome;
  const writing = writtenWrongly(one.program, solved);
  if (writing === "no words") return { ...outcome, isUnwritten: true };
  return writing === null ? outcome : wrongAnswer(one.program, outcome.kind, writing);
}

function wrongAnswer(program: Program, said: string, why: string): Outcome {
  return { kind: "wrong", unconfirmed: false, report: `${said}: ${why}\n${writeLp(program)}` };
}

/** The answer beside what the witness knows. */
function confronted({ program, witness }: Case, solved: SolvedProgram | string): Outcome {
  let said = "";
  const wrong = (why: string) => wrongAnswer(program, said, why);
  // An error is a wrong answer too: most of all a certificate of ours that our checker refuses.
  if (typeof solved === "string") return wrong(solved);
  const { outcome, point } = solved;
  const { status, value, bound } = outcome;
  said = `${status} ${value}`;
  if (status === "feasible" || status === "unknown") return { kind: "unfinished", unconfirmed: false, report: "" };
  if (status === "proved") {
    if (value === null || bound === null || point === null) return wrong("proved without a point or a bound");
    const evaluation = evaluate(program, point);
    if (evaluation.violations.length > 0) return wrong("the point is not feasible");
    if (!evaluation.objective.equals(value)) return wrong(`the point's objective is ${evaluation.objective}`);
    if (!bound.equals(value)) return wrong(`gap 0 was asked for, the bound is ${bound}`);
  }
  if (witness.kind === "unbounded" || status === "unbounded") {
    return witness.kind === status ? { kind: status, unconfirmed: false, report: "" } : wrong(`it is ${witness.kind}`);
  }
  if (witness.kind === "truth") {
    const { truth } = witness;
    if (truth.status === "infeasible") {
      if (status !== "infeasible") return wrong("the program is infeasible");
    } else if (value === null || !truth.value.equals(value)) return wrong(`the optimum is ${truth.value}`);
    return { kind: status, unconfirmed: false, report: "" };
  }
  const found = seekBetter(program, value, MAX_WITNESS_NODES);
  if (found === "unknown" || found === null) return { kind: status, unconfirmed: found !== null, report: "" };
  return wrong(`this point is better: ${found.join(", ")}`);
}

/**
 * What does not come back from a file as it was: the program from MPS and LP, the certificate from JSON, what it proves from
 * VIPR. `null` where all does, `"no words"` where VIPR has none for a step; an error is a fault as well.
 */
function writtenWrongly(program: Program, { certificate, point }: SolvedProgram): string | null {
  try {
    if (programHash(readLp(writeLp(program))) !== programHash(program)) return "another program comes back from LP";
    if (programHash(readMps(writeMps(program))) !== programHash(program)) return "another program comes back from MPS";
    if (certificate === null) return null;
    const read = readCertificate(JSON.parse(JSON.stringify(certificate)));
    const { bound } = checkCertificate(program, read);
    const isInfeasible = certificate.claim.kind === "infeasible";
    if ((bound === null) !== isInfeasible) return `the certificate proves ${bound} when it is read again`;
    return isInfeasible || point !== null ? wrongInVipr(program, certificate, point) : null;
  } catch (error) {
    return `written and read again: ${error}`;
  }
}

/** Steps that VIPR has no rule for apart, every certificate is written, and proves the same there. */
function wrongInVipr(program: Program, certificate: Certificate, point: SolvedProgram["point"]): string | null {
  try {
    checkVipr(writeVipr(program, certificate, point));
    return null;
  } catch (error) {
    return error instanceof ViprUnsupportedError ? "no words" : `VIPR: ${error}`;
  }
}
