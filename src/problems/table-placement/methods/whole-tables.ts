import type { PlacementProblem, PlacementTable, ShardNeed } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import {
  type Features,
  type PlacementContext,
  type PlacementHeuristic,
  type PlacementHeuristicResult,
  unknownConstraint,
} from "./heuristic.js";

/** A table that a method places in one piece. */
export interface WholeTable {
  readonly name: string;
  /** Index of the option in which the table is one shard on any device. */
  readonly option: number;
  readonly need: ShardNeed;
  readonly features: Features | null;
}

/**
 * The tables as AutoShard's family sees them, each in one piece. Where a table has several such options, the one that costs
 * least is meant, the first of equal ones: with TorchRec's options `table_wise` with the fastest kernel.
 */
export function wholeTables(
  problem: PlacementProblem,
  { instance }: PlacementContext,
): readonly WholeTable[] | PlacementHeuristicResult {
  const unknown = unknownConstraint(problem);
  if (unknown) return unknown;
  const features = new Map(instance?.tables.map((table) => [table.name, table.features]));
  const tables: WholeTable[] = [];
  for (const table of problem.tables) {
    const option = cheapestWhole(table);
    const need = table.options[option]?.shards[0];
    if (!need) {
      const reason = `places tables in one piece, and ${table.name} has no option with one shard for any device`;
      return { kind: "not-applicable", reason };
    }
    tables.push({ name: table.name, option, need, features: features.get(table.name) ?? null });
  }
  return tables;
}

/** A method that places tables in one piece, from what gives the device of each, or says why there is no plan. */
export function onWholeTables(
  homesOf: (
    tables: readonly WholeTable[],
    problem: PlacementProblem,
    context: PlacementContext,
  ) => readonly number[] | PlacementHeuristicResult,
): PlacementHeuristic {
  return (problem, context) => {
    const tables = wholeTables(problem, context);
    if ("kind" in tables) return tables;
    const homes = homesOf(tables, problem, context);
    if ("kind" in homes) return homes;
    const choices = tables.map(({ option }, t) => ({ option, devices: [homes[t] as number] }));
    return { kind: "plan", placement: { choices } };
  };
}

/** The parts that whole tables are under a cost of sets. */
export function partsOf(setCost: SetCost, tables: readonly WholeTable[]): readonly number[] {
  return tables.map(({ option }, table) => setCost.partOf(table, option, 0));
}

/** Index of the option; -1 where there is none. */
function cheapestWhole({ options }: PlacementTable): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, { partitionBy, shards }] of options.entries()) {
    const [shard] = shards;
    if (partitionBy !== "device" || shards.length !== 1 || !shard || !(shard.cost < least)) continue;
    best = index;
    least = shard.cost;
  }
  return best;
}
