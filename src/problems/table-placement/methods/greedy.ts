import { type GreedyItem, greedyHomes } from "./greedy-homes.js";
import type { Features, PlacementHeuristic } from "./heuristic.js";
import { type WholeTable, wholePlacement, wholeTables } from "./whole-tables.js";

/** A table's estimated cost, in any unit; `null` where the table's features do not say. */
export type CostFunction = (table: WholeTable) => number | null;

/**
 * The greedy algorithm of AutoShard (Zha et al., KDD 2022, section 5.1, "Heuristic Algorithms"): see {@link greedyHomes}; the
 * load of a device is the sum of its tables' estimated costs.
 *
 * `needs` says in words what the cost function needs of every table.
 */
export function greedyBy(costOf: CostFunction, needs: string): PlacementHeuristic {
  return (problem, context) => {
    const whole = wholeTables(problem, context);
    if (whole.kind !== "tables") return whole;
    const costs: number[] = [];
    for (const table of whole.tables) {
      const cost = costOf(table);
      if (cost === null) {
        return { kind: "not-applicable", reason: `needs ${needs} of every table, and ${table.name} has not all` };
      }
      costs.push(cost);
    }
    const items = whole.tables.map((table, t) => greedyItem(table, costs[t] as number));
    const placed = greedyHomes(problem, items, { loadWith: (_, t, before) => before + (costs[t] as number) });
    return placed.kind === "none" ? placed : { kind: "plan", placement: wholePlacement(whole.tables, placed.homes) };
  };
}

/** A whole table as the greedy algorithm takes it. */
export function greedyItem(table: WholeTable, cost: number): GreedyItem {
  return { name: table.name, need: table.need, cost, size: sizeOf(table) };
}

/** Bytes of a table's parameters, as far as its features are known; otherwise of its memory on the device. */
export function sizeOf({ features, need }: Pick<WholeTable, "features" | "need">): number {
  return features === null ? need.hbmBytes : parameterBytes(features);
}

function parameterBytes({ rows, dim, elementBytes }: Features): number {
  return rows * dim * elementBytes;
}
