import type { Program } from "../program/program.js";

/**
 * What a solver claims about a program, in the program's own units and sense: nothing here is proved.
 *
 * Symbols: n columns, m rows, A the row coefficients, c the objective's coefficients.
 */
export interface Claim {
  /** The backend's name, as given to {@link openSolver}. */
  readonly solver: string;
  readonly status: ClaimStatus;
  /** n column values. Present when `optimal` or `feasible`; feasible and integral up to the solver's tolerances only. */
  readonly point?: Float64Array;
  /**
   * y, m row duals, with c = Aᵀy + d. When minimising, y ≥ 0 on a row held at its lower side and y ≤ 0 on a row held
   * at its upper side; when maximising the reverse. Only for linear programs (no integer column, or `relaxation`).
   */
  readonly rowDuals?: Float64Array;
  /** d, n reduced costs; present with `rowDuals`, and with the same signs on the columns' bounds. */
  readonly reducedCosts?: Float64Array;
  /** Objective of `point`, the constant included, as the solver reports it. */
  readonly primalBound?: number;
  /** The solver's bound on every feasible point: below when minimising, above when maximising; the constant included. */
  readonly dualBound?: number;
  /** Why the solver stopped before it was done. */
  readonly limitReached?: "time" | "interrupt" | "iterations";
  /** Nodes of the branch-and-bound tree. */
  readonly nodes?: number;
  /** Iterations of the simplex, over all nodes; from HiGHS alone. */
  readonly iterations?: number;
  /** Wall-clock seconds from the call to the answer, the hand-over included. */
  readonly seconds: number;
}

/** What a solver says it found: its word, not a proof. `optimal` is to within the gaps asked for. */
export type ClaimStatus = "optimal" | "feasible" | "infeasible" | "unbounded" | "infeasible-or-unbounded" | "unknown";

export interface SolveOptions {
  /** Drop integrality and solve the linear relaxation. */
  readonly relaxation?: boolean;
  /** Default: no limit. At the limit the solver is asked to stop, and ended 2 s later if it has not. */
  readonly timeLimitSeconds?: number;
  /**
   * Iterations of the simplex after which to stop, over all nodes: the same on every machine. Looked at between linear
   * programs, so that it may be exceeded by one. Default: no limit. HiGHS alone has one.
   */
  readonly iterationLimit?: number;
  /** Stop a mixed-integer solve at this relative gap; default 0. */
  readonly relativeGap?: number;
  /** Stop a mixed-integer solve at this absolute gap, in units of the objective; default 0. */
  readonly absoluteGap?: number;
  /** A feasible point (n values) to begin from. A hint: solvers drop a start that breaks a row, and some ignore all. */
  readonly start?: Float64Array;
  /** Default 0. */
  readonly seed?: number;
  /** Aborting asks the solver to stop; the claim then says `limitReached: "interrupt"` and holds what was found. */
  readonly signal?: AbortSignal;
  /** How a linear program is solved; mixed-integer solves ignore it. */
  readonly method?: "simplex" | "interior-point";
}

/** A backend. One solve at a time: further calls wait their turn. */
export interface Solver {
  readonly name: string;
  /**
   * Solves a program and returns the solver's claim. Throws `SolverError` when the solver dies or cannot represent
   * the program, and `ContradictoryClaim` when its answer contradicts itself or the program.
   */
  solve(program: Program, options?: SolveOptions): Promise<Claim>;
  /** Ends the solver; a solve under way fails. */
  close(): Promise<void>;
}
