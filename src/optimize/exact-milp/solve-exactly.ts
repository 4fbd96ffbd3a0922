import { performance } from "node:perf_hooks";
import { Rational } from "../../exact/rational.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import type { Certificate } from "../../proof/certificate.js";
import { type LatticeBasis, originalPoint, reformulate, reformulatedPoint } from "../../proof/reformulate.js";
import { Verdict } from "../../proof/verdict.js";
import { Incumbent } from "../branch-and-bound/incumbent.js";
import { branchAndBound, type Progress, type SearchResult } from "../branch-and-bound/search.js";
import { SearchSpace } from "../branch-and-bound/space.js";
import { type Asked, askSolver, contradictions, offerClaim } from "./claims.js";
import { withRelaxation } from "./lp-relaxation.js";
import { reducedBasis } from "./reduced-basis.js";

export interface ExactOptions {
  /** Relative gap to prove; 0 (the default) asks for the exact optimum. */
  readonly gap?: Rational;
  /** Default 60. */
  readonly timeLimitSeconds?: number;
  /** The solver that is asked for a first point where the tree does not close at once: see `openSolver`. */
  readonly solver?: string;
  /** Seed of that solver's random numbers; default 0. */
  readonly seed?: number;
  readonly shouldStop?: () => boolean;
  readonly onProgress?: (progress: Progress) => void;
}

/** What is known of a program in the end. */
export interface ExactSolution {
  /**
   * `null` when nothing could be proved: no bound (an unbounded relaxation, or integers that no row bounds), or no
   * feasible point within the limits.
   */
  readonly verdict: Verdict | null;
  /** Present with a verdict; and without one when a bound was proved and no point found. */
  readonly certificate: Certificate | null;
  /** The best exactly feasible point known, one rational per column. */
  readonly point: readonly Rational[] | null;
  /** What solvers were asked and said; only where the tree did not close at once. */
  readonly asked: readonly Asked[];
  /** Where solvers contradict what was proved, or one another, in words. */
  readonly contradictions: readonly string[];
  readonly nodes: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
}

/** Nodes before a solver is asked for a point: what closes within them is faster than a solver's start. */
const FIRST_NODES = 150;

/** Nodes in a reduced basis of the integer lattice before the columns as they are get the rest of the time. */
const THIN_NODES = 20_000;

/** Above this many integer columns the reduction itself takes too long, and few directions are thin. */
const MOST_THIN_COLUMNS = 12;

/**
 * Solves a mixed-integer program to proved optimality: branch and bound over linear relaxations in floating point, every
 * node closed in exact arithmetic, the certificate checked at the end. Solvers' answers to the whole program are used
 * as a source of points, and compared with what was proved.
 *
 * Throws `SolverError` where the program's numbers are beyond doubles altogether.
 */
export async function solveExactly(program: Program, options: ExactOptions = {}): Promise<ExactSolution> {
  const started = performance.now();
  const seconds = options.timeLimitSeconds ?? 60;
  const deadline = started + seconds * 1000;
  const shouldStop = () => performance.now() > deadline || options.shouldStop?.() === true;
  const gap = options.gap ?? Rational.zero;
  const incumbent = new Incumbent(program);
  const asked: Asked[] = [];
  const search = (target: Program, known: Incumbent, maxNodes: number): Promise<SearchResult> =>
    withRelaxation(target, shouldStop, (open) =>
      branchAndBound(SearchSpace.of(target), known, open, {
        gap,
        maxNodes,
        shouldStop,
        propagate: true,
        ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      }),
    );
  const ask = (name: string, timeLimitSeconds: number) =>
    askSolver(name, program, { timeLimitSeconds, seed: options.seed ?? 0 }, () => options.shouldStop?.() === true);
  let result = await search(program, incumbent, FIRST_NODES);
  let nodes = result.nodes;
  let basis: LatticeBasis | null = null;
  if (!result.complete && !shouldStop()) {
    basis = thinBasis(program);
    if (basis !== null) {
      const other = reformulate(program, basis);
      const known = new Incumbent(other);
      if (incumbent.point !== null) known.offer(reformulatedPoint(program, basis, incumbent.point));
      const thin = await search(other, known, THIN_NODES);
      nodes += thin.nodes;
      if (known.point !== null) incumbent.offer(originalPoint(program, basis, known.point));
      if (thin.complete) result = thin;
      else basis = null;
    }
  }
  if (!result.complete && !shouldStop()) {
    const hint = await ask(options.solver ?? "highs", (deadline - performance.now()) / 3000);
    asked.push(hint);
    if ("claim" in hint) offerClaim(program, hint.claim, incumbent, shouldStop);
    const whole = await search(program, incumbent, Number.POSITIVE_INFINITY);
    nodes += whole.nodes;
    // Stopped early, the second search may have proved less than the first.
    if (whole.complete || isAtLeast(whole.bound, result.bound)) result = whole;
  }
  if (!result.complete && options.shouldStop?.() !== true) {
    // The guard: what HiGHS and the solver asked for say of a program that could not be settled is compared.
    for (const name of new Set([options.solver ?? "highs", "highs"])) {
      if (asked.some(({ solver }) => solver === name)) continue;
      const other = await ask(name, Math.min(5, seconds / 4));
      asked.push(other);
      if ("claim" in other) offerClaim(program, other.claim, incumbent, shouldStop);
    }
  }
  const searched = performance.now();
  const certificate = certify(program, result, incumbent, basis);
  const { point } = incumbent;
  const provable = certificate !== null && (point !== null) === (certificate.claim.kind === "bound");
  const verdict = provable ? Verdict.of(program, certificate, point, gap) : null;
  const ownSense = (value: Rational | null) =>
    value !== null && program.objective.sense === "maximize" ? value.negate() : value;
  return {
    verdict,
    certificate,
    point,
    asked,
    contradictions: contradictions(program, asked, ownSense(incumbent.value), verdict?.bound ?? null),
    nodes,
    solveSeconds: (searched - started) / 1000,
    proveSeconds: (performance.now() - searched) / 1000,
  };
}

/** The certificate of a search; `null` when its steps prove nothing. */
function certify(
  program: Program,
  result: SearchResult,
  incumbent: Incumbent,
  basis: LatticeBasis | null,
): Certificate | null {
  const maximise = program.objective.sense === "maximize";
  let bound = result.bound;
  const best = incumbent.value;
  if (bound !== null && best !== null && best.compare(bound) < 0) bound = best;
  if (bound === null && (!result.complete || best !== null)) return null;
  return {
    format: "shardproof-certificate 1",
    program: programHash(program),
    claim:
      bound === null
        ? { kind: "infeasible" }
        : { kind: "bound", bound: (maximise ? bound.negate() : bound).toString() },
    ...(basis === null ? {} : { lattice: { matrix: written(basis.matrix), inverse: written(basis.inverse) } }),
    steps: result.steps,
  };
}

function written(matrix: LatticeBasis["matrix"]): string[][] {
  return matrix.map((row) => row.map((entry) => entry.toString()));
}

/** A basis to try where branching on the columns as they are did not end: small programs over integers only. */
function thinBasis(program: Program): LatticeBasis | null {
  const { length } = program.columns.filter(({ integer }) => integer);
  return length >= 2 && length <= MOST_THIN_COLUMNS ? reducedBasis(program) : null;
}

/** Whether one bound of a minimisation says at least as much as another; `null` says nothing. */
function isAtLeast(bound: Rational | null, other: Rational | null): boolean {
  return other === null || (bound !== null && bound.compare(other) >= 0);
}
