import { expect, test } from "vitest";
import type {
  PlacementChoice,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
} from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { RandomMoves } from "../../../../../../src/problems/table-placement/solve/goals/random-moves.js";

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

test("what leaves a device goes to one that is not among those to be left, or is exchanged for what is there", () => {
  const moves = new RandomMoves(problem(), seededRandom(3));
  const on = (device: number): PlacementChoice => ({ option: 0, devices: [device] });
  const uniform: PlacementChoice = { option: 1, devices: [0, 1, 2, 3] };
  const choices = [on(0), on(0), on(1), on(2), on(3), uniform, on(0), on(0)];
  const seen = new Set<string>();
  for (let k = 0; k < 2000; k++) {
    const move = moves.from([0, 1], choices);
    if (move === null) continue;
    const [[left, to], come] = move as [(typeof move)[number], (typeof move)[number] | undefined];
    expect([0, 1, 2]).toContain(left);
    expect([2, 3]).toContain(to.devices[0]);
    if (come !== undefined) {
      const [other, back] = come;
      expect(choices[other]?.devices).toEqual(to.devices);
      expect(back.devices).toEqual(choices[left]?.devices);
    }
    seen.add(`${left} ${come?.[0] ?? ""}`);
  }
  // Table 0 may be on devices 0 and 1 alone; 6 and 7 belong together, and 5 is on all devices.
  expect([...seen].sort()).toEqual(["1 ", "1 3", "1 4", "2 ", "2 3", "2 4"]);
  expect(moves.from([], choices)).toBeNull();
});
