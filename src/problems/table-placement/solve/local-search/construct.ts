import type { Layout } from "./layout.js";
import { placeUnit } from "./moves.js";
import type { State } from "./state.js";

/** What is placed first; the ways differ in what they take for the size of a unit. */
export type Order = "cost" | "memory" | "both";

export const ORDERS: readonly Order[] = ["cost", "both", "memory"];

/**
 * Longest processing time first (Graham, SIAM J. Appl. Math. 17, 1969), with memory: units in falling order of size, each
 * where the energy grows least, then where the load is least. With `options`, the option of each unit is given.
 */
export function longestFirst(state: State, order: Order, options: Int32Array | null): void {
  const { layout } = state;
  state.clear();
  const size = sizes(layout, order, options);
  const units = [...layout.units.keys()].sort((a, b) => (size[b] as number) - (size[a] as number) || a - b);
  for (const unit of units)
    placeUnit(state, unit, options === null ? bestOption(state, unit) : (options[unit] as number), null, 0);
  state.refresh();
}

/** The option of a unit without places under which the energy grows least. */
export function bestOption(state: State, unit: number): number {
  const { optionStart } = state.layout;
  const from = optionStart[unit] as number;
  const to = optionStart[unit + 1] as number;
  if (to === from + 1) return from;
  let best = from;
  let bestEnergy = Number.POSITIVE_INFINITY;
  const before = state.energy;
  for (let option = from; option < to; option++) {
    placeUnit(state, unit, option, null, 0);
    const energy = state.energy - before;
    state.removeUnit(unit);
    if (energy < bestEnergy) [best, bestEnergy] = [option, energy];
  }
  return best;
}

/** The largest shard of each unit, as a share of a device; of the cheapest option where none is given. */
function sizes(layout: Layout, order: Order, options: Int32Array | null): Float64Array {
  const capacity = layout.hbmCapacity.reduce((sum, bytes) => sum + bytes, 0) / layout.deviceCount || 1;
  const average = layout.average || 1;
  return Float64Array.from(layout.units, (_, unit) => {
    const from = layout.optionStart[unit] as number;
    const to = layout.optionStart[unit + 1] as number;
    const list = options === null ? Array.from({ length: to - from }, (_, k) => from + k) : [options[unit] as number];
    return Math.min(...list.map((option) => sizeOf(layout, option, order, average, capacity)));
  });
}

function sizeOf(layout: Layout, option: number, order: Order, average: number, capacity: number): number {
  let size = 0;
  for (let shard = layout.shardStart[option] as number; shard < (layout.shardStart[option + 1] as number); shard++) {
    const cost = order === "memory" ? 0 : (layout.cost[shard] as number) / average;
    const bytes = order === "cost" ? 0 : (layout.hbm[shard] as number) / capacity;
    size = Math.max(size, cost + bytes);
  }
  return size;
}
