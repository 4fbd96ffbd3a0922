/**
 * What ablation.ts runs in a process of its own, for one instance: the exact method with everything, then without each
 * strategy that had a turn, one JSON line for each run. So that what else the machine does counts for nothing, the clock is
 * the CPU time that the process has used, and drawn placement problems are measured in units of work (a thousand to a
 * second): those are the same every time.
 *
 * `ablation-run.js WHAT SECONDS [STRATEGY …]`: a path, or the name of a drawn problem (drawn-instances.ts).
 */
import { Rational } from "../src/exact/rational.js";
import type { PlanOptions } from "../src/problems/plan-options.js";
import { loadInstance } from "../src/problems/planning/instances.js";
import { prepareInstance } from "../src/problems/planning/plan.js";
import { PLACEMENT_STRATEGIES, solvePlacement } from "../src/problems/table-placement/solve/solve.js";
import { UNITS_PER_SECOND } from "../src/search/work.js";
import { namedPlacement } from "./drawn-instances.js";

/** What one run came to. */
export interface Run {
  readonly problem: string;
  /** What was left out; `null`: nothing. */
  readonly without: string | null;
  readonly status: string;
  readonly value: number | null;
  readonly bound: number | null;
  /** Relative; infinite, as JSON has no such number, is `null`. */
  readonly gap: number | null;
  /** Of CPU time or work, reading and what is shown beside the plan left out. */
  readonly seconds: number;
}

type Outcome = Pick<Run, "status" | "value" | "bound" | "gap" | "seconds">;

interface Subject {
  readonly problem: string;
  /** Its first run is slow, because code is compiled as it goes. */
  readonly isByClock: boolean;
  readonly strategies: readonly string[];
  run(options: PlanOptions): Promise<Outcome>;
}

/** Notes what it is asked about. */
class Asked extends Set<string> {
  readonly names = new Set<string>();

  override has(name: string): boolean {
    this.names?.add(name);
    return super.has(name);
  }
}

/** The clock ends nothing that is measured by work: so many times its limit. */
const FAR = 100;

const DRAWN = /^(lognormal|torchrec)\//;

/** Not part of the search. */
const BESIDE = ["what-if prices"];

const [, , what = "", limit = "10", ...only] = process.argv;
performance.now = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const subject = await (DRAWN.test(what) ? drawn(what) : shipped(what));
const asked = new Asked(BESIDE);
await measured(null, asked);
if (subject.isByClock) await measured(null, new Set(BESIDE));
const names = only.length === 0 ? subject.strategies : only;
for (const name of names) {
  // What never had a turn was not there; a problem that asks of none has them all tried.
  const hadTurn = asked.names.size === 0 || asked.names.has(name);
  if (hadTurn) await measured(name, new Set([...BESIDE, name]));
}

async function measured(without: string | null, names: ReadonlySet<string>): Promise<void> {
  const outcome = await subject.run({ timeLimitSeconds: Number(limit), without: names });
  const run: Run = { problem: subject.problem, without, ...outcome };
  console.log(JSON.stringify(run));
}

async function shipped(file: string): Promise<Subject> {
  const instance = await loadInstance(file);
  const { problem, ready } = await prepareInstance(instance);
  const { plan, strategies } = await problem.solving();
  return {
    problem: "joint" in instance && instance.joint !== undefined ? "joint-towers" : problem.name,
    isByClock: true,
    strategies,
    async run(options) {
      const { status, objective, timing } = await plan(ready, options);
      const { value, bound, gap } = objective;
      return { status, value, bound, gap, seconds: timing.solveSeconds + timing.proveSeconds };
    },
  };
}

async function drawn(name: string): Promise<Subject> {
  const problem = namedPlacement(name);
  return {
    problem: "table-placement",
    strategies: PLACEMENT_STRATEGIES,
    isByClock: false,
    async run({ timeLimitSeconds: workSeconds = 10, without = new Set() }) {
      const { verdict, units } = await solvePlacement(problem, {
        ...{ gap: Rational.parse("1e-9"), seed: 0, without },
        ...{ workSeconds, mostUnits: workSeconds * UNITS_PER_SECOND, timeLimitSeconds: FAR * workSeconds },
      });
      const number = (value: Rational | null | undefined) => value?.toNumber() ?? null;
      const known = { value: number(verdict?.value), bound: number(verdict?.bound), gap: number(verdict?.gap) };
      return { status: verdict?.status ?? "unknown", ...known, seconds: units / UNITS_PER_SECOND };
    },
  };
}
