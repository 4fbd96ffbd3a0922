import { expect, test } from "vitest";
import { directProgram } from "../../../../../../models/table-placement/direct-program.js";
import { placementProblem } from "../../../../../../models/table-placement/from-instance.js";
import type { Placement, PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import type { Rational } from "../../../../../../src/exact/rational.js";
import { generate } from "../../../../../../src/generate/generate.js";
import { parseInstance } from "../../../../../../src/problems/instances.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { drawnTables } from "../../../../../../src/problems/table-placement/solve/neighbours/drawn-tables.js";
import { NeighboursBeside } from "../../../../../../src/problems/table-placement/solve/neighbours/neighbours-beside.js";
import { OpenTables } from "../../../../../../src/problems/table-placement/solve/neighbours/open-tables.js";
import { Incumbent } from "../../../../../../src/search/branch-and-bound/incumbent.js";
import { Work } from "../../../../../../src/search/work.js";
import { openSolver } from "../../../../../../src/solvers/solver.js";

const TABLES = 13;

/** A drawn problem of two hosts of two GPUs whose memory nearly fills, with a poor placement. */
function poorlyPlaced(seed: number) {
  const text = generate("tables", { distribution: "torchrec", tables: TABLES, nodes: 2, gpusPerNode: 2 }, seed);
  const instance = parseInstance(text, "drawn.yaml");
  if (instance.problem !== "table-placement") throw new TypeError("a drawn instance places tables");
  const whole = placementProblem(instance);
  // Some of the options, so that HiGHS goes through all placements soon.
  const tables = whole.tables.map((table) => ({ ...table, options: table.options.filter((_, o) => o % 4 === 0) }));
  const ample = { ...whole, tables };
  const bytes = ample.tables.reduce((sum, { options }) => {
    const needs = options.map(({ shards }) => shards.reduce((total, { hbmBytes }) => total + hbmBytes, 0));
    return sum + Math.min(...needs);
  }, 0);
  const problem: PlacementProblem = { ...ample, hbmBytes: ample.hbmBytes.map(() => Math.ceil((1.8 * bytes) / 4)) };
  // One that is good in bytes and not in cost.
  const inBytes = tables.map((table) => ({
    ...table,
    options: table.options.map((option) => ({
      ...option,
      shards: option.shards.map((need) => ({ ...need, cost: need.hbmBytes })),
    })),
  }));
  const { placement } = searchPlacement({ ...problem, tables: inBytes }, { seed, maxRounds: 0 });
  return { problem, direct: directProgram(problem), poor: placement as Placement };
}

/** Values after each answer, until nothing more is asked. */
async function searched(seed: number, mostQuestions = 60) {
  const { problem, direct, poor } = poorlyPlaced(seed);
  const work = new Work();
  const incumbent = new Incumbent(direct.program);
  incumbent.offer(direct.pointOf(poor));
  const values = [incumbent.value?.toNumber() as number];
  const beside = new NeighboursBeside(problem, direct, {
    ...{ incumbent, work, options: { seed: 1 }, budget: { secondsLeft: 100 } },
  });
  for (let k = 0; k < mostQuestions && !beside.isOver; k++) {
    expect(beside.isDue).toBe(false);
    work.spend(1e6);
    expect(beside.isDue).toBe(true);
    const isBetter = await beside.exchange();
    expect(beside.isDue).toBe(false);
    const value = incumbent.value?.toNumber() as number;
    expect(value < (values.at(-1) as number)).toBe(isBetter);
    values.push(value);
  }
  await beside.dispose();
  return { direct, values, isOver: beside.isOver };
}

test("neighbourhoods lead from a poor placement to one that HiGHS finds no better than, over all tables at once", async () => {
  let improved = 0;
  for (const seed of [1, 2]) {
    const { direct, values } = await searched(seed);
    const solver = await openSolver("highs");
    const { status, primalBound } = await solver.solve(direct.program);
    await solver.close();
    expect(status).toBe("optimal");
    // Of these coefficients HiGHS may end above the optimum; ours is exact.
    expect(values.at(-1), `seed ${seed}`).toBeLessThanOrEqual((primalBound as number) * (1 + 1e-9));
    if ((values.at(-1) as number) < (values[0] as number)) improved++;
  }
  expect(improved).toBeGreaterThan(0);
}, 120_000);

test("what is found does not depend on who comes first", async () => {
  const [first, second] = [await searched(2, 3), await searched(2, 3)];
  expect(second.values).toEqual(first.values);
}, 60_000);

test("a neighbourhood holds the placement that it is around, and keeps tables that are not open where they are", () => {
  const { problem, direct, poor } = poorlyPlaced(1);
  const point = direct.pointOf(poor);
  const value = point[direct.structure.largest]?.multiply(direct.structure.unit).toNumber() as number;
  const open = new Set([0, 3]);
  const space = new OpenTables(problem, direct).around(point, value, (table) => open.has(table));
  const local = Float64Array.from(space.view.columns, (column) => (point[column] as Rational).toNumber());
  expect(space.expand(local)).toEqual(point);
  space.view.columns.forEach((column, j) => {
    expect(space.box.lower[j]?.compare(point[column] as Rational)).toBeLessThanOrEqual(0);
    expect(space.box.upper[j]?.compare(point[column] as Rational) ?? 0).toBeGreaterThanOrEqual(0);
  });
  const left = new Set(space.view.columns);
  const tablesLeft = new Set(
    direct.structure.shards.filter(({ column }) => left.has(column)).map(({ table }) => table),
  );
  expect(tablesLeft.size).toBeGreaterThan(0);
  for (const table of tablesLeft) expect(open.has(table)).toBe(true);
});

test("tables are drawn as often as they are large", () => {
  const { problem, poor } = poorlyPlaced(1);
  const random = seededRandom(0);
  const times = problem.tables.map(() => 0);
  for (let k = 0; k < 400; k++) {
    const drawn = drawnTables(problem, poor, 4, random);
    expect(drawn.size).toBe(4);
    for (const table of drawn) times[table] = (times[table] as number) + 1;
  }
  const costs = problem.tables.map(({ options }, t) =>
    (options[poor.choices[t]?.option as number]?.shards ?? []).reduce((sum, { cost }) => sum + cost, 0),
  );
  const byCost = [...costs.keys()].sort((a, b) => (costs[a] as number) - (costs[b] as number));
  expect(times[byCost.at(-1) as number]).toBeGreaterThan(2 * (times[byCost[0] as number] as number));
});
