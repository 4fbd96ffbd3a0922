/**
 * The assignment step of constrained K-means, by successive shortest paths, against HiGHS on the same transportation problem
 * as a linear program (from program to answer). Random points in the unit square, k-means++ centres, sizes that differ by
 * at most one. `crowded`: all centres but one are far away, so that nearly every point has to move.
 *
 * HiGHS is left out above 1,000 × 32: the program alone has 640,000 columns then.
 */
import { seededRandom } from "../src/exact/random.js";
import { Rational } from "../src/exact/rational.js";
import {
  squaredDistances,
  startingCentres,
} from "../src/problems/tower-partition/methods/k-means/constrained-k-means.js";
import { transport } from "../src/problems/tower-partition/methods/k-means/transport.js";
import { linearForm, makeProgram, type Program } from "../src/program/program.js";
import { openSolver } from "../src/solvers/solver.js";
import { medianSeconds, printTable } from "./measure.js";

const SHAPES = [
  [26, 4],
  [26, 8],
  [200, 16],
  [1000, 32],
  [10_000, 64],
] as const;

const rows = [["points × groups", "centres", "ours (ms)", "HiGHS (ms)", "times ours", "difference"]];
const highs = await openSolver("highs");
for (const [points, groups] of SHAPES) {
  for (const kind of ["k-means++", "crowded"]) {
    const costs = costsOf(points, groups, kind === "crowded");
    const window = { least: Math.floor(points / groups), most: Math.ceil(points / groups) };
    const own = await medianSeconds("ours", points > 1000 ? 1 : 20, () => transport(costs, groups, window));
    const row = [`${points} × ${groups}`, kind, milliseconds(own)];
    rows.push(row);
    if (points > 1000) continue;
    const program = programOf(costs, groups, window);
    const peer = await medianSeconds("highs", 3, () => highs.solve(program));
    const claim = await highs.solve(program);
    const { value } = transport(costs, groups, window);
    const difference = Math.abs(value - (claim.primalBound as number)) / value;
    row.push(milliseconds(peer), (peer / own).toFixed(0), difference.toExponential(1));
  }
}
await highs.close();
printTable(rows.map((row) => [...row, ...new Array<string>(6 - row.length).fill("-")]));

function milliseconds(seconds: number): string {
  return (1000 * seconds).toFixed(2);
}

function costsOf(points: number, groups: number, isCrowded: boolean): Float64Array {
  const random = seededRandom(1);
  const plane = { coordinates: Float64Array.from({ length: 2 * points }, () => random.next()), dimensions: 2 };
  const centres = startingCentres(plane, groups, random);
  const moved = isCrowded ? centres.map((x, k) => (k < 2 ? x : x + 10 + k)) : centres;
  return squaredDistances(plane, moved);
}

function programOf(costs: Float64Array, groups: number, { least, most }: { least: number; most: number }): Program {
  const points = costs.length / groups;
  const row = (name: string, columns: readonly number[], lower: number, upper: number) => ({
    name,
    form: linearForm(columns.map((column) => [column, Rational.one] as const)),
    lower: Rational.of(BigInt(lower)),
    upper: Rational.of(BigInt(upper)),
  });
  const range = (count: number) => Array.from({ length: count }, (_, k) => k);
  return makeProgram({
    columns: range(costs.length).map((column) => ({
      name: `x${column}`,
      lower: Rational.zero,
      upper: null,
      integer: false,
    })),
    rows: [
      ...range(points).map((point) => {
        const own = range(groups).map((group) => point * groups + group);
        return row(`point${point}`, own, 1, 1);
      }),
      ...range(groups).map((group) => {
        const own = range(points).map((point) => point * groups + group);
        return row(`group${group}`, own, least, most);
      }),
    ],
    objective: { form: linearForm(Array.from(costs, (cost, column) => [column, Rational.fromNumber(cost)] as const)) },
  });
}
