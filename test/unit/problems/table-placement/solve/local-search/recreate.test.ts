import { expect, test } from "vitest";
import { namedText, withCluster } from "../../../../../../bench/drawn-instances.js";
import { evaluatePlacement } from "../../../../../../models/table-placement/evaluate.js";
import { placementModel } from "../../../../../../models/table-placement/from-instance.js";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import type { TablePlacementInstance } from "../../../../../../src/instance/types/table-placement.js";
import { parseInstance } from "../../../../../../src/problems/planning/instances.js";
import { longestFirst } from "../../../../../../src/problems/table-placement/solve/local-search/construct.js";
import { Best } from "../../../../../../src/problems/table-placement/solve/local-search/incumbent.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { layoutOf } from "../../../../../../src/problems/table-placement/solve/local-search/layout.js";
import { unitsOf } from "../../../../../../src/problems/table-placement/solve/local-search/movable-shards.js";
import { ruinAndRecreate, sizeOf } from "../../../../../../src/problems/table-placement/solve/local-search/recreate.js";
import { State } from "../../../../../../src/problems/table-placement/solve/local-search/state.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../../support/draws.js";
import { tinyPlacement } from "../../../../../support/tiny-placement.js";

test("plans that it finds keep all limits and cost what it says, never more than the best, and the state is as it was", () => {
  for (const seed of drawsOf(60, 0, 60).seeds) {
    const problem = tinyPlacement(drawFrom(seed));
    const units = unitsOf(problem);
    if (units === null) continue;
    const state = new State(layoutOf(problem, units));
    longestFirst(state, "both", null);
    state.hbmWeight.fill(1 / Math.max(1, ...state.layout.hbmCapacity));
    state.measure();
    let spent = 0;
    const best = new Best((_, more) => {
      spent += more;
      return false;
    });
    if (!best.offer(state)) continue;
    const first = best.largest;
    const before = state.save();
    const energy = state.energy;
    ruinAndRecreate(state, 0, seededRandom(seed), best, () => {});
    expect(state.save()).toEqual(before);
    expect(state.energy).toBeCloseTo(energy, 9);
    expect(best.largest).toBeLessThanOrEqual(first);
    expect(spent).toBeGreaterThan(0);
    state.restore(best.snapshot ?? before);
    expect(state.isFeasible()).toBe(true);
    expect(state.largest()).toBe(best.largest);
  }
});

test("what a unit takes of devices of unlike memory is a share of each one's own", () => {
  const problem = tinyPlacement(drawFrom(0));
  const half = { cost: 0, hbmBytes: 6, hostBytes: 0 };
  const option = { shardingType: "column_wise", kernel: "fused", partitionBy: "device", shards: [half, half] } as const;
  const unlike: PlacementProblem = {
    ...{ ...problem, nodes: 2, gpusPerNode: 1, hbmBytes: [8, 24], hostBytes: null, together: [], apart: [] },
    tables: [{ name: "t0", devices: null, options: [option] }],
  };
  const layout = layoutOf(unlike, unitsOf(unlike) ?? []);
  const on = (...devices: readonly number[]) =>
    sizeOf(layout, { unit: 0, option: 0, places: Int32Array.from(devices) });
  expect([on(0, 1), on(1, 1), on(0, 0)]).toEqual([1, 0.5, 1.5]);
});

/** Forty tables on two hosts that need 97 % of the memory. */
function tight(): PlacementProblem {
  const text = withCluster(namedText("fused/40x2x8@1.031/7"), { hbmBytesPerGpu: 1_358_310_201 });
  const instance = parseInstance(text, "tight.yaml");
  return placementModel(instance as TablePlacementInstance).problem;
}

test("where memory nearly fills, hosts come to hold what they hold in the best plan known", () => {
  const problem = tight();
  const found = (without: readonly string[]) => {
    let left = 1500;
    const shouldStop = (units = 0) => {
      left -= units;
      return left <= 0;
    };
    const { placement, largest } = searchPlacement(problem, { seed: 0, shouldStop, without: new Set(without) });
    expect(placement).not.toBeNull();
    if (placement !== null) expect(evaluatePlacement(problem, placement).violations).toEqual([]);
    return largest;
  };
  // The best that two minutes find is 8.65676.
  expect(found([])).toBeLessThan(8.8);
  expect(found(["ruins"])).toBeGreaterThan(9);
});
