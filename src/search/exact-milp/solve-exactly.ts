import { Rational } from "../../exact/rational.js";
import { programHash } from "../../program/hash.js";
import type { Program } from "../../program/program.js";
import { type Certificate, orNull, type Step } from "../../proof/certificate.js";
import { type CheckedCertificate, checkCertificate } from "../../proof/check.js";
import { lagrangianBound } from "../../proof/kernel/bound.js";
import { propagate } from "../../proof/kernel/propagate.js";
import { type LatticeBasis, originalPoint, reformulate, reformulatedPoint } from "../../proof/kernel/reformulate.js";
import { Verdict } from "../../proof/verdict.js";
import { Incumbent } from "../branch-and-bound/incumbent.js";
import { branchAndBound, type Progress, type SearchResult, type SettledRoot } from "../branch-and-bound/search.js";
import { SearchSpace } from "../branch-and-bound/space.js";
import { TimeBudget } from "../time/time-budget.js";
import { UNITS_PER_SECOND, Work } from "../work.js";
import { type Asked, askSolver, contradictions, offerClaim } from "./claims.js";
import { withRelaxation } from "./lp-relaxation.js";
import { solveOneRow } from "./one-row.js";
import { crossedRows } from "./parallel-rows.js";
import { reducedBasis } from "./reduced-basis.js";

export interface ExactOptions {
  /** Relative gap to prove; 0 (the default) asks for the exact optimum. */
  readonly gap?: Rational;
  /** For search and checking together; default 60. */
  readonly timeLimitSeconds?: number;
  /** The time limit that work is shared out by, where others took some of it; default the one above. */
  readonly workSeconds?: number;
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
  /** What the checker has found the certificate to prove. */
  readonly checked: CheckedCertificate | null;
  /** The best exactly feasible point known, one rational per column. */
  readonly point: readonly Rational[] | null;
  /** What solvers were asked and said; only where the tree did not close at once. */
  readonly asked: readonly Asked[];
  /** Where solvers contradict what was proved, or one another, in words. */
  readonly contradictions: readonly string[];
  /** The time limit ended the search, or what it proved could not be checked within it. */
  readonly isLate: boolean;
  readonly nodes: number;
  readonly solveSeconds: number;
  readonly proveSeconds: number;
}

/** Units of work before a solver is asked for a point: what closes within them is faster than a solver's start. */
const FIRST_UNITS = 50;

/**
 * The same in nodes, all rounds of cuts before them, where more columns than this share are continuous: cuts cannot rest on what
 * a point's value fixes of those, so that they are made before there is one.
 */
const FIRST_NODES = 8;
const MIXED_SHARE = 0.1;

/** Rounds of cuts at the root. */
const CUT_ROUNDS = 20;

/**
 * What a second solver gets of the time limit, where the program could not be settled: a share, and seconds at most. With fewer
 * than the last it is not asked.
 */
const GUARD_SHARE = 0.08;
const MAX_GUARD_SECONDS = 5;
const MIN_GUARD_SECONDS = 0.5;

/** Seconds that completing a solver's point may take when the search is asked to stop. */
const COMPLETING_SECONDS = 1;

/** What the solver that is asked first gets of the work that is left. */
const SOLVER_SHARE = 1 / 3;

/** Nodes in a reduced basis of the integer lattice before the columns as they are get the rest of the time. */
const THIN_NODES = 20_000;

/** From here on points of one row are nearer to each other than doubles tell; below, a tree closes, in words that VIPR has. */
const LARGE = 2n ** 31n;

/** Above this many integer columns the reduction itself takes too long, and few directions are thin. */
const MAX_THIN_COLUMNS = 12;

/**
 * Solves a mixed-integer program to proved optimality: branch and bound over linear relaxations in floating point, every
 * node closed in exact arithmetic, the certificate checked at the end. Solvers' answers to the whole program are used
 * as a source of points, and compared with what was proved.
 *
 * The search ends where what is left of the time limit is needed for checking. Where that takes longer than was foreseen
 * all the same, it is given up, and what the first nodes prove is the answer, or the root alone.
 *
 * Throws `SolverError` where the program's numbers are beyond doubles altogether.
 */
