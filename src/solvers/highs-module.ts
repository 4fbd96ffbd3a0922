import type { Highs, Model } from "highs";
import type { RawAnswer, RunOptions, ScaledModel } from "./scaled-model.js";
import { SolverError } from "./solver-error.js";

/** A fresh HiGHS inside its own WebAssembly memory. It never prints. */
export async function newHighs(): Promise<Highs> {
  // Small problems are solved without it.
  const { default: loader } = await import("highs");
  // The package is CommonJS to the type checker, which therefore takes the default export for a namespace.
  return (loader as unknown as () => Promise<Highs>)();
}

/** A HiGHS model of a scaled program. Dispose of it: its memory is not garbage-collected. */
export function highsModel(highs: Highs, scaled: ScaledModel): Model {
  const model = highs.createModel({
    numCols: scaled.columnCount,
    numRows: scaled.rowCount,
    colCost: scaled.cost,
    colLower: scaled.columnLower,
    colUpper: scaled.columnUpper,
    rowLower: scaled.rowLower,
    rowUpper: scaled.rowUpper,
    matrix: {
      format: "csr",
      numRows: scaled.rowCount,
      numCols: scaled.columnCount,
      starts: scaled.starts,
      indices: scaled.indices,
      values: scaled.values,
    },
    ...(scaled.integrality && { integrality: scaled.integrality }),
  });
  model.options.set("output_flag", false);
  return model;
}

/** Reports from inside a solve, and the question whether to stop. */
export interface RunHooks {
  /** `iterations`: of a mixed-integer solve, so far. */
  readonly shouldStop?: (iterations?: number) => boolean;
  /** A new incumbent of a mixed-integer solve, in scaled units. */
  readonly onIncumbent?: (point: Float64Array, objective: number) => void;
}

/**
 * Tolerance of HiGHS's mixed-integer solver on rows and integrality. At its default of 1e-6 it took x = 1.6e-6 for an
 * integer beside coefficients of 1e6 and above, and about 0.2 % of small random programs with such coefficients came back
 * wrong (suboptimal, too good, or infeasible though feasible); at 1e-9, none of 11,500 up to coefficients of 1e7, and 1
 * of 2,000 at 1e9. Neither is safe: with integers to 1e7 in equations it is 1e-9 that misses optima (test/regress).
 */
const INTEGER_TOLERANCE = 1e-9;

/** Solves a scaled model once with HiGHS. Blocks the thread. Throws what the WebAssembly module throws. */
export function runHighs(highs: Highs, scaled: ScaledModel, options: RunOptions, hooks: RunHooks): RawAnswer {
  const model = highsModel(highs, scaled);
  try {
    const mixed = scaled.integrality !== undefined;
    model.options.set({
      mip_feasibility_tolerance: INTEGER_TOLERANCE,
      mip_rel_gap: options.relativeGap,
      mip_abs_gap: options.absoluteGap,
      random_seed: options.seed,
    });
    if (options.timeLimitSeconds !== undefined) model.options.set("time_limit", options.timeLimitSeconds);
    const { iterationLimit } = options;
    // In a mixed-integer solve the option would be the limit of each linear program.
    if (iterationLimit !== undefined && !mixed) model.options.set("simplex_iteration_limit", iterationLimit);
    // Naming an LP method for a mixed-integer program would make HiGHS drop integrality.
    if (options.method && !mixed) model.options.set("solver", options.method === "simplex" ? "simplex" : "ipx");
    if (mixed && options.relativeGap > 0) model.changeObjectiveOffset(options.offset);
    if (options.start) model.setSolution({ colValue: options.start });
    // The offset is taken back out of every objective value HiGHS reports.
    const offset = mixed && options.relativeGap > 0 ? options.offset : 0;
    const { shouldStop, onIncumbent } = hooks;
    let isBeyond = false as boolean;
    const reports: RunHooks = {
      shouldStop: (iterations = 0) => {
        isBeyond ||= iterations >= (iterationLimit ?? Number.POSITIVE_INFINITY);
        return isBeyond || shouldStop?.() === true;
      },
      ...(mixed && onIncumbent && { onIncumbent: (point, objective) => onIncumbent(point, objective - offset) }),
    };
    let status = runModel(highs, model, reports);
    if (status === highs.constants.modelStatus.unboundedOrInfeasible && !mixed) {
      // Presolve cannot tell the two apart; the simplex can.
      model.options.set({ presolve: "off", solver: "simplex" });
      status = runModel(highs, model, reports);
    }
    const answer = readAnswer(highs, model, status, mixed);
    return {
      ...answer,
      ...(isBeyond && answer.limitReached === "interrupt" && { limitReached: "iterations" }),
      iterations: iterationsOf(model),
      ...(answer.objective !== undefined && { objective: answer.objective - offset }),
      ...(answer.bound !== undefined && { bound: answer.bound - offset }),
    };
  } finally {
    disposeQuietly(model);
  }
}

