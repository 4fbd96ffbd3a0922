import { leastCommonMultiple, Rational } from "../../../exact/rational.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { programHash } from "../../../program/hash.js";
import { linearForm, makeProgram, type Program, type Row } from "../../../program/program.js";
import { isImprovingRay } from "../../../program/ray.js";
import { type Certificate, CertificateError } from "../../../proof/certificate.js";
import { propagate } from "../../../proof/kernel/propagate.js";
import { type Box, type View, viewOf } from "../../../proof/kernel/view.js";
import type { Progress } from "../../../search/branch-and-bound/search.js";
import type { Asked } from "../../../search/exact-milp/claims.js";
import { solveRelaxation } from "../../../search/exact-milp/lp-relaxation.js";
import { type ExactOptions, type ExactSolution, solveExactly } from "../../../search/exact-milp/solve-exactly.js";
import { secondsLeft, type TimeLimit } from "../../../search/time/time-limit.js";
import { type ShouldStop, UNITS_PER_SECOND, Work } from "../../../search/work.js";
import { type CheckedOutcome, checkOutcome, checkUnbounded } from "../answer/outcome.js";

export interface SolveProgramOptions extends TimeLimit {
  /** Relative gap to prove; default 0: the exact optimum. */
  readonly gap?: number;
  /** The solver that is asked for a first point where the tree does not close at once; default `highs`. */
  readonly solver?: string;
  /** Seed of that solver's random numbers; default 0. */
  readonly seed?: number;
  readonly shouldStop?: () => boolean;
  /** What it was that made `shouldStop` say so, in words; `null`: somebody interrupted the search. */
  readonly stopReason?: () => string | null;
  /** Values in the program's own sense. */
  readonly onProgress?: (progress: Progress) => void;
}

/** What is known of a program, and why. */
export interface SolvedProgram {
  readonly outcome: CheckedOutcome;
  /** One rational per column: the best feasible point known. */
  readonly point: readonly Rational[] | null;
  readonly certificate: Certificate | null;
  /** Of an unbounded program: adding any multiple of it to the point stays feasible and improves. */
  readonly ray: readonly Rational[] | null;
  /** Why nothing better is known, in words; `null` where the answer is complete. */
  readonly reason: string | null;
  readonly asked: readonly Asked[];
  readonly contradictions: readonly string[];
  readonly nodes: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
}

/** The most of all work that a solve spends on asking whether the objective is unbounded. */
const RAY_SHARE = 0.1;

/**
 * Solves a program to proved optimality, or says why not: {@link solveExactly}, with unbounded programs told apart, and
 * what could not be settled put into words.
 */
export async function solveProgram(program: Program, options: SolveProgramOptions = {}): Promise<SolvedProgram> {
  const { gap = 0, timeLimitSeconds = 60, solver = "highs", seed = 0, shouldStop = () => false } = options;
  const most = secondsLeft(options);
  const started = performance.now();
  const secondsSince = () => (performance.now() - started) / 1000;
  const asked = askedGap(gap);
  const exact: ExactOptions = { solver, seed, shouldStop, gap: asked };
  const isOver = () => secondsSince() > most || shouldStop();
  const ray = await improvingRay(program, new Work(isOver, RAY_SHARE * timeLimitSeconds * UNITS_PER_SECOND).ask);
  const left = secondsLeft({ timeLimitSeconds: most, spentSeconds: secondsSince() });
  const within = { ...exact, timeLimitSeconds: left, workSeconds: timeLimitSeconds };
  const settled = ray === null ? null : await solveWithRay(program, ray, within);
  if (settled !== null) return { ...settled, solveSeconds: secondsSince() - settled.proveSeconds };
  const solution = await solveExactly(program, { ...within, ...progressOption(program, options) });
  const checking = performance.now();
  const outcome = outcomeOf(program, solution, asked);
  const proveSeconds = solution.proveSeconds + (performance.now() - checking) / 1000;
  const { certificate, point, nodes } = solution;
  const interrupted = shouldStop() ? (options.stopReason?.() ?? "the search was interrupted") : null;
  const ended = { program, outcome, interrupted, isLate: solution.isLate, timeLimitSeconds };
  return {
    outcome,
    point,
    certificate,
    ray: null,
    reason: reasonFor(ended),
    asked: solution.asked,
    contradictions: [...solution.contradictions, ...furtherContradictions(outcome, solution.asked)],
    nodes,
    solveSeconds: secondsSince() - proveSeconds,
    proveSeconds,
  };
}

