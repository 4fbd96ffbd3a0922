import type { Rational } from "../../exact/rational.js";
import type { Program } from "../../program/program.js";
import { type Box, type View, type ViewRow, viewOf } from "../../proof/kernel/view.js";
import { type DoubleProgram, doubleProgram } from "../../solvers/double-program.js";
import { openRelaxation, type RelaxationClaim, type RelaxationSession } from "../../solvers/highs-relaxation.js";
import { nothingOf } from "../../solvers/solver-error.js";
import { ContradictoryClaim } from "../../solvers/validate.js";
import { isFixed } from "../branch-and-bound/narrowed.js";
import type { Candidate, OpenRelaxation, RelaxationAnswer } from "../branch-and-bound/relaxation.js";
import type { NamedCut, SearchSpace } from "../branch-and-bound/space.js";
import { separate } from "../cuts/separate.js";
import { exactAnswer } from "../exact-simplex/exact-answer.js";
import { type ExactAnswer, solveExactLinear } from "../exact-simplex/solve.js";
import { type ShouldStop, UNITS } from "../work.js";
import { breaksRows, lacksProof, withRoundedSides } from "./exact-rows.js";
import { type Probe, ReliabilityBranching } from "./reliability-branching.js";
import { multipliersOf, type RowSize, rowSizes } from "./row-multipliers.js";

/** As near to an integer a value is one, and teaches nothing about branching. */
const WHOLE = 1e-6;

/** Iterations of the simplex that show how good a branching is. */
const MAX_PROBE_ITERATIONS = 100;

/** Probes may take as many iterations as nodes have taken, times this, and a start. */
const PROBES_PER_NODE = 2;
const MIN_PROBE_ITERATIONS = 2000;

/** Cuts added at once, or as many as there are columns off the integers: with fewer nothing moves where many alike are. */
const MIN_CUTS = 40;

/**
 * The linear relaxation of any program as an oracle for branch and bound: one HiGHS session, kept warm over all nodes,
 * and the exact simplex where floating point nearly closes a node or no integer column is open; everywhere, where there
 * is no integer column at all.
 */
