import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import { type PlacementHeuristic, underSetCost } from "./heuristic.js";
import { emptyRoom } from "./room.js";
import { onWholeTables, partsOf, type WholeTable } from "./whole-tables.js";

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
  const order = [...items.entries()].sort(([a, one], [b, other]) => {
    return other.cost - one.cost || other.size - one.size || b - a;
  });
  const room = emptyRoom(problem);
  const loads = new Array<number>(deviceCount(problem)).fill(0);
  const homes: number[] = [];
  for (const [placed, [item, { name, need }]] of order.entries()) {
    let best = -1;
    for (const [device, load] of loads.entries()) {
      if (!room.fits(device, need) || rule.mayTake?.(device, item) === false) continue;
      const isBetter = best === -1 || (load - (loads[best] as number) || room.hbmUsed(device) - room.hbmUsed(best)) < 0;
      if (isBetter) best = device;
    }
    if (best === -1) {
      return { kind: "none", reason: `no device had room left for ${name} after ${placed} of ${items.length} tables` };
    }
    room.take(best, need);
    loads[best] = rule.loadWith(best, item, loads[best] as number);
    homes[item] = best;
  }
  return { kind: "homes", homes, loads };
}

/** Loads under a cost of sets, which do not add up: `parts` has the part of each item. */
export function setLoads(
  setCost: SetCost,
  problem: PlacementProblem,
  parts: readonly number[],
): GreedyRule["loadWith"] {
  const here: number[][] = Array.from({ length: deviceCount(problem) }, () => []);
  return (device, item) => {
    const own = here[device] as number[];
    own.push(parts[item] as number);
    return setCost.costOfSet(own);
  };
}

/**
 * The greedy algorithm of AutoShard (Zha et al., KDD 2022, section 5.1, "Heuristic Algorithms"): see {@link greedyHomes}; the
 * load of a device is the sum of its tables' estimated costs, in any unit.
 *
 * `costOf` gives `null` where a table's features do not say; `needs` says in words what it needs of every table; `loadsOf`: where
 * loads are no such sums.
 */
function greedyBy(
  costOf: (table: WholeTable) => number | null,
  needs: string,
  loadsOf?: (problem: PlacementProblem, tables: readonly WholeTable[]) => GreedyRule["loadWith"],
): PlacementHeuristic {
  return onWholeTables((tables, problem) => {
    const items: GreedyItem[] = [];
    for (const table of tables) {
      const cost = costOf(table);
      if (cost === null) {
        return { kind: "not-applicable", reason: `needs ${needs} of every table, and ${table.name} has not all` };
      }
      items.push({ ...table, cost, size: sizeOf(table) });
    }
    const sums: GreedyRule["loadWith"] = (_, t, before) => before + (items[t] as GreedyItem).cost;
    const placed = greedyHomes(problem, items, { loadWith: loadsOf?.(problem, tables) ?? sums });
    return placed.kind === "none" ? placed : placed.homes;
  });
}

/** Bytes of a table's parameters, as far as its features are known; otherwise of its memory on the device. */
function sizeOf({ features, need }: WholeTable): number {
  return features === null ? need.hbmBytes : features.rows * features.dim * features.elementBytes;
}

function lookupsOf({ features }: WholeTable): number | null {
  return features?.poolingFactor == null ? null : features.dim * features.poolingFactor;
}

/**
 * size-greedy (AutoShard, section 5.1): the greedy algorithm on the bytes of the parameters, rows · dim · bytes per element.
 * Tables that are given by cost and bytes alone are taken at those bytes.
 */
export const sizeGreedy = greedyBy(sizeOf, "the bytes");

/** dim-greedy (AutoShard, section 5.1): the greedy algorithm on the dimension. */
export const dimGreedy = greedyBy(({ features }) => features?.dim ?? null, "the dimension");

/**
 * lookup-greedy (AutoShard, section 5.1): the greedy algorithm on dimension · mean pooling factor. Where that is the cost
 * model too and memory is slack, it is often optimal already.
 */
export const lookupGreedy = greedyBy(lookupsOf, "the dimension and the pooling factor");

/** size-lookup-greedy (DreamShard and NeuroShard's code): the greedy algorithm on dimension · mean pooling factor · log₁₀ rows. */
export const sizeLookupGreedy = greedyBy((table) => {
  const lookups = lookupsOf(table);
  return lookups === null ? null : lookups * Math.log10(table.features?.rows as number);
}, "the rows, the dimension and the pooling factor");

const predictedCost = ({ need }: WholeTable) => need.cost;

/**
 * predicted-greedy-single: the greedy algorithm on the cost that the network predicts for each table alone, as if these added
 * up. What is left of AutoShard's cost network when its sets are left out.
 */
export const predictedGreedySingle = underSetCost(() => greedyBy(predictedCost, "a predicted cost"));

/**
 * predicted-greedy: tables from the largest predicted single-table cost down, each to the device whose predicted cost for all
 * its tables is smallest so far. It is the inner loop of NeuroShard's search (Zha et al., MLSys 2023, public code), whole
 * tables alone and without its limit on dimensions.
 */
export const predictedGreedy = underSetCost((setCost) =>
  greedyBy(predictedCost, "a predicted cost", (problem, tables) =>
    setLoads(setCost, problem, partsOf(setCost, tables)),
  ),
);
