import type { Rational } from "../../../exact/rational.js";
import { contentsOf, type ProgramContents } from "../../../program/contents.js";
import type { Program } from "../../../program/program.js";
import type { Note } from "../../../program/reading/notes.js";
import type { Certificate } from "../../../proof/certificate.js";
import { planDigest } from "../../plan-file/canonical-json.js";
import { claimedGap } from "../../plan-file/claim.js";
import { byName } from "./certificate-file.js";
import { exactNumber, nearestNumber } from "./exact-number.js";
import {
  type CheckedOutcome,
  dialectField,
  objectiveOf,
  type ProgramObjective,
  type ProgramReference,
  type ProgramStatus,
} from "./outcome.js";

/** What a program file holds. */
export interface ProgramModel extends ProgramReference {
  readonly sense: "minimize" | "maximize";
  readonly columns: number;
  readonly integerColumns: number;
  readonly rows: number;
  /** Coefficients of the rows other than zero. */
  readonly nonZeros: number;
  /** Files written before this was added are without. */
  readonly contents?: ProgramContents;
}

export interface SolutionRequest {
  /** Relative gap to prove. */
  readonly gap: number;
  readonly timeLimitSeconds: number;
  readonly seed: number;
  /** The solver that is asked for a first point. */
  readonly solver: string;
}

/** What a solver said of the program: its word, not a proof. */
export interface SolverWord {
  readonly solver: string;
  /** `failed` where it gave no answer; `failure` says why. */
  readonly status: string;
  readonly value: number | null;
  readonly bound: number | null;
  readonly failure: string | null;
}

/** Whether another solver reads the same program from the file. */
export interface ReadingBeside {
  /** `unread`: it cannot read the file, or does not say what it read. */
  readonly status: "same" | "different" | "unread";
  /** The first row or column that differs, or why it was not read. */
  readonly detail: string | null;
}

export interface WordBeside extends SolverWord {
  /** What it makes of the file itself. Files written before this was added are without. */
  readonly reading?: ReadingBeside;
  /** Relative, between its own value and bound. */
  readonly gap: number | null;
}

/** Wall-clock seconds. */
export interface SolutionTiming {
  readonly readSeconds: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
  readonly totalSeconds: number;
  /** What the solver beside took of the same time; only where there was one. */
  readonly besideSeconds?: number;
}

/**
 * What solving a program file comes to: the JSON of `shardproof solve`.
 *
 * `objective.value` is evaluated at the point and `objective.bound` derived from the certificate, both in exact
 * arithmetic; `exact` has the same as fractions.
 */
export interface ProgramSolution {
  readonly shardproof: 1;
  readonly kind: "solution";
  readonly status: ProgramStatus;
  readonly model: ProgramModel;
  readonly request: SolutionRequest;
  readonly objective: ProgramObjective;
  readonly exact: { readonly value: string | null; readonly bound: string | null };
  /** By column name: a number where a double is exactly that, else the exact text (`"1/3"`). */
  readonly variables: Readonly<Record<string, number | string>> | null;
  /** The nearest double of each variable, where readers want numbers alone. Files written before this was added are without. */
  readonly approx?: Readonly<Record<string, number | string>>;
  /** With status `unbounded`: from the point given, adding any multiple of this (by column name) stays feasible and improves. */
  readonly ray: Readonly<Record<string, number | string>> | null;
  /** What the reader of the model had to say, line by line. Files written before this was added are without. */
  readonly notes?: readonly (string | (Omit<Note, "code"> & { readonly code: string }))[];
  /** Why nothing better is known, in words; `null` where the answer is complete. */
  readonly reason: string | null;
  /** What solvers said, where any was asked. */
  readonly claims: readonly SolverWord[];
  /** What a solver said that was given the whole program and the same time beside ours, where one was. */
  readonly beside?: WordBeside;
  /** Where solvers contradict what was proved, or one another, in words. */
  readonly contradictions: readonly string[];
  readonly nodes: number;
  /** The size of the certificate. */
  readonly proof: { readonly steps: number; readonly branchings: number } | null;
  /** The proof of the bound; `null` where there is none, or where it was written to a file of its own. */
  readonly certificate: Certificate | null;
  /** Where the certificate was written instead. */
  readonly certificateFile: string | null;
  readonly timing: SolutionTiming;
  /** SHA-256 of the canonical JSON without `timing` and this field. */
  readonly digest: string;
}

