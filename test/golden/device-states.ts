import { expect } from "vitest";
import type { PlacementProblem, PlacementTable } from "../../models/table-placement/problem.js";

/** Cost in units, and bytes, of what a device has so far. */
type Device = readonly [cost: number, bytes: number];

/** So many equal shards on any devices. */
interface Cut {
  readonly shards: number;
  readonly cost: number;
  readonly bytes: number;
}

/**
 * Whether the tables can be placed with no device above `limit`: by trying all of them, table by table, and keeping each
 * state of the devices once. Independent of any solver and of the programs they are given.
 *
 * For equal devices, and options whose shards are equal and go anywhere. `unit`: costs and limit are whole multiples of
 * 1/unit, up to the rounding of doubles. A state is given up only when the least of the tables to come would not fit in
 * what is left of all devices together.
 */
export function canPlaceWithin(problem: PlacementProblem, limit: number, unit: number): boolean {
  const devices = problem.hbmBytes.length;
  const [bytes] = problem.hbmBytes as [number];
  expect(new Set(problem.hbmBytes)).toEqual(new Set([bytes]));
  const most = Math.round(limit * unit);
  const tables = problem.tables.map((table) => cutsOf(table, unit).filter(({ cost }) => cost <= most));
  const least = (cuts: readonly Cut[]) => Math.min(...cuts.map(({ shards, cost }) => shards * cost));
  tables.sort((a, b) => least(b) - least(a));
  let toCome = tables.reduce((sum, cuts) => sum + least(cuts), 0);
  let states: readonly (readonly Device[])[] = [Array.from({ length: devices }, () => [0, 0] as const)];
  for (const cuts of tables) {
    toCome -= least(cuts);
    const next = new Map<string, readonly Device[]>();
    for (const state of states) {
      const room = devices * most - toCome - state.reduce((sum, [cost]) => sum + cost, 0);
      for (const cut of cuts) {
        if (cut.shards * cut.cost > room) continue;
        for (const reached of spread(state, cut, most, bytes)) next.set(reached.join(";"), reached);
      }
    }
    states = [...next.values()];
  }
  return states.length > 0;
}

function cutsOf({ options }: PlacementTable, unit: number): readonly Cut[] {
  return options.map(({ partitionBy, shards }) => {
    expect(partitionBy).toBe("device");
    const [shard] = shards as [(typeof shards)[number]];
    expect(shards.every(({ cost, hbmBytes }) => cost === shard.cost && hbmBytes === shard.hbmBytes)).toBe(true);
    const cost = shard.cost * unit;
    expect(Math.abs(cost - Math.round(cost))).toBeLessThan(1e-6);
    return { shards: shards.length, cost: Math.round(cost), bytes: shard.hbmBytes };
  });
}

/** The states that a table's shards lead to; devices alike get falling numbers of shards. */
function spread(state: readonly Device[], cut: Cut, most: number, bytes: number): readonly (readonly Device[])[] {
  const found: (readonly Device[])[] = [];
  const step = (index: number, left: number, before: number, reached: readonly Device[]): void => {
    if (index === state.length) {
      if (left === 0) found.push([...reached].sort(byCostThenBytes));
      return;
    }
    const own = state[index] as Device;
    const alike = index > 0 && byCostThenBytes(own, state[index - 1] as Device) === 0;
    const fitting = Math.min(
      left,
      Math.floor((most - own[0]) / cut.cost),
      Math.floor((bytes - own[1]) / cut.bytes),
      alike ? before : left,
    );
    for (let here = 0; here <= fitting; here++) {
      step(index + 1, left - here, here, [...reached, [own[0] + here * cut.cost, own[1] + here * cut.bytes]]);
    }
  };
  step(0, cut.shards, cut.shards, []);
  return found;
}

function byCostThenBytes(a: Device, b: Device): number {
  return a[0] - b[0] || a[1] - b[1];
}
