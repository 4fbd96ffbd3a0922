import type { Rational } from "../../../exact/rational.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import { claimedGap } from "../../../plan-file/claim.js";
import { contentsOf } from "../../../program/contents.js";
import type { Program } from "../../../program/program.js";
import type { Certificate } from "../../../proof/certificate.js";
import { byName } from "./certificate-file.js";
import { exactNumber, nearestNumber } from "./exact-number.js";
import { type CheckedOutcome, dialectField, objectiveOf } from "./outcome.js";
import type { ProgramReference, ProgramSolution, ReadingBeside, SolverWord } from "./schema.js";

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
