import { performance } from "node:perf_hooks";
import type { Program } from "../program/program.js";
import type { Claim, SolveOptions, Solver } from "./claim.js";
import { dualTolerances, restoreClaim } from "./restore.js";
import { answerWithoutColumns, type RawAnswer, type RunOptions } from "./scaled-model.js";
import { type Scaling, scaleProgram } from "./scaling.js";
import { SolverError } from "./solver-error.js";
import { validateClaim } from "./validate.js";

/** What solves a scaled model: a worker thread or a native program. */
export interface ScaledBackend {
  solve(scaling: Scaling, options: RunOptions, signal?: AbortSignal): Promise<RawAnswer>;
  close(): Promise<void>;
}

/** A solver from a backend of scaled models: scales the program, restores the answer's units, validates the claim. */
export function scaledSolver(name: string, backend: ScaledBackend): Solver {
  let closed = false;
  return {
    name,
    async solve(program: Program, options: SolveOptions = {}): Promise<Claim> {
      if (closed) throw new SolverError("unsupported", `this ${name} is closed; open another one`);
      const started = performance.now();
      const scaling = scaleProgram(program, options.relaxation);
      const answer = await answerFor(backend, scaling, options);
      const seconds = (performance.now() - started) / 1000;
      return validateClaim(program, restoreClaim(scaling, answer, name, seconds), options, dualTolerances(scaling));
    },
    close() {
      closed = true;
      return backend.close();
    },
  };
}

async function answerFor(backend: ScaledBackend, scaling: Scaling, options: SolveOptions): Promise<RawAnswer> {
  if (options.signal?.aborted) return { status: "unknown", limitReached: "interrupt" };
  if (scaling.infeasible !== undefined) return { status: "infeasible" };
  if (scaling.model.columnCount === 0) return answerWithoutColumns(scaling.model);
  const limit = options.timeLimitSeconds ?? Number.POSITIVE_INFINITY;
  const factor = scaling.objectiveFactor;
  const start = options.start?.map((value, j) => value / (scaling.columnFactors[j] as number));
  return backend.solve(
    scaling,
    {
      relativeGap: options.relativeGap ?? 0,
      absoluteGap: (options.absoluteGap ?? 0) * Math.abs(factor),
      offset: scaling.constant * factor,
      seed: options.seed ?? 0,
      ...(limit < Number.POSITIVE_INFINITY && { timeLimitSeconds: Math.max(0, limit) }),
      ...(options.iterationLimit !== undefined && { iterationLimit: options.iterationLimit }),
      ...(start && { start }),
      ...(options.method && { method: options.method }),
    },
    options.signal,
  );
}