export async function solveExactly(program: Program, options: ExactOptions = {}): Promise<ExactSolution> {
  const seconds = options.timeLimitSeconds ?? 60;
  const budget = new TimeBudget(seconds, options.shouldStop);
  const guardSeconds = Math.min(MAX_GUARD_SECONDS, GUARD_SHARE * seconds);
  const gap = options.gap ?? Rational.zero;
  const incumbent = new Incumbent(program);
  const asked: Asked[] = [];
  const all = UNITS_PER_SECOND * (options.workSeconds ?? seconds);
  const work = new Work(options.shouldStop);
  /** Whether the time that is left is needed for what comes after the search. */
  const shouldStop = (checking = 0) => !budget.affordsChecking(checking, guardSeconds);
  const isOver = (units = 0) => work.ask(units) || shouldStop();
  /** A point that a solver found is completed also once the search is asked to stop, if that is soon done. */
  const completing = (isOver: () => boolean) => {
    const begun = budget.secondsUsed;
    return () => isOver() && budget.secondsUsed > begun + COMPLETING_SECONDS;
  };
  const search = (
    target: Program,
    known: Incumbent,
    { maxNodes = Number.POSITIVE_INFINITY, units = Number.POSITIVE_INFINITY, cutRounds = 0 },
    root: SettledRoot | null = null,
  ): Promise<SearchResult> =>
    withRelaxation(target, isOver, (open) =>
      branchAndBound(SearchSpace.of(target), known, open, {
        gap,
        maxNodes,
        shouldStop: (checking) => work.done >= units || shouldStop(checking),
        // Bounds that rows imply make a linear program longer, not easier.
        propagate: target.columns.some(({ integer }) => integer),
        cutRounds,
        ...(root === null ? {} : { root }),
        ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
      }),
    );
  const ask = (name: string, units: number, timeLimitSeconds: number) =>
    askSolver(name, program, { units, timeLimitSeconds, seed: options.seed ?? 0 }, work);
  let proveSeconds = 0;
  let first: Proved | null = null;
  /** `null` where there is nothing to check, or no time to check it. */
  const check = (result: SearchResult, basis: LatticeBasis | null, isBrief = false): Proved | null => {
    if (result === first?.result) return first;
    const started = budget.secondsUsed;
    const certificate = certify(program, result, incumbent, basis);
    const work = (checkTime?: () => void) => checkCertificate(program, certificate as Certificate, checkTime);
    const checked = certificate && (isBrief ? work() : budget.checked(work));
    proveSeconds += budget.secondsUsed - started;
    return certificate === null || checked === null ? null : { result, certificate, checked };
  };
  const early = crossed(program) ?? oneRow(program, incumbent);
  if (early !== null) first = orNull(() => check(early, null));
  const opening =
    early !== null && first !== null
      ? early
      : await search(program, incumbent, { ...firstLimit(program), cutRounds: CUT_ROUNDS });
  let result = opening;
  let nodes = result.nodes;
  let basis: LatticeBasis | null = null;
  if (!result.complete && !shouldStop()) {
    // What the answer falls back on; and it shows how long checking takes here.
    const before = proveSeconds;
    first = check(result, null);
    if (first !== null) budget.hasChecked(result.checking, proveSeconds - before);
    basis = thinBasis(program);
    if (basis !== null) {
      const other = reformulate(program, basis);
      const known = new Incumbent(other);
      if (incumbent.point !== null) known.offer(reformulatedPoint(program, basis, incumbent.point));
      const thin = await search(other, known, { maxNodes: THIN_NODES });
      nodes += thin.nodes;
      if (known.point !== null) incumbent.offer(originalPoint(program, basis, known.point));
      if (thin.complete) result = thin;
      else basis = null;
    }
  }
  if (!result.complete && !shouldStop()) {
    const units = SOLVER_SHARE * Math.max(0, all - work.done);
    const hint = await ask(options.solver ?? "highs", units, budget.secondsLeft - guardSeconds);
    asked.push(hint);
    if ("claim" in hint) await offerClaim(program, hint.claim, incumbent, completing(isOver));
    const second = await search(program, incumbent, { cutRounds: CUT_ROUNDS }, opening.root);
    nodes += second.nodes;
    // Stopped early, the second search may have proved less than the first.
    if (second.complete || isAtLeast(second.bound, result.bound)) result = second;
  }
  const isCutShort = !result.complete && shouldStop(result.checking);
  if (!result.complete && budget.affordsChecking(result.checking, MIN_GUARD_SECONDS)) {
    // The guard: what HiGHS and the solver asked for say of a program that could not be settled is compared.
    const named = [...new Set([options.solver ?? "highs", "highs"])];
    const others = named.filter((name) => asked.every(({ solver }) => solver !== name));
    for (const name of others) {
      const most = Math.max(MIN_GUARD_SECONDS, guardSeconds / others.length);
      const other = await ask(name, most * UNITS_PER_SECOND, isCutShort ? most : budget.secondsLeft);
      asked.push(other);
      if ("claim" in other) await offerClaim(program, other.claim, incumbent, completing(budget.isOver));
    }
  }
  const whole = check(result, basis);
  const { certificate = null, checked = null } = whole ?? first ?? check(ofRoot(program, opening), null, true) ?? {};
  const { point } = incumbent;
  const provable = checked !== null && (point !== null) === (checked.bound !== null);
  const judged = budget.secondsUsed;
  const verdict = provable ? Verdict.ofChecked(program, checked, point, gap) : null;
  proveSeconds += budget.secondsUsed - judged;
  const ownSense = (value: Rational | null) =>
    value !== null && program.objective.sense === "maximize" ? value.negate() : value;
  return {
    verdict,
    certificate,
    checked,
    point,
    asked,
    isLate: isCutShort || (whole === null && first !== null),
    contradictions: contradictions(program, asked, ownSense(incumbent.value), verdict?.bound ?? null),
    nodes,
    solveSeconds: budget.secondsUsed - proveSeconds,
    proveSeconds,
  };
}

