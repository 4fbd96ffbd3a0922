import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../models/table-placement/problem.js";
import { emptyRoom } from "./room.js";

/** What a greedy method puts on a device in one piece: a table, or a shard of one. */
export interface GreedyItem {
  /** Of its table, for messages. */
  readonly name: string;
  readonly need: ShardNeed;
  /** What it is ordered by. */
  readonly cost: number;
  /** Bytes of its parameters: what equal costs are ordered by. */
  readonly size: number;
}

/** What makes one greedy method differ from another, order and ties aside. Items and devices are numbered from 0. */
export interface GreedyRule {
  /** The load of a device once an item has joined what it has; the load was `before`. Called once for each item. */
  loadWith(device: number, item: number, before: number): number;
  /** Whether a device with room for an item may take it; absent: it may. */
  mayTake?(device: number, item: number): boolean;
}

export type GreedyHomes =
  | { readonly kind: "homes"; readonly homes: readonly number[]; readonly loads: readonly number[] }
  | { readonly kind: "none"; readonly reason: string };

/**
 * The greedy algorithm of AutoShard and NeuroShard with the order and the ties of their public code: items from the largest
 * down by (cost, size, index), each to the device with the smallest load among those with room; ties to the smaller sum of
 * bytes, then to the smaller number.
 *
 * AutoShard's code puts a table that has room nowhere on the last device all the same. Here that is the end: no plan.
 */
export function greedyHomes(problem: PlacementProblem, items: readonly GreedyItem[], rule: GreedyRule): GreedyHomes {
  const order = [...items.keys()].sort((a, b) => byCostThenSize(items[b], items[a]) || b - a);
  const room = emptyRoom(problem);
  const loads = new Array<number>(deviceCount(problem)).fill(0);
  const homes: number[] = [];
  for (const item of order) {
    const { name, need } = items[item] as GreedyItem;
    let best = -1;
    for (const [device, load] of loads.entries()) {
      if (!room.fits(device, need) || rule.mayTake?.(device, item) === false) continue;
      const isBetter = best === -1 || (load - (loads[best] as number) || room.hbmUsed(device) - room.hbmUsed(best)) < 0;
      if (isBetter) best = device;
    }
    if (best === -1) return { kind: "none", reason: noRoom(name, homes, items.length) };
    room.take(best, need);
    loads[best] = rule.loadWith(best, item, loads[best] as number);
    homes[item] = best;
  }
  return { kind: "homes", homes, loads };
}

function byCostThenSize(a: GreedyItem | undefined, b: GreedyItem | undefined): number {
  const [one, other] = [a as GreedyItem, b as GreedyItem];
  return one.cost - other.cost || one.size - other.size;
}

function noRoom(name: string, homes: readonly number[], items: number): string {
  const placed = homes.filter((home) => home !== undefined).length;
  return `no device had room left for ${name} after ${placed} of ${items} tables`;
}
