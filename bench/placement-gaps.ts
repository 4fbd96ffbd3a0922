/**
 * Plans and bounds of placements with options, ours and HiGHS's on the exported program, each with the same time:
 * `npm run bench -- placement-gaps [KIND | FILE …] [seconds=20] [seeds=1] [from=1]`. A kind is TABLESxNODESxGPUS, with
 * `@MEMORY` for HBM over the least that a search finds a plan for (drawn-instances.ts), or TABLESxGPUS for one host and
 * ten options; FILE is an instance. Ours ends by units of work, a thousand a second; HiGHS gets the seconds that ours
 * took, and its bound is its own word. CPU seconds are of all threads.
 */
import { directProgram } from "../models/table-placement/direct-program.js";
import { placementProblem } from "../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../models/table-placement/problem.js";
import { Rational } from "../src/exact/rational.js";
import { loadInstance } from "../src/problems/instances.js";
import { solvePlacement } from "../src/problems/table-placement/solve/solve.js";
import { UNITS_PER_SECOND } from "../src/search/work.js";
import { openSolver } from "../src/solvers/solver.js";
import { drawnPlacement, lognormalPlacement } from "./drawn-instances.js";
import { printTable } from "./measure.js";

const KINDS = ["12x2x4", "20x2x4", "20x2x4@1.1", "20x2x4@1.3", "20x2x8@1.1", "20x2x8@1.3", "40x2x8", "26x16", "80x16"];
const DRAWN = /^(\d+)x(\d+)(?:x(\d+))?(?:@([\d.]+))?$/;
const TEN_OPTIONS = 10;
const GAP = Rational.parse("1e-9");
/** Of checking proofs, and of a machine that does other things: ours ends by its work. */
const SLOWER = 20;

/** What somebody claims of a placement, and the time that it took. */
interface Claimed {
  readonly value: number | null;
  readonly bound: number | null;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

const given = process.argv.slice(3);
const number = (name: string, otherwise: number) =>
  Number(given.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? otherwise);
const seconds = number("seconds", 20);
const seeds = Array.from({ length: number("seeds", 1) }, (_, k) => number("from", 1) + k);
const words = given.filter((word) => !word.includes("="));

const rows = [["", "seed", "value", "bound", "gap", "CPU s", "HiGHS value", "bound", "gap", "CPU s"]];
for (const word of words.length === 0 ? KINDS : words) {
  const isDrawn = DRAWN.test(word);
  for (const seed of isDrawn ? seeds : [0]) {
    const problem = await problemOf(word, seed);
    const ours = await measured(() => solved(problem));
    const theirs = await measured(() => claimed(problem, ours.seconds));
    const row = [word.replace(/^.*\//, ""), isDrawn ? `${seed}` : "", ...cells(ours), ...cells(theirs)];
    console.error(row.join("  "));
    rows.push(row);
  }
}
printTable(rows);

async function problemOf(word: string, seed: number): Promise<PlacementProblem> {
  const drawn = DRAWN.exec(word);
  if (drawn === null) {
    const instance = await loadInstance(word);
    if (instance.problem !== "table-placement") throw new TypeError(`${word} places no tables`);
    return placementProblem(instance);
  }
  const [tables, second, third, memory] = drawn.slice(1).map(Number) as [number, number, number, number];
  if (Number.isNaN(third)) return lognormalPlacement(tables, second, TEN_OPTIONS, seed);
  return drawnPlacement({
    ...{ tables, nodes: second, gpus: third, seed },
    ...(Number.isNaN(memory) ? {} : { memory }),
  });
}

async function solved(problem: PlacementProblem) {
  const { verdict } = await solvePlacement(problem, {
    ...{ gap: GAP, seed: 0, timeLimitSeconds: SLOWER * seconds },
    ...{ workSeconds: seconds, mostUnits: UNITS_PER_SECOND * seconds },
  });
  return { value: verdict?.value?.toNumber() ?? null, bound: verdict?.bound?.toNumber() ?? null };
}

async function claimed(problem: PlacementProblem, timeLimitSeconds: number) {
  const solver = await openSolver("highs");
  try {
    const { primalBound, dualBound } = await solver.solve(directProgram(problem).program, { timeLimitSeconds });
    return { value: primalBound ?? null, bound: dualBound ?? null };
  } finally {
    await solver.close();
  }
}

async function measured(work: () => Promise<Pick<Claimed, "value" | "bound">>): Promise<Claimed> {
  const [started, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { ...result, cpuSeconds: (user + system) / 1e6, seconds: (performance.now() - started) / 1000 };
}

function cells({ value, bound, cpuSeconds }: Claimed): string[] {
  const gap = value === null || bound === null ? null : Math.max(0, (value - bound) / value);
  const shown = gap === null ? "-" : gap <= 1e-9 ? "0" : `${(100 * gap).toPrecision(2)} %`;
  return [text(value), text(bound), shown, cpuSeconds.toFixed(1)];
}

function text(value: number | null): string {
  return value === null ? "-" : value.toPrecision(7);
}