/** Everything that a solution is computed from; the fields that follow from nothing else are passed on as they are. */
export interface SolutionParts
  extends Pick<
    ProgramSolution,
    "request" | "notes" | "reason" | "claims" | "beside" | "contradictions" | "nodes" | "timing"
  > {
  readonly model: ProgramReference;
  readonly program: Program;
  readonly certificate: Certificate | null;
  readonly outcome: CheckedOutcome;
  /** One rational per column. */
  readonly point: readonly Rational[] | null;
  readonly ray: readonly Rational[] | null;
  /** Whether the nearest doubles of the variables are told too: files of 0.4.0 are without. */
  readonly withApprox: boolean;
}

/** The solution that follows from its parts; a pure function, so that a verifier can compute it again. */
export function assembleSolution(parts: SolutionParts): ProgramSolution {
  const { model, program, outcome, point, ray, certificate } = parts;
  const { name, sha256, file } = model;
  const solution: Omit<ProgramSolution, "digest"> = {
    shardproof: 1,
    kind: "solution",
    status: outcome.status,
    model: {
      ...{ name, sha256, file },
      ...dialectField(model.dialect),
      sense: program.objective.sense,
      columns: program.columns.length,
      integerColumns: program.columns.filter(({ integer }) => integer).length,
      rows: program.rows.length,
      nonZeros: program.rows.reduce((sum, { form }) => sum + form.columns.length, 0),
      ...(parts.notes === undefined ? {} : { contents: contentsOf(program) }),
    },
    ...(parts.notes === undefined ? {} : { notes: parts.notes }),
    request: parts.request,
    objective: objectiveOf(outcome, program),
    exact: { value: outcome.value?.toString() ?? null, bound: outcome.bound?.toString() ?? null },
    variables: point === null ? null : byName(program, point, exactNumber),
    ...(parts.withApprox && point !== null ? { approx: byName(program, point, nearestNumber) } : {}),
    ray: ray === null ? null : byName(program, ray, exactNumber),
    reason: parts.reason,
    claims: parts.claims,
    ...(parts.beside === undefined ? {} : { beside: parts.beside }),
    contradictions: parts.contradictions,
    nodes: parts.nodes,
    proof: certificate === null ? null : sizeOf(certificate),
    certificate,
    certificateFile: null,
    timing: parts.timing,
  };
  return { ...solution, digest: planDigest(solution) };
}

/** The solution with its certificate left out, because it was written to a file of its own. */
export function withCertificateIn(certificateFile: string, solution: ProgramSolution): ProgramSolution {
  const moved = { ...solution, certificate: null, certificateFile };
  return { ...moved, digest: planDigest(moved) };
}

/** The solution with what another solver said of the same program; `found` are contradictions to what was proved. */
export function withBeside(
  word: SolverWord,
  seconds: number,
  found: readonly string[],
  { digest: _, ...solution }: ProgramSolution,
  reading?: ReadingBeside,
): ProgramSolution {
  const { contradictions, timing } = solution;
  const all = {
    ...solution,
    beside: { ...word, gap: claimedGap(word), ...(reading === undefined ? {} : { reading }) },
    contradictions: [...contradictions, ...found.filter((text) => !contradictions.includes(text))],
    timing: { ...timing, besideSeconds: Math.round(seconds * 1000) / 1000 },
  };
  return { ...all, digest: planDigest(all) };
}

function sizeOf({ steps }: Certificate): NonNullable<ProgramSolution["proof"]> {
  return { steps: steps.length, branchings: steps.filter((step) => "branch" in step).length };
}
