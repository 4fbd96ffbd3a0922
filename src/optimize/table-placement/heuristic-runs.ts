import type { PlacementModel } from "../../../models/table-placement/from-instance.js";
import { deviceCount, type PlacementProblem } from "../../../models/table-placement/problem.js";
import type { PlacementHeuristic, PlacementHeuristicResult } from "../../heuristics/table-placement/heuristic.js";
import {
  type LearnedCostHeuristicName,
  learnedCostHeuristics,
  type TablePlacementHeuristicName,
  tablePlacementHeuristics,
} from "../../heuristics/table-placement/index.js";
import type { PLACEMENT_PUBLISHED } from "../../plan/method-names.js";
import type { BaselinePlacement } from "../../plan/table-placement/baseline.js";

const HEURISTICS = { ...tablePlacementHeuristics, ...learnedCostHeuristics } satisfies Readonly<
  Record<(typeof PLACEMENT_PUBLISHED)[number], PlacementHeuristic>
>;

export type HeuristicName = TablePlacementHeuristicName | LearnedCostHeuristicName;

/** The published methods of table placement, by name. */
export const TABLE_PLACEMENT_HEURISTICS = Object.keys(HEURISTICS) as HeuristicName[];

/** Those that are worth a line in a comparison: methods for learned costs only where the cost is one. */
export function comparedHeuristics({ setCost }: PlacementProblem): readonly HeuristicName[] {
  return TABLE_PLACEMENT_HEURISTICS.filter((method) => setCost !== undefined || !(method in learnedCostHeuristics));
}

/** Those that a plan is shown beside: rules without chance. */
const BASELINES: readonly TablePlacementHeuristicName[] = [
  "size-greedy",
  "dim-greedy",
  "lookup-greedy",
  "size-lookup-greedy",
  "torchrec-greedy",
  "torchrec-dp",
];

/** Methods that make a proposal for each of many options, and place each of them. */
const PROPOSING: ReadonlySet<string> = new Set(["torchrec-greedy", "torchrec-dp"]);

/** Above this product of options, tables and devices, their proposals take longer than a plan should wait: seconds. */
const MOST_PROPOSAL_WORK = 3e7;

export interface HeuristicRunOptions {
  readonly seed: number;
  /** Methods that make many proposals end with the best so far once this is true. */
  readonly shouldStop?: () => boolean;
}

/** What a published method makes of an instance. */
export function runHeuristic(
  method: HeuristicName,
  { problem, tables, phases }: PlacementModel,
  { seed, shouldStop }: HeuristicRunOptions,
): PlacementHeuristicResult {
  return HEURISTICS[method](problem, {
    seed,
    instance: { tables },
    ...(phases === null ? {} : { phases }),
    ...(shouldStop === undefined ? {} : { shouldStop }),
  });
}

/**
 * The published methods that a plan is shown beside: those that apply and are quick here, whatever the machine, so that
 * equal input gives an equal file. `compare` has them all.
 */
export function baselinePlacements(model: PlacementModel, seed: number): readonly BaselinePlacement[] {
  return placementBaselines(model.problem).flatMap((method) => placementBaseline(method, model, { seed }) ?? []);
}

/** The names of those, whether or not they apply. */
export function placementBaselines(problem: PlacementProblem): readonly TablePlacementHeuristicName[] {
  return BASELINES.filter((method) => hasQuickProposals(method, problem));
}

/** What a published method makes of an instance; `null` where it does not apply. */
export function placementBaseline(
  method: HeuristicName,
  model: PlacementModel,
  options: HeuristicRunOptions,
): BaselinePlacement | null {
  const result = runHeuristic(method, model, options);
  if (result.kind === "not-applicable") return null;
  return result.kind === "plan"
    ? { method, placement: result.placement, reason: null }
    : { method, placement: null, reason: result.reason };
}

/** Whether a method makes no proposals, or few enough. */
export function hasQuickProposals(method: string, problem: PlacementProblem): boolean {
  return !PROPOSING.has(method) || proposalWork(problem) <= MOST_PROPOSAL_WORK;
}

function proposalWork(problem: PlacementProblem): number {
  const options = problem.tables.reduce((sum, table) => sum + table.options.length, 0);
  return options * problem.tables.length * deviceCount(problem);
}