/** What was checked already, where there is that, so that a long certificate is not walked twice. */
function outcomeOf(
  program: Program,
  { verdict, certificate, checked, point }: ExactSolution,
  gap: Rational,
): CheckedOutcome {
  if (verdict !== null) return verdict;
  if (checked !== null && point === null) return { status: "unknown", value: null, bound: checked.bound, gap: null };
  return checkOutcome(program, certificate, point, gap);
}

/**
 * A program whose objective has a direction to improve in for ever: unbounded if it has a feasible point, infeasible if
 * not. Its objective does not matter for either, and is left out of the search.
 */
async function solveWithRay(
  program: Program,
  ray: readonly Rational[],
  options: ExactOptions,
): Promise<SolvedProgram | null> {
  const objective = { ...program.objective, form: linearForm([]), constant: Rational.zero };
  const solution = await solveExactly({ ...program, objective }, options);
  const { point, nodes, solveSeconds, proveSeconds } = solution;
  const common = { nodes, solveSeconds, proveSeconds, asked: [], contradictions: [] };
  if (point !== null) {
    return {
      ...common,
      outcome: checkUnbounded(program, point, ray),
      point,
      certificate: null,
      ray,
      reason: "the objective improves for ever along the ray",
    };
  }
  const infeasible = solution.verdict?.status === "infeasible" ? solution.certificate : null;
  const certificate = infeasible === null ? null : { ...infeasible, program: programHash(program) };
  const outcome = certificate === null ? null : tryOutcome(program, certificate);
  if (outcome !== null) return { ...common, outcome, point: null, certificate, ray: null, reason: null };
  return {
    ...common,
    outcome: { status: "unknown", value: null, bound: null, gap: null },
    point: null,
    certificate: null,
    ray: null,
    reason: withHint(program, "no bound could be proved: the relaxation is unbounded, and no feasible point was found"),
  };
}

/** `null` where a proof of infeasibility speaks of the objective after all. */
function tryOutcome(program: Program, certificate: Certificate): CheckedOutcome | null {
  try {
    return checkOutcome(program, certificate, null, Rational.zero);
  } catch (error) {
    if (error instanceof CertificateError) return null;
    throw error;
  }
}

function progressOption(
  { objective }: Program,
  { onProgress }: SolveProgramOptions,
): { onProgress?: (progress: Progress) => void } {
  if (onProgress === undefined) return {};
  if (objective.sense === "minimize") return { onProgress };
  const negate = (value: Rational | null) => value?.negate() ?? null;
  return {
    onProgress: (progress) =>
      onProgress({ ...progress, incumbent: negate(progress.incumbent), bound: negate(progress.bound) }),
  };
}

interface Ended {
  readonly program: Program;
  readonly outcome: CheckedOutcome;
  /** By what, in words. */
  readonly interrupted: string | null;
  readonly isLate: boolean;
  readonly timeLimitSeconds: number;
}

function reasonFor({ program, outcome, interrupted, isLate, timeLimitSeconds }: Ended): string | null {
  const { status, value, bound, gap } = outcome;
  if (status === "infeasible") return null;
  if (status !== "feasible" && status !== "unknown") return null;
  const lacks = [
    ...(value === null ? ["no feasible point was found"] : []),
    ...(bound === null ? ["no bound could be proved"] : []),
    ...(gap === null ? [] : ["the gap is wider than asked"]),
  ].join(" and ");
  const ownEnd = isLate
    ? `the time limit of ${timeLimitSeconds} s was reached`
    : "the search came to an end that exact arithmetic could not close";
  const why = interrupted ?? ownEnd;
  const text = `${lacks}, as ${why}`;
  return bound === null || value === null ? withHint(program, text) : text;
}