/** Where the search before a solver's point ends. */
function firstLimit({ columns }: Program): { readonly maxNodes: number } | { readonly units: number } {
  const continuous = columns.filter(({ integer }) => !integer).length;
  return continuous > MIXED_SHARE * columns.length ? { maxNodes: FIRST_NODES } : { units: FIRST_UNITS };
}

/** What a search proves: its certificate, and what the checker has found that to prove. */
interface Proved {
  readonly result: SearchResult;
  readonly certificate: Certificate;
  readonly checked: CheckedCertificate;
}

/** A program that two of its rows make infeasible, shown by them; `null` where no two do. */
function crossed(program: Program): SearchResult | null {
  const space = SearchSpace.of(program);
  const multipliers = crossedRows(space.view);
  if (multipliers === null) return null;
  return closedBy([{ infeasible: space.named(multipliers) }], { bound: null, nodes: 1, checking: 1 });
}

function closedBy(steps: readonly Step[], what: Pick<SearchResult, "bound" | "nodes" | "checking">): SearchResult {
  return { ...what, complete: true, steps, rootMultipliers: new Map(), root: null };
}

/** A program of one row, gone through point by point; `null` where it is another, or too large. */
function oneRow(program: Program, incumbent: Incumbent): SearchResult | null {
  if (!program.rows.some(({ form }) => form.coefficients.some((coefficient) => coefficient >= LARGE))) return null;
  const answer = solveOneRow(program);
  if (answer === null) return null;
  incumbent.offer(answer.point);
  const { nodes, multipliers } = answer;
  const steps = [{ propagate: {} }, { enumerate: [SearchSpace.of(program).named(multipliers)] }];
  return closedBy(steps, { bound: incumbent.value, nodes, checking: nodes / 100 });
}

/** What a search proves by its root's multipliers alone, within the bounds that rows imply, as far as the root has those. */
function ofRoot(program: Program, search: SearchResult): SearchResult {
  const space = SearchSpace.of(program);
  const implied: Step[] = program.columns.some(({ integer }) => integer) ? [{ propagate: {} }] : [];
  // A search that was stopped before its root does not know that these leave nothing.
  if (implied.length > 0 && !propagate(space.view, space.box, () => {}))
    return { ...search, complete: true, bound: null, steps: [...implied, { infeasible: {} }] };
  const { bound } = lagrangianBound(space.view, space.box, search.rootMultipliers);
  return { ...search, complete: false, bound, steps: [...implied, { bound: space.named(search.rootMultipliers) }] };
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
  return length >= 2 && length <= MAX_THIN_COLUMNS ? reducedBasis(program) : null;
}

/** Whether one bound of a minimisation says at least as much as another; `null` says nothing. */
function isAtLeast(bound: Rational | null, other: Rational | null): boolean {
  return other === null || (bound !== null && bound.compare(other) >= 0);
}