export function lpRelaxation(program: Program, session: RelaxationSession, shouldStop: ShouldStop): OpenRelaxation {
  const told = new ToldSession(program, session);
  const isLinear = program.columns.every(({ integer }) => !integer);
  const branching = new ReliabilityBranching();
  /** Iterations so far of nodes and of probes. */
  const iterations = { nodes: 0, probes: 0 };
  return (space) => {
    const { rows } = space.program;
    /** The view's index of a row of the session. */
    const keyOf = (row: number) => (row < rows.length ? row : (told.cuts[row - rows.length] as NamedCut).index);
    const around = space.programBounds();
    const entries = entriesOf(space);
    const sizeOf = rowSizes(space);
    const boundsOf = (box: Box): Box => {
      space.view.columns.forEach((column, j) => {
        around.lower[column] = box.lower[j] ?? null;
        around.upper[column] = box.upper[j] ?? null;
      });
      return around;
    };
    const refine = (box: Box): RelaxationAnswer | null => {
      if (!told.tellCuts(space.cuts)) return null;
      const exact = told.solveExactly(boundsOf(box), shouldStop);
      return exact && exactAnswer(ofView(space, exact), integrality(space));
    };
    const solve = (box: Box): RelaxationAnswer => {
      if (!told.tellCuts(space.cuts) || !told.tell(boundsOf(box))) return { kind: "failed" };
      const answer = answerOf(space, told.solve(), keyOf, sizeOf);
      iterations.nodes += session.iterations;
      shouldStop(entries * (UNITS.node + UNITS.iteration * session.iterations));
      return answer;
    };
    // Without integers the exact answer is the last: where doubles show that nothing is feasible, no exact one is
    // needed.
    const solveToTheEnd = (box: Box): RelaxationAnswer => {
      const answer = solve(box);
      return answer.kind === "infeasible" ? answer : (refine(box) ?? answer);
    };
    // Beside large coefficients HiGHS's tolerance is wide: a tree over what it takes for feasible, or below a bound that
    // cannot be proved, may never end.
    const solveRoot = (box: Box): RelaxationAnswer => {
      const isFirst = iterations.nodes === 0;
      const answer = solve(box);
      if (!isFirst || answer.kind !== "solved") return answer;
      const isExact = !breaksRows(space.view, answer.point) && !lacksProof(space.view, box, answer);
      return isExact ? answer : (refine(box) ?? answer);
    };
    const tableauRows = (columns: readonly number[]) =>
      session.tableauRows(columns.map((j) => space.view.columns[j] as number)).map(({ multipliers }) => {
        const weights = new Map<number, number>();
        for (let row = 0; row < multipliers.length; row++) {
          if (multipliers[row] !== 0) weights.set(keyOf(row), multipliers[row] as number);
        }
        return weights;
      });
    return {
      // In a ladder what is exchanged changes with the box.
      keepsOptima: space.order === null,
      solve: isLinear ? solveToTheEnd : solveRoot,
      refine,
      branchOn: (box, point) => {
        const place = new Map<number, number>();
        const candidates = fractionalColumns(space, point).map((j) => {
          const column = space.view.columns[j] as number;
          place.set(column, j);
          return { column, value: point[j] as number };
        });
        const before = iterations.probes;
        const canProbe = before <= PROBES_PER_NODE * iterations.nodes + MIN_PROBE_ITERATIONS;
        const probe: Probe = (column, half, at) => {
          if (!canProbe || shouldStop()) return null;
          const j = place.get(column) as number;
          const [lower, upper] = [box.lower[j]?.toNumber() ?? null, box.upper[j]?.toNumber() ?? null];
          const rise =
            half === "below"
              ? told.probe(column, lower, at, MAX_PROBE_ITERATIONS)
              : told.probe(column, at, upper, MAX_PROBE_ITERATIONS);
          iterations.probes += session.iterations;
          return rise;
        };
        const chosen = tried(() => branching.choose(candidates, probe));
        shouldStop(entries * UNITS.iteration * (iterations.probes - before));
        return chosen === null ? -1 : (place.get(chosen.column) as number);
      },
      hasRisen: ({ column, half, distance }, rise) => {
        if (distance > WHOLE) branching.learn(column, half, Math.max(0, rise) / distance);
      },
      separate: (box, point) => {
        const most = Math.max(MIN_CUTS, fractionalColumns(space, point).length);
        const cuts = separate(space.within(box), point, tableauRows, most, () => shouldStop());
        shouldStop(entries * UNITS.node * (1 + cuts.length));
        return cuts;
      },
    };
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
  /** The cuts that stand behind the program's rows. */
  cuts: readonly NamedCut[] = [];

  constructor(program: Program, session: RelaxationSession) {
    this.#program = program;
    this.#session = session;
  }

  /** Bounds from now on; `false` where HiGHS does not take them. */
  tell({ lower, upper }: Box): boolean {
    return lower.every((low, j) => this.#tellColumn(j, low, upper[j] ?? null));
  }

  /** Cuts from now on; `false` where HiGHS does not take them. */
  tellCuts(cuts: readonly NamedCut[]): boolean {
    if (cuts === this.cuts || (cuts.length === 0 && this.cuts.length === 0)) return true;
    this.#isSolved = false;
    const isTold = isTaken(() => this.#session.setCuts(cuts.map(({ row }) => row)));
    if (isTold) this.cuts = cuts;
    return isTold;
  }

  /** See {@link RelaxationSession.probe}. */
  probe(column: number, lower: number | null, upper: number | null, maxIterations: number): number {
    this.#isSolved = false;
    return this.#session.probe(column, lower, upper, maxIterations);
  }

  /** `null` where HiGHS gives up or its answer does not hold together: the node is branched without it. */
  solve(): RelaxationClaim | null {
    try {
      return this.#session.solve();
    } catch (error) {
      return error instanceof ContradictoryClaim ? null : nothingOf(error);
    } finally {
      this.#isSolved = true;
    }
  }

  /** The relaxation over a box in exact arithmetic, from HiGHS's basis on. */
  solveExactly(box: Box, shouldStop: ShouldStop): ExactAnswer | null {
    const isTold = this.tell(box);
    if (isTold && !this.#isSolved) this.solve();
    this.#whole ??= viewOf(this.#program).view;
    const basis = isTold ? tried(() => this.#session.basis()) : null;
    const rows = new Map<number, ViewRow>(this.#whole.rows);
    for (const { index, row } of this.cuts) rows.set(index, row);
    return solveExactLinear({ ...this.#whole, rows }, box, basis && [...basis.columns, ...basis.rows], shouldStop);
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
function openSession(program: Program): Promise<RelaxationSession | null> {
  return openRelaxation(program).catch(nothingOf);
}

/** Works with the linear relaxation of a program, in floating point where HiGHS can take it; frees it afterwards. */
export async function withRelaxation<T>(
  program: Program,
  shouldStop: ShouldStop,
  work: (open: OpenRelaxation) => T,
): Promise<T> {
  const session = await openSession(withRoundedSides(program));
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

/** `null` where HiGHS fails. */
function tried<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    return nothingOf(error);
  }
}

/** Integer columns of a space that a point has off the integers. */
function fractionalColumns({ view, box }: SearchSpace, point: Float64Array): number[] {
  return [...point.keys()].filter((j) => {
    const value = point[j] as number;
    return view.integer[j] === true && Math.abs(value - Math.round(value)) > WHOLE && !isFixed(box, j);
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
  return (
    tried(() => {
      work();
      return true;
    }) === true
  );
}

function answerOf(
  space: SearchSpace,
  claim: RelaxationClaim | null,
  keyOf: (row: number) => number,
  sizeOf: (row: number) => RowSize,
): RelaxationAnswer {
  const { program, view } = space;
  if (claim === null) return { kind: "failed" };
  if (claim.status === "infeasible" && claim.farkas !== undefined) {
    return { kind: "infeasible", ...multipliersOf(space, claim.farkas, 1, keyOf, sizeOf, 0) };
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
    objective,
    ...multipliersOf(space, claim.rowDuals, sign, keyOf, sizeOf, objective),
    candidates: roundings(space, whole, point, objective),
  };
}

function entriesOf({ view }: SearchSpace): number {
  let entries = view.columns.length;
  for (const rows of [view.rows, view.cuts]) for (const { form } of rows.values()) entries += form.columns.length;
  return entries;
}

/**
 * The point itself with its integers rounded, if they nearly are integers; otherwise rounded in three ways. What breaks a row by
 * more than rounding can is left out.
 */
function roundings(
  { program, view }: SearchSpace,
  whole: Float64Array,
  point: Float64Array,
  objective: number,
): Candidate[] {
  const fractional = point.some((value, j) => view.integer[j] === true && Math.abs(value - Math.round(value)) > WHOLE);
  const doubles = doubleProgram(program);
  const rounders = fractional ? [Math.round, Math.floor, Math.ceil] : [Math.round];
  const candidates: Candidate[] = [];
  for (const round of rounders) {
    const rounded = point.map((value, j) => (view.integer[j] === true ? round(value) : value));
    const all = whole.slice();
    view.columns.forEach((column, j) => {
      all[column] = rounded[j] as number;
    });
    // The relaxation's objective is the best that a rounding can hope for.
    if (nearlyKeepsRows(doubles, all)) candidates.push({ point: rounded, objective });
  }
  return candidates;
}

/** What rows may be broken by, of the terms' sizes. */
const NEARLY = 1e-9;

function nearlyKeepsRows({ rowLower, rowUpper, starts, indices, values }: DoubleProgram, point: Float64Array): boolean {
  for (let i = 0; i < rowLower.length; i++) {
    let activity = 0;
    let size = 0;
    for (let k = starts[i] as number; k < (starts[i + 1] as number); k++) {
      const term = (values[k] as number) * (point[indices[k] as number] as number);
      activity += term;
      size += Math.abs(term);
    }
    const [low, high] = [rowLower[i] as number, rowUpper[i] as number];
    const tolerance = NEARLY * (1 + size);
    if (activity < low - tolerance || activity > high + tolerance) return false;
  }
  return true;
}
