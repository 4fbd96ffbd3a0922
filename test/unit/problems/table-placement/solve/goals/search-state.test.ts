import { expect, test } from "vitest";
import type { Placement } from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { goalMeasure } from "../../../../../../src/problems/table-placement/solve/goals/goal-in-doubles.js";
import { placementNow } from "../../../../../../src/problems/table-placement/solve/goals/placement-now.js";
import { randomMoves } from "../../../../../../src/problems/table-placement/solve/goals/random-moves.js";
import { SearchState } from "../../../../../../src/problems/table-placement/solve/goals/search-state.js";
import { movingProblem } from "../../../../../support/moving-problem.js";

/** Rounding of sums in another order. */
const NEAR = 9;

test("after any moves, and their undoing, the state is that of its placement", () => {
  let broken = 0;
  for (let seed = 1; seed <= 20; seed++) {
    const moving = movingProblem(seed);
    if (moving === null) continue;
    const { problem: plain, goal, held } = moving.stage;
    // Memory of the host is one pool, SSDs are each device's own.
    const problem = { ...plain, hostIsPooled: true, hostBytes: [1, 1, 1], ssdBytes: [2, 2, 2] };
    const tables = problem.tables.map((table) => ({
      ...table,
      options: table.options.map((option) => ({
        ...option,
        shards: option.shards.map((need) => ({ ...need, hostBytes: 1, ssdBytes: 1 })),
      })),
    }));
    const changed = { ...problem, tables };
    const measure = goalMeasure(changed, goal, held);
    const now = placementNow(changed) as Placement;
    const random = seededRandom(seed);
    const moves = randomMoves(changed, random, now);
    const state = new SearchState(changed, measure, now);
    for (let k = 0; k < 400; k++) {
      const move = random.integer(2) === 0 ? moves.unloading(state) : moves.next(state.choices);
      if (move === null) continue;
      const back = state.make(move);
      if (random.integer(3) === 0) state.make(back);
      if (k % 20 > 0) continue;
      const fresh = new SearchState(changed, measure, { choices: state.choices.slice() });
      expect(state.value).toBe(fresh.value);
      expect(state.penalty).toBeCloseTo(fresh.penalty, NEAR);
      if (state.penalty > 0) broken++;
      for (let d = 0; d < 3; d++) {
        expect(state.isOver(d)).toBe(fresh.isOver(d));
        const drawn = state.free.draw(d, random);
        if (drawn !== null) expect(state.choices[drawn.table]?.devices[drawn.shard]).toBe(d);
      }
    }
  }
  expect(broken).toBeGreaterThan(20);
});