/** Names the integers that nothing bounds: branching on them may never end. */
function withHint(program: Program, text: string): string {
  const endless = endlessIntegers(program);
  if (endless.length === 0) return text;
  const some = endless.slice(0, 5).map((name) => `"${name}"`);
  const more = endless.length > some.length ? ` and ${endless.length - some.length} more` : "";
  const [are, columns] = endless.length === 1 ? ["is an integer column", "it"] : ["are integer columns", "them"];
  return `${text}; ${some.join(", ")}${more} ${are} that no bound and no single row limits: give ${columns} bounds`;
}

/** What `contradictions` of src/search/exact-milp leaves out: claims beside a proof that there is no point, or no end. */
export function furtherContradictions({ status, value, bound }: CheckedOutcome, asked: readonly Asked[]): string[] {
  return asked.flatMap((answer) => {
    if (!("claim" in answer)) return [];
    const { solver, claim } = answer;
    if (status === "infeasible" && (claim.status === "optimal" || claim.status === "feasible")) {
      return [`${solver} claims a feasible point of value ${claim.primalBound}; that there is none was proved`];
    }
    if (claim.status === "unbounded" && value !== null && bound !== null) {
      return [`${solver} claims that the objective is unbounded; the bound ${bound.toNumber()} was proved`];
    }
    return [];
  });
}

/**
 * A direction in which a feasible point can go for ever and improve all the way: integers, one per column. From any
 * feasible point of a program with rational data, mixed-integer or not, it shows that the objective is unbounded.
 * `null`: there is none, or none was found before `shouldStop`.
 *
 * The direction solves the linear program over the recession cone, cut off by a box (Schrijver 1986, section 8.2).
 */
export async function improvingRay(program: Program, shouldStop: ShouldStop): Promise<readonly Rational[] | null> {
  if (!mayImproveForEver(program)) return null;
  const cone = recessionCone(program);
  const answer = await solveRelaxation(cone, viewOf(cone).box, shouldStop);
  if (answer === null || answer.kind !== "optimal") return null;
  const direction = answer.point;
  let denominator = 1n;
  for (const { denominator: other } of direction) denominator = leastCommonMultiple(denominator, other);
  const ray = direction.map((value) => value.multiply(Rational.of(denominator)));
  return isImprovingRay(program, ray) ? ray : null;
}

/** The integer columns that neither a bound nor, alone, a row keeps from growing for ever. */
export function endlessIntegers(program: Program): readonly string[] {
  const narrowed = narrow(program);
  if (narrowed === null) return [];
  const { lower, upper } = narrowed.box;
  return program.columns.flatMap(({ name, integer }, j) =>
    integer && ((lower[j] ?? null) === null || (upper[j] ?? null) === null) ? [name] : [],
  );
}

/** Rows often bound what the columns' own bounds leave open; then there is nothing to look for. */
function mayImproveForEver(program: Program): boolean {
  const narrowed = narrow(program);
  if (narrowed === null) return false;
  const { view, box } = narrowed;
  return view.objective.columns.some((j, k) => {
    const wanted = (view.objective.coefficients[k] as bigint) > 0n ? box.lower[j] : box.upper[j];
    return (wanted ?? null) === null;
  });
}

/** The program's box after bound propagation; `null` where that shows it infeasible. */
function narrow(program: Program): { view: View; box: Box } | null {
  const { view, box } = viewOf(program);
  return propagate(view, box, () => {}) ? { view, box } : null;
}

function recessionCone(program: Program): Program {
  const zero = (side: Rational | null) => (side === null ? null : Rational.zero);
  return makeProgram({
    columns: program.columns.map(({ name, lower, upper }) => ({
      name,
      lower: lower === null ? Rational.one.negate() : Rational.zero,
      upper: upper === null ? Rational.one : Rational.zero,
      integer: false,
    })),
    rows: program.rows.map((row): Row => ({ ...row, lower: zero(row.lower), upper: zero(row.upper) })),
    objective: { ...program.objective, constant: Rational.zero },
  });
}
