/**
 * Gap against time on random placement problems (`shardproof generate tables`, lognormal), beside HiGHS and GLPK on the direct program and
 * published greedy rules. Ours is the proved gap; a solver's is its own word; a rule's, and GLPK's, who says no bound, is
 * over our proved bound.
 *
 * `npm run bench -- table-placement [TABLESxDEVICES[xOPTIONS]:SECONDS …] [seeds=10] [peers=1]`: `peers` is the number of
 * seeds on which solvers run too; `torchrec/TABLESxNODESxGPUS[@MEMORY]:SECONDS` is drawn with TorchRec's costs. One after the
 * other, so that each has the machine to itself.
 */
import { directProgram } from "../models/table-placement/direct-program.js";
import { evaluatePlacement } from "../models/table-placement/evaluate.js";
import type { PlacementProblem } from "../models/table-placement/problem.js";
import { Rational } from "../src/exact/rational.js";
import { tablePlacementHeuristics } from "../src/problems/table-placement/methods/index.js";
import { solvePlacement } from "../src/problems/table-placement/solve/solve.js";
import { openSolver } from "../src/solvers/solver.js";
import { Arguments } from "./arguments.js";
import { namedPlacement } from "./drawn-instances.js";
import { printTable } from "./measure.js";

/** Tables × devices, options where there are several, and the seconds that everybody has. */
const SIZES = [
  "26x8:60",
  "40x8:60",
  "80x8:30",
  "160x16:30",
  "400x40:30",
  "800x80:30",
  "26x8x10:60",
  "26x16x10:60",
  "80x16x10:60",
];
const CHECKPOINTS = [1, 5, 15, 30, 60];
const ASKED_GAP = Rational.parse("1e-9");

const given = new Arguments(process.argv.slice(3), ["seeds", "peers"]);
const seeds = given.number("seeds", 10);
const peers = given.number("peers", 1);

const rows = [["", "method", ...CHECKPOINTS.map((seconds) => `gap at ${seconds} s`), "status", "seconds"]];
for (const size of given.words.length === 0 ? SIZES : given.words) {
  const [shape, limit] = size.split(":") as [string, string];
  for (let seed = 1; seed <= seeds; seed++) {
    const problem = namedPlacement(`${shape.includes("/") ? shape : `lognormal/${shape}`}/${seed}`);
    console.error(problem.name);
    const bound = await ours(problem, Number(limit));
    rule(problem, "hugectr-greedy", bound);
    rule(problem, "torchrec-greedy", bound);
    if (seed > peers) continue;
    await solver(problem, "highs", Number(limit), bound);
    await solver(problem, "glpk", Number(limit), bound);
  }
}
printTable(rows);

function shown(gap: number | null): string {
  return gap === null ? "-" : gap === 0 ? "0" : `${(100 * gap).toPrecision(2)} %`;
}

/** The proved gap at each checkpoint, and at the end; returns the bound. */
async function ours(problem: PlacementProblem, timeLimitSeconds: number): Promise<number> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const gaps: [at: number, gap: number][] = [];
  const { verdict } = await solvePlacement(problem, {
    ...{ gap: ASKED_GAP, timeLimitSeconds, seed: 0 },
    onProgress: ({ incumbent, bound }) => {
      if (incumbent === null || bound === null) return;
      gaps.push([seconds(), incumbent.subtract(bound).divide(incumbent).toNumber()]);
    },
  });
  const taken = seconds();
  gaps.push([taken, verdict?.gap?.toNumber() ?? Number.POSITIVE_INFINITY]);
  const at = (limit: number) =>
    gaps.findLast(([time]) => time <= Math.max(limit, limit >= timeLimitSeconds ? taken : 0));
  const cells = CHECKPOINTS.map((limit) => shown(at(limit)?.[1] ?? null));
  rows.push([problem.name, "optimal", ...cells, verdict?.status ?? "no plan", taken.toFixed(1)]);
  return verdict?.bound?.toNumber() ?? Number.NaN;
}

/** A published rule's distance from our bound. */
function rule(problem: PlacementProblem, name: "hugectr-greedy" | "torchrec-greedy", bound: number): void {
  const started = performance.now();
  const result = tablePlacementHeuristics[name](problem, { seed: 0 });
  const seconds = (performance.now() - started) / 1000;
  const value = result.kind === "plan" ? evaluatePlacement(problem, result.placement).largest.toNumber() : null;
  const gap = shown(value === null ? null : (value - bound) / value);
  rows.push(["", name, ...CHECKPOINTS.map((limit) => (seconds <= limit ? gap : "-")), result.kind, seconds.toFixed(1)]);
}

/** A solver's gap at the end: by its own bound, or ours where it says none. */
async function solver(problem: PlacementProblem, name: string, timeLimitSeconds: number, bound: number): Promise<void> {
  const { program } = directProgram(problem);
  const backend = await openSolver(name);
  const started = performance.now();
  try {
    const { status, primalBound, dualBound = bound } = await backend.solve(program, { timeLimitSeconds });
    const gap = primalBound === undefined ? null : (primalBound - dualBound) / primalBound;
    const cells = CHECKPOINTS.map((limit) => (limit >= timeLimitSeconds ? shown(gap) : ""));
    rows.push(["", name, ...cells, status, ((performance.now() - started) / 1000).toFixed(1)]);
  } catch (error) {
    rows.push(["", name, ...CHECKPOINTS.map(() => ""), (error as Error).message.slice(0, 40), ""]);
  } finally {
    await backend.close();
  }
}
