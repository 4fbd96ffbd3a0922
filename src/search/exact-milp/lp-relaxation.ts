import { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import { type Box, type View, viewOf } from "../../proof/kernel/view.js";
import { openRelaxation, type RelaxationClaim, type RelaxationSession } from "../../solvers/highs-relaxation.js";
import { SolverError } from "../../solvers/solver-error.js";
import { ContradictoryClaim } from "../../solvers/validate.js";
import type { Candidate, OpenRelaxation, RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import type { SearchSpace } from "../branch-and-bound/space.js";
import { exactAnswer } from "../exact-simplex/exact-answer.js";
import { type ExactAnswer, solveExactLinear } from "../exact-simplex/solve.js";
import { type ShouldStop, UNITS } from "../work.js";

/**
 * The linear relaxation of any program as an oracle for branch and bound: one HiGHS session, kept warm over all nodes,
 * and the exact simplex where floating point nearly closes a node or no integer column is open; everywhere, where there
 * is no integer column at all.
 */
export function lpRelaxation(program: Program, session: RelaxationSession, shouldStop: ShouldStop): OpenRelaxation {
  const told = new ToldSession(program, session);
  const isLinear = program.columns.every(({ integer }) => !integer);
  return (space) => {
    const around = space.programBounds();
    const entries = entriesOf(space);
    const boundsOf = (box: Box): Box => {
      space.view.columns.forEach((column, j) => {
        around.lower[column] = box.lower[j] ?? null;
        around.upper[column] = box.upper[j] ?? null;
      });
      return around;
    };
    const refine = (box: Box): RelaxationAnswer | null => {
      const exact = told.solveExactly(boundsOf(box), shouldStop);
      return exact && exactAnswer(ofView(space, exact), integrality(space));
    };
    const solve = (box: Box): RelaxationAnswer => {
      if (!told.tell(boundsOf(box))) return { kind: "failed" };
      const answer = answerOf(space, told.solve());
      shouldStop(entries * (UNITS.node + UNITS.iteration * session.iterations));
      return answer;
    };
    // Without integers the exact answer is the last: where doubles show that nothing is feasible, no exact one is
    // needed.
    const solveToTheEnd = (box: Box): RelaxationAnswer => {
      const answer = solve(box);
      return answer.kind === "infeasible" ? answer : (refine(box) ?? answer);
    };
    return { solve: isLinear ? solveToTheEnd : solve, refine };
  };
}

/**
 * The linear relaxation of a program over a box of all its columns in exact arithmetic, from the basis with which HiGHS
 * ends on. `null` where `shouldStop` said so.
 */
export async function solveRelaxation(program: Program, box: Box, shouldStop: ShouldStop): Promise<ExactAnswer | null> {
  const session = await openSession(program);
  if (session === null) return solveExactLinear(viewOf(program).view, box, null, shouldStop);
  try {
    return new ToldSession(program, session).solveExactly(box, shouldStop);
  } finally {
    session.dispose();
  }
}

/** A session over many boxes, of all the program's columns: it is told of differences only. */
class ToldSession {
  readonly #program: Program;
  readonly #session: RelaxationSession;
  readonly #lower: (Rational | null | undefined)[] = [];
  readonly #upper: (Rational | null | undefined)[] = [];
  /** Whether the session was solved since it was last told of anything. */
  #isSolved = false;
  /** The program with no column substituted: one whose bounds meet may be in HiGHS's basis all the same. */
  #whole: View | null = null;

  constructor(program: Program, session: RelaxationSession) {
    this.#program = program;
    this.#session = session;
  }

  /** Bounds from now on; `false` where HiGHS does not take them. */
  tell({ lower, upper }: Box): boolean {
    return lower.every((low, j) => this.#tellColumn(j, low, upper[j] ?? null));
  }

  /** `null` where HiGHS gives up or its answer does not hold together: the node is branched without it. */
  solve(): RelaxationClaim | null {
    try {
      return this.#session.solve();
    } catch (error) {
      if (error instanceof SolverError || error instanceof ContradictoryClaim) return null;
      throw error;
    } finally {
      this.#isSolved = true;
    }
  }

  /** The relaxation over a box in exact arithmetic, from HiGHS's basis on. */
  solveExactly(box: Box, shouldStop: ShouldStop): ExactAnswer | null {
    const isTold = this.tell(box);
    if (isTold && !this.#isSolved) this.solve();
    this.#whole ??= viewOf(this.#program).view;
    const basis = isTold ? this.#session.basis() : null;
    return solveExactLinear(this.#whole, box, basis && [...basis.columns, ...basis.rows], shouldStop);
  }

  #tellColumn(column: number, lower: Rational | null, upper: Rational | null): boolean {
    if (this.#lower[column] === lower && this.#upper[column] === upper) return true;
    this.#isSolved = false;
    const tell = () => this.#session.setColumnBounds(column, lower?.toNumber() ?? null, upper?.toNumber() ?? null);
    const isTold = isTaken(tell);
    this.#lower[column] = isTold ? lower : undefined;
    this.#upper[column] = isTold ? upper : undefined;
    return isTold;
  }
}

/** The floating-point relaxation; `null` where HiGHS cannot take the program, and exact arithmetic must do. */
async function openSession(program: Program): Promise<RelaxationSession | null> {
  try {
    return await openRelaxation(program);
  } catch (error) {
    if (error instanceof SolverError) return null;
    throw error;
  }
}

/** Works with the linear relaxation of a program, in floating point where HiGHS can take it; frees it afterwards. */
export async function withRelaxation<T>(
  program: Program,
  shouldStop: ShouldStop,
  work: (open: OpenRelaxation) => T,
): Promise<T> {
  const session = await openSession(program);
  try {
    return work(session === null ? exactRelaxation(shouldStop) : lpRelaxation(program, session, shouldStop));
  } finally {
    session?.dispose();
  }
}

/** The relaxation of a program that only exact arithmetic can represent. */
export function exactRelaxation(shouldStop: ShouldStop): OpenRelaxation {
  return (space) => ({
    solve: (box) => {
      const exact = solveExactLinear(space.view, box, null, shouldStop);
      return (exact && exactAnswer(exact, integrality(space))) ?? { kind: "failed" };
    },
  });
}

/** What is said of the program's columns, of those that a space has open. */
function ofView({ view }: SearchSpace, exact: ExactAnswer): ExactAnswer {
  if (exact.kind === "infeasible") return exact;
  return { ...exact, point: view.columns.map((column) => exact.point[column] as Rational) };
}

/** Columns that are integers by implication alone may be anything in a point. */
function integrality({ program, view }: SearchSpace): (column: number) => boolean | undefined {
  return (j) => program.columns[view.columns[j] as number]?.integer;
}

/** Whether HiGHS takes what it is told: a lower bound that is an infinity to it, it does not. */
function isTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof SolverError) return false;
    throw error;
  }
}

function answerOf(space: SearchSpace, claim: RelaxationClaim | null): RelaxationAnswer {
  const { program, view } = space;
  if (claim === null) return { kind: "failed" };
  if (claim.status === "infeasible" && claim.farkas !== undefined) {
    return { kind: "infeasible", multipliers: multipliersFrom(space, claim.farkas, 1) };
  }
  if (claim.status !== "optimal" || claim.point === undefined || claim.rowDuals === undefined)
    return { kind: "failed" };
  const whole = claim.point;
  const point = Float64Array.from(view.columns, (column) => whole[column] as number);
  const sign = program.objective.sense === "maximize" ? -1 : 1;
  const objective = sign * (claim.primalBound ?? 0);
  return {
    kind: "solved",
    point,
    multipliers: multipliersFrom(space, claim.rowDuals, sign),
    candidates: roundings(view, point, objective),
  };
}

function entriesOf({ view }: SearchSpace): number {
  let entries = view.columns.length;
  for (const { form } of view.rows.values()) entries += form.columns.length;
  return entries;
}

/** Row duals as rationals, without those that price a side the row does not have. */
function multipliersFrom({ program }: SearchSpace, duals: Float64Array, sign: 1 | -1): Multipliers {
  const multipliers = new Map<number, Rational>();
  duals.forEach((dual, r) => {
    if (dual === 0 || !Number.isFinite(dual)) return;
    const row = program.rows[r];
    const value = sign * dual;
    if (row === undefined || (value > 0 ? row.lower : row.upper) === null) return;
    multipliers.set(r, Rational.fromNumber(value));
  });
  return multipliers;
}

/** The point itself with its integers rounded, if they nearly are integers; otherwise rounded in three ways. */
function roundings(view: View, point: Float64Array, objective: number): Candidate[] {
  let fractional = false;
  for (let j = 0; j < point.length; j++) {
    const value = point[j] as number;
    if (view.integer[j] === true && Math.abs(value - Math.round(value)) > 1e-6) fractional = true;
  }
  const rounders = fractional ? [Math.round, Math.floor, Math.ceil] : [Math.round];
  // The relaxation's objective is the best that a rounding can hope for.
  return rounders.map((round) => ({
    point: point.map((value, j) => (view.integer[j] === true ? round(value) : value)),
    objective,
  }));
}
