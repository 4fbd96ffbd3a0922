/**
 * One row of `acceptance` in a process of its own, as a command would be: `run-row.js FILE SECONDS OUT` plans or solves FILE,
 * writes the plan file or the solution to OUT and what it came to, {@link Outcome}, to standard output. Seconds count from
 * the start of the process.
 */
import { writeFileSync } from "node:fs";
import { optimiseLate } from "../../src/cli/v8-tiering.js";
import { writePlan } from "../../src/plan-file/write-plan.js";
import { planInstance } from "../../src/problems/planning/plan.js";
import { solveProgramFile } from "../../src/problems/program/solve/solve-file.js";
import { PROGRAM_ENDING } from "../../src/program/read-program.js";
import type { Progress } from "../../src/search/branch-and-bound/search.js";

/** What a row came to. */
export interface Outcome {
  readonly status: string;
  /** Of the objective, or of the last of several goals in order; `null`: there is none. */
  readonly value: number | null;
  readonly bound: number | null;
  readonly gap: number | null;
  /** Whether the value and its bound hold under what goals before it allow: another run's may be under other limits. */
  readonly conditional: boolean;
  readonly firstSeconds: number | null;
  readonly seconds: number;
  /** Of them, what checking the proof took. */
  readonly proveSeconds: number;
  readonly cpuSeconds: number;
  readonly certificateBytes: number;
}

interface Goal {
  readonly value: number | null;
  readonly bound: number | null;
  readonly gap: number | null;
}

/** What plan files and solutions have alike. */
interface Made {
  readonly status: string;
  readonly objective: Goal;
  readonly stages?: readonly Goal[] | null;
  readonly certificate: object | null;
  readonly timing: { readonly proveSeconds: number };
}

optimiseLate();
const [, , file = "", limit = "", out = ""] = process.argv;
const sinceStart = () => Math.round(performance.now()) / 1000;
let firstSeconds: number | null = null;
const options = {
  timeLimitSeconds: Number(limit),
  spentSeconds: sinceStart(),
  onProgress: ({ incumbent }: Progress) => {
    if (incumbent !== null) firstSeconds ??= sinceStart();
  },
};
const made = (
  PROGRAM_ENDING.test(file) ? (await solveProgramFile(file, options)).solution : await planInstance(file, options)
) as Made;
const seconds = sinceStart();
const { user, system } = process.cpuUsage();
const { value, bound, gap } = made.stages?.at(-1) ?? made.objective;
// Plans that no progress was told of were there at the end.
if (value !== null) firstSeconds ??= seconds;
writeFileSync(out, writePlan(made));
const outcome: Outcome = {
  ...{ status: made.status, value, bound, gap, conditional: (made.stages?.length ?? 0) > 1 },
  ...{
    firstSeconds,
    seconds,
    proveSeconds: made.timing.proveSeconds,
    cpuSeconds: Math.round((user + system) / 1e3) / 1000,
  },
  certificateBytes: made.certificate === null ? 0 : JSON.stringify(made.certificate).length,
};
console.log(JSON.stringify(outcome));
