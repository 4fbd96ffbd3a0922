import { deviceCount, type Placement, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import type { TableFeatures } from "../../../instance/types/table-placement.js";

/** What a method made of a problem. */
export type PlacementHeuristicResult =
  | { readonly kind: "plan"; readonly placement: Placement }
  /** The method found no plan. That says nothing about whether there is one. */
  | { readonly kind: "none"; readonly reason: string }
  /** The method needs something that the problem does not have, or does not know something that it has; not an error. */
  | { readonly kind: "not-applicable"; readonly reason: string };

/** What a method may want besides the problem. */
export interface PlacementContext {
  /** Of the random numbers: the same seed gives the same plan. */
  readonly seed: number;
  /** Where the features of tables are looked up, by name: a `TablePlacementInstance` will do. */
  readonly instance?: { readonly tables: readonly { readonly name: string; readonly features: Features | null }[] };
  /**
   * The phases that a shard's cost is the sum of, in the order in which TorchRec adds them up (`Perf.total`). TorchRec's
   * partitioner accumulates each on its own and then adds, which decides between devices whose costs differ in the last
   * bits. Where missing, costs are accumulated whole.
   */
  readonly phases?: (table: number, option: number, shard: number) => readonly number[];
  /**
   * Asked between proposals by the methods that make many; once true, the best plan so far is the result. `placed`:
   * shards placed since it was last asked.
   */
  readonly shouldStop?: (placed?: number) => boolean;
}

/** What the cost functions of AutoShard's family look at. */
export type Features = Pick<TableFeatures, "rows" | "dim" | "elementBytes" | "poolingFactor">;

/** One published method. Every plan that it returns is feasible. */
export type PlacementHeuristic = (problem: PlacementProblem, context: PlacementContext) => PlacementHeuristicResult;

/**
 * Not applicable when the problem has constraints that no published method knows (tables pinned to devices, kept together
 * or apart), `null` otherwise.
 */
export function unknownConstraint(problem: PlacementProblem): PlacementHeuristicResult | null {
  const cannot = (what: string) => ({ kind: "not-applicable", reason: `cannot ${what}` }) as const;
  const devices = deviceCount(problem);
  const none = problem.tables.find(({ refused }) => refused !== undefined);
  if (none) return { kind: "not-applicable", reason: `table ${none.name}: ${none.refused}` };
  const pinned = problem.tables.find((table) => table.devices !== null && new Set(table.devices).size < devices);
  if (pinned) return cannot(`keep a table to devices, as ${pinned.name} asks`);
  if (problem.together.length > 0) return cannot("keep tables together on a device");
  if (problem.apart.length > 0) return cannot("keep tables apart");
  return null;
}

/** A method for problems whose devices have a cost of sets; not applicable to others. */
export function underSetCost(methodOf: (setCost: SetCost) => PlacementHeuristic): PlacementHeuristic {
  return (problem, context) => {
    if (problem.setCost !== undefined) return methodOf(problem.setCost)(problem, context);
    return { kind: "not-applicable", reason: "needs a learned cost (costModel: {neural: FILE})" };
  };
}
