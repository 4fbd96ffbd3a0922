import { deviceCount, type PlacementProblem } from "../../../models/table-placement/problem.js";
import type { Features, PlacementHeuristic, PlacementHeuristicResult } from "./heuristic.js";
import { emptyRoom } from "./room.js";
import { type WholeTable, wholePlacement, wholeTables } from "./whole-tables.js";

/** A table's estimated cost, in any unit; `null` where the table's features do not say. */
export type CostFunction = (table: WholeTable) => number | null;

/**
 * The greedy algorithm of AutoShard (Zha et al., KDD 2022, section 5.1, "Heuristic Algorithms") with the order and the ties
 * of its public code, which NeuroShard shares: tables from the largest down by (cost, size, index), each to the device with
 * the smallest sum of costs among those with room; ties to the smaller sum of bytes, then to the smaller number.
 *
 * The public code puts a table that has room nowhere on the last device all the same. Here that is the end: no plan.
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
    return place(problem, whole.tables, costs);
  };
}

/** Bytes of a table's parameters, as far as its features are known; otherwise of its memory on the device. */
export function sizeOf({ features, need }: Pick<WholeTable, "features" | "need">): number {
  return features === null ? need.hbmBytes : parameterBytes(features);
}

function parameterBytes({ rows, dim, elementBytes }: Features): number {
  return rows * dim * elementBytes;
}

function place(
  problem: PlacementProblem,
  tables: readonly WholeTable[],
  costs: readonly number[],
): PlacementHeuristicResult {
  const sizes = tables.map(sizeOf);
  const order = [...tables.keys()].sort((a, b) => compare(costs[b], costs[a]) || compare(sizes[b], sizes[a]) || b - a);
  const room = emptyRoom(problem);
  const sums = new Array<number>(deviceCount(problem)).fill(0);
  const homes: number[] = [];
  for (const t of order) {
    const { name, need } = tables[t] as WholeTable;
    let best = -1;
    for (const [device, sum] of sums.entries()) {
      if (!room.fits(device, need)) continue;
      const isBetter =
        best === -1 || (compare(sum, sums[best]) || compare(room.hbmUsed(device), room.hbmUsed(best))) < 0;
      if (isBetter) best = device;
    }
    if (best === -1) return { kind: "none", reason: noRoom(name, homes, tables.length) };
    room.take(best, need);
    sums[best] = (sums[best] as number) + (costs[t] as number);
    homes[t] = best;
  }
  return { kind: "plan", placement: wholePlacement(tables, homes) };
}

function noRoom(name: string, homes: readonly number[], tables: number): string {
  const placed = homes.filter((home) => home !== undefined).length;
  return `no device had room left for ${name} after ${placed} of ${tables} tables`;
}

function compare(a: number | undefined, b: number | undefined): number {
  return (a as number) - (b as number);
}
