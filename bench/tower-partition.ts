/**
 * Towers, proved: the exact method beside HiGHS and GLPK on the compact program (the solvers' word, with gaps of zero).
 *
 * `npm run bench -- tower-partition [F]x[T]x[R] … [seeds=N] [limit=SECONDS] [peers=no]`: features, towers and size
 * ratio; every kind of matrix, both objectives. A dash: the program is too large for the solvers (over 26 features).
 */

import { towerGrouping } from "../models/tower-partition/build.js";
import { cliqueProgram } from "../models/tower-partition/clique-program.js";
import { Rational } from "../src/exact/rational.js";
import { randomInteraction } from "../src/generate/interaction-matrix.js";
import { TOWER_OBJECTIVES } from "../src/problems/tower-partition/instance/instance.js";
import { solveGrouping } from "../src/problems/tower-partition/solve/solve.js";
import type { Grouping } from "../src/program/grouping/grouping.js";
import { openSolver } from "../src/solvers/solver.js";
import { printTable } from "./measure.js";

const KINDS = ["planted", "uniform", "embedded"] as const;
const GAP = Rational.of(1n, 1_000_000_000n);
const MAX_FOR_PEERS = 26;

const args = process.argv.slice(3);
const option = (name: string, otherwise: string) =>
  args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? otherwise;
const seeds = Number(option("seeds", "1"));
const limit = Number(option("limit", "60"));
const hasPeers = option("peers", "yes") !== "no";
const asked = args.filter((arg) => !arg.includes("="));
const shapes = (asked.length === 0 ? ["26x2x1", "26x4x1", "26x8x1", "26x4x2"] : asked).map((shape) => shape.split("x"));

const rows = [["", "objective", "status", "gap", "ours (s)", "of it checking", "HiGHS", "GLPK"]];
for (const [features, towers, ratio = "1"] of shapes) {
  for (const kind of KINDS) {
    for (const objective of TOWER_OBJECTIVES) {
      for (let seed = 1; seed <= seeds; seed++) {
        const count = Number(features);
        const grouping = towerGrouping(
          {
            ...{ name: kind, features: Array.from({ length: count }, (_, i) => `f${i}`) },
            ...{ towers: Number(towers), sizeRatio: Number(ratio), strategy: "coherent", objective, load: null },
          },
          randomInteraction({ kind, features: count, seed }),
        );
        await measure(`${features} in ${towers}, ratio ${ratio}, ${kind} ${seed}`, objective, grouping);
      }
    }
  }
}
printTable(rows);

async function measure(name: string, objective: string, grouping: Grouping): Promise<void> {
  const started = performance.now();
  const request = { starts: [], gap: GAP, timeLimitSeconds: limit, seed: 0 };
  const { verdict, proveSeconds } = await solveGrouping(grouping, request);
  const seconds = (performance.now() - started) / 1000;
  const row = [name, objective, verdict?.status ?? "open", percent(verdict?.gap?.toNumber() ?? null)];
  row.push(seconds.toFixed(2), proveSeconds.toFixed(2));
  const isSmall = grouping.elements.length <= MAX_FOR_PEERS;
  for (const solver of ["highs", "glpk"]) row.push(hasPeers && isSmall ? await peer(solver, grouping) : "-");
  rows.push(row);
}

async function peer(name: string, grouping: Grouping): Promise<string> {
  const solver = await openSolver(name);
  try {
    const claim = await solver.solve(cliqueProgram(grouping).program, { timeLimitSeconds: limit });
    const { primalBound: value, dualBound: bound } = claim;
    if (claim.status === "optimal") return `${claim.seconds.toFixed(1)} s`;
    return value === undefined || bound === undefined ? claim.status : percent((value - bound) / value);
  } finally {
    await solver.close();
  }
}

function percent(gap: number | null): string {
  if (gap === null) return "-";
  return gap === 0 ? "0" : `${(100 * gap).toPrecision(2)} %`;
}
