import { expect, test } from "vitest";
import type { DeviceBlocks } from "../../../../../../models/table-placement/goal-program.js";
import type { Placement } from "../../../../../../models/table-placement/problem.js";
import type { Rational } from "../../../../../../src/exact/rational.js";
import { DeviceLimits } from "../../../../../../src/problems/table-placement/solve/goals/device-limits.js";
import { goalMeasure } from "../../../../../../src/problems/table-placement/solve/goals/goal-in-doubles.js";
import { searchNeighbours } from "../../../../../../src/problems/table-placement/solve/goals/neighbour-search.js";
import { Neighbourhood } from "../../../../../../src/problems/table-placement/solve/goals/neighbourhood.js";
import { placementNow } from "../../../../../../src/problems/table-placement/solve/goals/placement-now.js";
import { repaired } from "../../../../../../src/problems/table-placement/solve/goals/repair.js";
import { evaluate } from "../../../../../../src/program/evaluate.js";
import { Incumbent } from "../../../../../../src/search/branch-and-bound/incumbent.js";
import { SearchSpace } from "../../../../../../src/search/branch-and-bound/space.js";
import { Work } from "../../../../../../src/search/work.js";
import { movingProblem } from "../../../../../support/moving-problem.js";

const isWorthwhile = () => true;

/** A drawn problem with where its tables are, which breaks something, and a poor placement that does not. */
function moving(seed: number) {
  const drawn = movingProblem(seed);
  if (drawn === null) return null;
  const { stage, built } = drawn;
  const now = placementNow(stage.problem) as Placement;
  const measure = goalMeasure(stage.problem, stage.goal, stage.held);
  const { mended } = repaired(stage.problem, measure, now, { seed: 0, steps: 300, shouldStop: () => false });
  return mended === null ? null : { ...drawn, home: built.pointOf(now), poor: built.pointOf(mended) };
}

async function searched(
  { built, poor, fewest }: NonNullable<ReturnType<typeof moving>>,
  from: readonly Rational[] | null,
) {
  const incumbent = new Incumbent(built.program);
  incumbent.offer(poor);
  const before = incumbent.value?.toNumber() as number;
  await searchNeighbours(built, {
    ...{ incumbent, isWorthwhile, from, bound: before / 2, seed: 0, secondsLeft: () => 60 },
    ...{ isDone: () => incumbent.value?.toNumber() === fewest, work: new Work() },
  });
  return { before, after: incumbent.value?.toNumber() as number };
}

test("neighbourhoods lead to the fewest bytes, from a poor placement and from one that breaks limits", async () => {
  let [all, improved, fromPoor, fromHome] = [0, 0, 0, 0];
  for (let seed = 1; seed <= 16; seed++) {
    const drawn = moving(seed);
    if (drawn === null) continue;
    const near = await searched(drawn, null);
    const broken = await searched(drawn, drawn.home);
    all++;
    for (const { before, after } of [near, broken]) {
      expect(after, `seed ${seed}`).toBeGreaterThanOrEqual(drawn.fewest);
      expect(after, `seed ${seed}`).toBeLessThanOrEqual(before);
    }
    if (near.after < near.before) improved++;
    if (near.after === drawn.fewest) fromPoor++;
    if (broken.after === drawn.fewest) fromHome++;
  }
  expect(all).toBeGreaterThan(6);
  expect(improved).toBeGreaterThan(1);
  expect(fromPoor).toBe(all);
  expect(fromHome).toBe(all);
}, 240_000);

test("a neighbourhood has the point that it is around, and keeps what is elsewhere where it is", () => {
  let opened = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const drawn = moving(seed);
    if (drawn === null) continue;
    const { built, poor } = drawn;
    const blocks = built.blocks as DeviceBlocks;
    const neighbourhood = new Neighbourhood(built.program, blocks, isWorthwhile);
    const space = neighbourhood.around(poor, new Set([0]));
    expect(
      space.expand(Float64Array.from(space.view.columns, (column) => (poor[column] as Rational).toNumber())),
    ).toEqual(poor);
    const { lower, upper } = space.programBounds();
    const isOpen = (column: number) => lower[column]?.compare(upper[column] as Rational) !== 0;
    const uniform = new Set(
      blocks.shards.filter(({ need, most }) => most === 1 && need !== undefined).map(({ placeRow }) => placeRow),
    );
    for (const { column, device, placeRow } of blocks.shards) {
      const places = blocks.shards.filter((shard) => shard.placeRow === placeRow).length;
      if (isOpen(column)) {
        opened++;
        expect(device === 0 || (places === 1 && uniform.has(placeRow)), `seed ${seed}`).toBe(true);
      }
    }
  }
  expect(opened).toBeGreaterThan(20);
});

test("limits that may be broken cost what they are broken by, and the point keeps to the rows", () => {
  let broken = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const drawn = moving(seed);
    if (drawn === null) continue;
    const { built, home, poor } = drawn;
    const limits = new DeviceLimits(built.program, built.blocks as DeviceBlocks);
    const sum = (point: readonly Rational[]) => limits.excess(point).reduce((all, share) => all + share, 0);
    expect(sum(poor)).toBe(0);
    expect(limits.areAllThatBreaks(poor)).toBe(false);
    // Of some, tables that belong apart are on one device.
    const { violations } = evaluate(built.program, home);
    expect(limits.areAllThatBreaks(home), `seed ${seed}`).toBe(
      violations.length > 0 && violations.every(({ name }) => /^(cap|hbm|cost|held)/.test(name)),
    );
    if (!limits.areAllThatBreaks(home)) continue;
    broken++;
    expect(sum(home), `seed ${seed}`).toBeGreaterThan(0);
    const space = SearchSpace.of(built.program);
    const price = 1e6;
    const { program, values } = limits.elastic(space.openProgram(), home, price);
    expect(program.columns.length).toBe(built.program.columns.length + values.length);
    const cost = values.reduce((all, value, k) => {
      const { columns, coefficients } = program.objective.form;
      const at = columns.indexOf(built.program.columns.length + k);
      return all + (value * Number(coefficients[at])) / Number(program.objective.form.denominator);
    }, 0);
    expect(cost / price, `seed ${seed}`).toBeCloseTo(sum(home), 4);
  }
  expect(broken).toBeGreaterThan(8);
});