function runModel(highs: Highs, model: Model, hooks: RunHooks): number {
  const { callbackType } = highs.constants;
  const interrupt = (event: {
    interrupt(): void;
    readonly data?: { readonly mip_total_lp_iterations?: bigint };
  }): undefined => {
    if (hooks.shouldStop?.(Number(event.data?.mip_total_lp_iterations ?? 0))) event.interrupt();
    return undefined;
  };
  const { onIncumbent } = hooks;
  const callbacks = {
    ...(hooks.shouldStop && {
      [callbackType.simplexInterrupt]: interrupt,
      [callbackType.ipmInterrupt]: interrupt,
      [callbackType.mipInterrupt]: interrupt,
    }),
    ...(onIncumbent && {
      [callbackType.mipImprovingSolution]: (event: {
        readonly data: { readonly mip_solution?: Float64Array; readonly objective_function_value?: number };
      }): undefined => {
        const { mip_solution, objective_function_value } = event.data;
        if (mip_solution && objective_function_value !== undefined) onIncumbent(mip_solution, objective_function_value);
        return undefined;
      },
    }),
  };
  try {
    return model.run(callbacks).modelStatus;
  } catch (error) {
    if (!(error instanceof highs.errors.HighsError)) throw error;
    // HiGHS gave up with an error of its own, which leaves the module sound: mostly its presolve; once more without.
    model.clearSolver();
    model.options.set("presolve", "off");
    return model.run(callbacks).modelStatus;
  }
}

/** Reads what a finished run claims. Throws {@link SolverError} (`crash`) when HiGHS reports an error of its own. */
export function readAnswer(highs: Highs, model: Model, status: number, mixed: boolean): RawAnswer {
  const codes = highs.constants.modelStatus;
  const feasible = model.info.get("primal_solution_status") === highs.constants.solutionStatus.feasible;
  const objective = Number(model.info.get("objective_function_value"));
  const solution = feasible ? { point: model.getSolution().colValue, objective } : {};
  const rest = mixed
    ? {
        bound: Number(model.info.get("mip_dual_bound")),
        nodes: Math.max(0, Number(model.info.get("mip_node_count"))),
      }
    : {};
  const stopped = feasible ? "feasible" : "unknown";
  switch (status) {
    case codes.optimal:
    case codes.empty:
      if (mixed) return { status: "optimal", ...solution, ...rest };
      return { status: "optimal", ...solution, bound: objective, rowDuals: model.getSolution().rowDual };
    case codes.infeasible:
      return { status: "infeasible" };
    case codes.unbounded:
      return { status: "unbounded" };
    case codes.unboundedOrInfeasible:
      return { status: "infeasible-or-unbounded" };
    case codes.timeLimit:
      return { status: stopped, ...solution, ...rest, limitReached: "time" };
    case codes.interrupted:
      return { status: stopped, ...solution, ...rest, limitReached: "interrupt" };
    case codes.iterationLimit:
    case codes.solutionLimit:
      return { status: stopped, ...solution, ...rest, limitReached: "iterations" };
    case codes.unknown:
    case codes.objectiveBound:
    case codes.objectiveTarget:
      return { status: stopped, ...solution, ...rest };
    default:
      throw new SolverError("crash", `HiGHS ended with an error of its own (model status ${status})`);
  }
}

/** HiGHS's memory ends at 2 GiB; an abort beyond this size is taken for running out of it. */
const NEARLY_FULL = 2 ** 30;

/** Words for what a HiGHS module threw: every C++ exception, `bad_alloc` included, arrives as "Aborted()". */
export function highsFailure(error: unknown, memoryBytes: number): SolverError {
  if (error instanceof SolverError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const gibibytes = (memoryBytes / 2 ** 30).toFixed(2);
  const aborted = error instanceof Error && (error.name === "RuntimeError" || error.name === "RangeError");
  if (aborted && (memoryBytes >= NEARLY_FULL || /out of memory|enlarge memory|OOM/i.test(message))) {
    const advice = "its WebAssembly memory ends at 2 GiB; solve a smaller program or use a native solver";
    return new SolverError("out-of-memory", `HiGHS ran out of memory at ${gibibytes} GiB: ${advice}`, error);
  }
  return new SolverError("crash", `HiGHS crashed (${message.slice(0, 200)}; memory ${gibibytes} GiB)`, error);
}

/** HiGHS's own value of the option where nothing limits: it takes no infinity. */
export const NO_ITERATION_LIMIT = 2 ** 31 - 1;

/** Iterations of the simplex in the last solve. */
export function iterationsOf(model: Model): number {
  return Math.max(0, Number(model.info.get("simplex_iteration_count")));
}

/** Disposes of a model; a module that has aborted cannot, and goes away as a whole. */
export function disposeQuietly(model: Model): void {
  try {
    model.dispose();
  } catch {
    // Nothing is lost: the broken module's memory is freed with the module.
  }
}
