import type { Room } from "../core/pattern-lp.js";
import type { FlatParts } from "../patterns/dual-weights.js";
import type { DeviceGroup, FreePart } from "./base-model.js";
import type { PatternKnapsack } from "./pattern-knapsack.js";

/**
 * Tables whose rows of the device with most of a shard are needed to show that no pattern is worth more than `most`: those with the
 * largest shards, few if few do. Each row more makes it more work to go through patterns.
 */
export function peakTables(
  knapsack: PatternKnapsack,
  group: DeviceGroup,
  { cost, hbm }: Room,
  worth: (part: FreePart) => number,
  most: number,
): ReadonlySet<number> {
  const overOf = (parts: readonly FreePart[]) => parts.reduce((largest, { over }) => Math.max(largest, over), 0);
  const order = [...group.parts.keys()].filter((t) => overOf(group.parts[t] as readonly FreePart[]) > 0);
  order.sort((a, b) => overOf(group.parts[b] as FreePart[]) - overOf(group.parts[a] as FreePart[]) || a - b);
  for (let count = 0; count < order.length; count = 2 * count + 1) {
    const taken = new Set(order.slice(0, count));
    const parts = group.parts.map((own, t) => (taken.has(t) ? own : own.map((part) => ({ ...part, over: 0 }))));
    if (knapsack.fill({ ...group, parts }, cost, hbm, cost, worth).most <= most) return taken;
  }
  return new Set(order);
}

/** The parts that fit and are worth anything, table by table. */
export function flatParts({ parts }: DeviceGroup, { cost, hbm }: Room, worth: (part: FreePart) => number): FlatParts {
  const starts = [0];
  const items: { part: FreePart; value: number }[] = [];
  for (const own of parts) {
    for (const part of own) {
      const value = worth(part);
      if (value > 0 && part.cost <= cost && part.hbm <= hbm) items.push({ part, value });
    }
    starts.push(items.length);
  }
  return {
    starts: Int32Array.from(starts),
    value: Float64Array.from(items, ({ value }) => value),
    cost: Float64Array.from(items, ({ part }) => part.cost),
    hbm: Float64Array.from(items, ({ part }) => part.hbm),
    host: new Float64Array(items.length),
  };
}
