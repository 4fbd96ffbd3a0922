import type { GLPK, LP, Result } from "glpk.js/node";
import type { RawAnswer, RunOptions, ScaledModel } from "../scaled-model.js";
import { SolverError } from "../solver-error.js";
import type { WorkerRunner } from "./protocol.js";

/**
 * GLPK inside the worker. Its binding gives no return code: with its presolver on, infeasible, unbounded and out of
 * time all come back as "undefined", and its mixed-integer solver does not run without the presolver. So the linear
 * relaxation is solved first, without presolving, and speaks for itself; and when the mixed-integer solver then says
 * "undefined", what it printed decides.
 */
export async function glpkRunner(): Promise<WorkerRunner> {
  const printed: string[] = [];
  // The module binds console.log when it is created, and prints its verdict there and nowhere else.
  Reflect.set(globalThis.console, "log", (line: unknown) => printed.push(String(line)));
  const glpk = await loadGlpk();
  return {
    run: (model, options) => solve(glpk, model, options, printed),
    memoryBytes: () => 0,
    failure: (error) => {
      if (error instanceof SolverError) return { kind: error.kind, message: error.message };
      const message = error instanceof Error ? error.message.slice(0, 200) : String(error);
      return { kind: "crash", message: `GLPK crashed (${message})` };
    },
  };
}

async function loadGlpk(): Promise<GLPK> {
  let create: () => Promise<GLPK>;
  try {
    create = (await import("glpk.js/node")).default;
  } catch (error) {
    throw new SolverError("missing", "GLPK is not installed; `npm install glpk.js` adds it (GPL-3.0)", error);
  }
  return create();
}

function solve(glpk: GLPK, model: ScaledModel, options: RunOptions, printed: string[]): RawAnswer {
  const started = Date.now();
  const secondsLeft = () =>
    options.timeLimitSeconds === undefined
      ? undefined
      : Math.max(0.001, options.timeLimitSeconds - (Date.now() - started) / 1000);
  // Its clock starts later than this one and ticks in milliseconds; close to the limit, the limit is the reason.
  const limited = () =>
    (secondsLeft() ?? Number.POSITIVE_INFINITY) <= 0.05 * (options.timeLimitSeconds as number) + 0.01;
  const run = (problem: LP, extra: { presol: boolean; msglev?: number }): Result["result"] => {
    const tmlim = secondsLeft();
    printed.length = 0;
    return glpk.solve(problem, {
      msglev: glpk.GLP_MSG_OFF,
      mipgap: options.relativeGap,
      ...extra,
      ...(tmlim !== undefined && { tmlim }),
    }).result;
  };

  const problem = toGlpk(glpk, model);
  const relaxed = run(problem, { presol: false });
  const relaxation = linearAnswer(glpk, model, relaxed, limited());
  if (model.integrality === undefined || relaxation.status !== "optimal") {
    if (model.integrality === undefined) return relaxation;
    // A relaxation says nothing about integer points unless it is infeasible.
    if (relaxation.status === "infeasible") return { status: "infeasible" };
    if (relaxation.status === "unbounded") return { status: "infeasible-or-unbounded" };
    return { status: "unknown", ...(relaxation.limitReached && { limitReached: relaxation.limitReached }) };
  }
  const generals = [...model.integrality.keys()].filter((j) => model.integrality?.[j] === 1).map((j) => `c${j}`);
  const mixed = { ...problem, generals };
  const result = run(mixed, { presol: true });
  const bound = relaxation.objective as number;
  if (result.status === glpk.GLP_OPT) return { status: "optimal", ...pointOf(model, result) };
  if (result.status === glpk.GLP_NOFEAS) return { status: "infeasible" };
  const time = limited() ? { limitReached: "time" as const } : {};
  // It stops with a feasible point at its time limit and at the relative gap asked for, and does not say which.
  if (result.status === glpk.GLP_FEAS && options.relativeGap > 0 && !limited()) {
    return { status: "optimal", ...pointOf(model, result), bound };
  }
  if (result.status === glpk.GLP_FEAS) return { status: "feasible", ...pointOf(model, result), bound, ...time };
  if (limited()) return { status: "unknown", bound, ...time };
  run(mixed, { presol: true, msglev: glpk.GLP_MSG_ALL });
  const infeasible = printed.some((line) => line.includes("NO PRIMAL FEASIBLE SOLUTION"));
  return infeasible ? { status: "infeasible" } : { status: "unknown", bound };
}

function linearAnswer(glpk: GLPK, model: ScaledModel, result: Result["result"], limited: boolean): RawAnswer {
  if (result.status === glpk.GLP_NOFEAS) return { status: "infeasible" };
  if (result.status === glpk.GLP_UNBND) return { status: "unbounded" };
  if (result.status === glpk.GLP_OPT) {
    const point = pointOf(model, result);
    const rowDuals = Float64Array.from({ length: model.rowCount }, (_, i) => result.dual?.[`r${i}`] ?? Number.NaN);
    return { status: "optimal", ...point, bound: point.objective, rowDuals };
  }
  const time = limited ? { limitReached: "time" as const } : {};
  if (result.status === glpk.GLP_FEAS) return { status: "feasible", ...pointOf(model, result), ...time };
  return { status: "unknown", ...time };
}

function pointOf(model: ScaledModel, { vars, z }: Result["result"]): { point: Float64Array; objective: number } {
  return {
    point: Float64Array.from({ length: model.columnCount }, (_, j) => vars[`c${j}`] ?? Number.NaN),
    objective: z,
  };
}

/** Names are our own (c0…, r0…): the binding keeps values in objects, where a column called `__proto__` would vanish. */
function toGlpk(glpk: GLPK, model: ScaledModel): LP {
  const bounds = (lower: number, upper: number) => {
    if (lower === upper) return { type: glpk.GLP_FX, lb: lower, ub: upper };
    if (Number.isFinite(lower) && Number.isFinite(upper)) return { type: glpk.GLP_DB, lb: lower, ub: upper };
    if (Number.isFinite(lower)) return { type: glpk.GLP_LO, lb: lower, ub: Number.MAX_VALUE };
    if (Number.isFinite(upper)) return { type: glpk.GLP_UP, lb: -Number.MAX_VALUE, ub: upper };
    return { type: glpk.GLP_FR, lb: -Number.MAX_VALUE, ub: Number.MAX_VALUE };
  };
  const subjectTo: LP["subjectTo"] = [];
  for (let i = 0; i < model.rowCount; i++) {
    const vars: { name: string; coef: number }[] = [];
    for (let k = model.starts[i] as number; k < (model.starts[i + 1] as number); k++) {
      vars.push({ name: `c${model.indices[k]}`, coef: model.values[k] as number });
    }
    subjectTo.push({ name: `r${i}`, vars, bnds: bounds(model.rowLower[i] as number, model.rowUpper[i] as number) });
  }
  return {
    name: "program",
    objective: {
      direction: glpk.GLP_MIN,
      name: "obj",
      // Every column, so that the binding numbers them in our order.
      vars: Array.from(model.cost, (coef, j) => ({ name: `c${j}`, coef })),
    },
    subjectTo,
    bounds: Array.from(model.cost, (_, j) => ({
      name: `c${j}`,
      ...bounds(model.columnLower[j] as number, model.columnUpper[j] as number),
    })),
  };
}
