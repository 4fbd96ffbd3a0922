import { expect, test } from "vitest";
import type { PlacementProblem } from "../../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { longestFirst } from "../../../../../../src/problems/table-placement/solve/local-search/construct.js";
import { heatBath } from "../../../../../../src/problems/table-placement/solve/local-search/heat-bath.js";
import { searchPlacement } from "../../../../../../src/problems/table-placement/solve/local-search/index.js";
import { layoutOf } from "../../../../../../src/problems/table-placement/solve/local-search/layout.js";
import { unitsOf } from "../../../../../../src/problems/table-placement/solve/local-search/movable-shards.js";
import { mayMove } from "../../../../../../src/problems/table-placement/solve/local-search/moves.js";
import { State } from "../../../../../../src/problems/table-placement/solve/local-search/state.js";
import { drawFrom } from "../../../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../../../support/draws.js";
import { tinyPlacement } from "../../../../../support/tiny-placement.js";

/** A state of a problem, with a target that some devices are over; `null` where there are fewer than two devices. */
function stateOf(problem: PlacementProblem): State | null {
  const units = unitsOf(problem);
  const layout = units === null ? null : layoutOf(problem, units);
  if (layout === null || layout.deviceCount < 2) return null;
  const state = new State(layout);
  longestFirst(state, "cost", null);
  state.target = 0.8 * state.largest();
  state.hbmWeight.fill(1 / Math.max(1, ...layout.hbmCapacity));
  state.measure();
  return state;
}

/** The least energy over all ways to part the shards that may change sides between two devices, one way at a time. */
function leastEnergy(state: State, here: number, there: number, slots: readonly number[]): number {
  const places = slots.map((slot) => state.place[slot] as number);
  const put = (slot: number, device: number): void => {
    state.remove(slot);
    state.add(slot, device);
  };
  let least = Number.POSITIVE_INFINITY;
  for (let way = 0; way < 2 ** slots.length; way++) {
    for (const [k, slot] of slots.entries()) put(slot, (way >> k) % 2 === 1 ? here : there);
    least = Math.min(least, state.measure());
  }
  for (const [k, slot] of slots.entries()) put(slot, places[k] as number);
  state.measure();
  return least;
}

test("near temperature 0 the way of least energy is dealt; what is dealt is added up, and can be taken back", () => {
  const random = seededRandom(1);
  let changed = 0;
  const draws = drawsOf(300, 0);
  for (const seed of draws.seeds) {
    const state = stateOf(tinyPlacement(drawFrom(seed)));
    if (state === null) continue;
    const { layout } = state;
    const [here, there] = [0, layout.deviceCount - 1];
    const slots = [...(state.items[here] as number[]), ...(state.items[there] as number[])].filter(
      (slot) =>
        mayMove(state, slot, state.place[slot] === here ? there : here) &&
        !state.isApart(layout.unitOfSlot[slot] as number) &&
        layout.further.every(({ bytes, poolOf }) => poolOf[here] === poolOf[there] || bytes[state.shardOf(slot)] === 0),
    );
    if (slots.length > 8) continue;
    const places = state.place.slice();
    const [energy, least] = [state.energy, leastEnergy(state, here, there, slots)];
    const bath = heatBath(state);
    bath.begin();
    expect(bath.deal(here, there, 1e-12, random)).toBe(slots.length === 0 ? 0 : 2 ** slots.length);
    expect(state.energy, `seed ${seed}`).toBeCloseTo(least, 9);
    expect(state.measure(), `seed ${seed}`).toBeCloseTo(least, 9);
    if (state.place.some((device, slot) => device !== places[slot])) changed++;
    bath.deal(here, there, 1, random);
    bath.undo();
    expect(state.place).toEqual(places);
    expect(state.measure()).toBeCloseTo(energy, 9);
  }
  expect(changed).toBeGreaterThanOrEqual(draws.atLeast(50));
});

/** Tables that are one shard each, on one node. */
function placedWhole(
  needs: readonly { cost: number; hbmBytes: number }[],
  devices: number,
  hbm: number,
): PlacementProblem {
  return {
    ...{ name: "whole", nodes: 1, gpusPerNode: devices, hbmBytes: new Array<number>(devices).fill(hbm) },
    ...{ hostBytes: null, hostIsPooled: false, together: [], apart: [] },
    tables: needs.map((need, t) => ({
      ...{ name: `t${t}`, devices: null },
      options: [
        {
          ...{ shardingType: "table_wise", kernel: "fused", partitionBy: "device" },
          shards: [{ ...need, hostBytes: 0 }],
        },
      ],
    })),
  };
}

test("at a temperature ways are dealt with their odds", () => {
  const needs = [
    { cost: 2, hbmBytes: 1 },
    { cost: 1, hbmBytes: 1 },
  ];
  const state = stateOf(placedWhole(needs, 2, 10)) as State;
  // Together they are over it by 1, apart by 0; there are two ways of each.
  state.target = 2;
  const bath = heatBath(state);
  const random = seededRandom(7);
  const times = 20_000;
  let together = 0;
  for (let k = 0; k < times; k++) {
    bath.begin();
    bath.deal(0, 1, 1, random);
    if (state.place[0] === state.place[1]) together++;
  }
  expect(Math.abs(together / times - Math.exp(-1) / (1 + Math.exp(-1)))).toBeLessThan(0.015);
});

test("annealing by pairs fills devices where costs and bytes leave next to no room", () => {
  const random = seededRandom(3);
  /** So many numbers that add up to 1,000. */
  const parted = (count: number): number[] => {
    const cuts = Array.from({ length: count - 1 }, () => 1 + random.integer(999)).sort((a, b) => a - b);
    return [...cuts, 1000].map((cut, k) => cut - (cuts[k - 1] ?? 0));
  };
  const [devices, each] = [10, 5];
  const needs = Array.from({ length: devices }, () => {
    const bytes = parted(each);
    return parted(each).map((cost, k) => ({ cost, hbmBytes: bytes[k] as number }));
  }).flat();
  const problem = placedWhole(needs, devices, 1010);
  const largest = (without: string) =>
    [1, 2, 3]
      .map((seed) => searchPlacement(problem, { seed, maxRounds: 12, without: new Set([without]) }).largest)
      .reduce((sum, one) => sum + one);
  expect(largest("annealing")).toBeLessThan(largest("annealing by pairs"));
});
