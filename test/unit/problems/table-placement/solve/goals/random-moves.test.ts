import { expect, test } from "vitest";
import type {
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
} from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { goalMeasure } from "../../../../../../src/problems/table-placement/solve/goals/goal-in-doubles.js";
import { randomMoves } from "../../../../../../src/problems/table-placement/solve/goals/random-moves.js";
import { SearchState } from "../../../../../../src/problems/table-placement/solve/goals/search-state.js";

const DEVICES = 4;

function problem(): PlacementProblem {
  const shard = { cost: 1, hbmBytes: 0, hostBytes: 0 };
  const whole: PlacementOption = {
    ...{ kernel: "fused", shardingType: "table_wise", partitionBy: "device", shards: [shard] },
  };
  const rows: PlacementOption = {
    ...{ kernel: "fused", shardingType: "row_wise", partitionBy: "uniform", shards: new Array(DEVICES).fill(shard) },
  };
  const tables = Array.from(
    { length: 8 },
    (_, t): PlacementTable => ({
      ...{ name: `t${t}`, devices: t === 0 ? [0, 1] : null, options: [whole, rows] },
    }),
  );
  return {
    ...{ name: "moves", nodes: 1, gpusPerNode: DEVICES, hbmBytes: new Array<number>(DEVICES).fill(1) },
    ...{ hostBytes: null, hostIsPooled: false, tables, together: [[6, 7]], apart: [] },
  };
}

test("what leaves a device goes to one that has not too much, or is exchanged for what is there", () => {
  const drawn = problem();
  const most = [{ goal: "largest-cost" as const, most: Rational.of(2n) }];
  const measure = goalMeasure(drawn, "moved-bytes", most);
  const moves = randomMoves(drawn, seededRandom(3));
  const on = (device: number): PlacementChoice => ({ option: 0, devices: [device] });
  const uniform: PlacementChoice = { option: 1, devices: [0, 1, 2, 3] };
  // Three shards and more are above the cap: on devices 0 and 1.
  const choices = [on(0), on(0), on(1), on(2), on(3), uniform, on(0), on(0)];
  const state = new SearchState(drawn, measure, { choices: choices.with(5, on(1)) });
  state.make([[5, uniform]]);
  state.make([[2, on(1)]]);
  const full = [0, 1, 2, 3].filter((device) => state.isOver(device));
  expect(full).toEqual([0]);
  const seen = new Set<string>();
  for (let k = 0; k < 2000; k++) {
    const move = moves.unloading(state);
    if (move === null) continue;
    const [[left, to], come] = move as [(typeof move)[number], (typeof move)[number] | undefined];
    expect(choices[left]?.devices).toEqual([0]);
    expect(to.devices).not.toEqual([0]);
    if (come !== undefined) {
      const [other, back] = come;
      expect(choices[other]?.devices).toEqual(to.devices);
      expect(back.devices).toEqual([0]);
    }
    seen.add(`${left} ${to.devices[0]} ${come?.[0] ?? ""}`);
  }
  // Table 0 may be on devices 0 and 1 alone; 6 and 7 belong together, and 5 is on all devices.
  expect([...seen].sort()).toEqual(["0 1 ", "0 1 2", "1 1 ", "1 1 2", "1 2 ", "1 2 3", "1 3 ", "1 3 4"]);
  state.make([0, 1, 6, 7].map((t) => [t, on(1)] as const));
  const spread = new SearchState(drawn, measure, {
    choices: [on(0), on(1), on(2), on(3), on(0), on(1), on(2), on(2)].with(7, on(3)),
  });
  expect(moves.unloading(spread)).toBeNull();
});
