import type { PlacementModel } from "../../../../models/table-placement/from-instance.js";
import { deviceCount, type PlacementProblem } from "../../../../models/table-placement/problem.js";
import { publishedOptions } from "../../../../models/table-placement/published-options.js";
import type { PLACEMENT_PUBLISHED } from "../../../plan-file/method-names.js";
import { STOPPED } from "../../../plan-file/stopped.js";
import { WatchedStop } from "../../../search/time/watched-stop.js";
import { type RerunExtent, rerun } from "../../rerun.js";
import type { MethodsOf } from "../../verification/published-methods.js";
import type { PlacementContext, PlacementHeuristic, PlacementHeuristicResult } from "../methods/heuristic.js";
import {
  type LearnedCostHeuristicName,
  learnedCostHeuristics,
  type TablePlacementHeuristicName,
  tablePlacementHeuristics,
} from "../methods/index.js";
import type { BaselinePlacement } from "../plan-file/baseline.js";

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

/** Those that draw what they try: a plan is shown beside rules without chance. */
const BY_CHANCE: ReadonlySet<HeuristicName> = new Set(["random", "random-search", "simulated-annealing"]);

/** The work of those that may take long, by the size of a problem, in units of some tens of millions a second. */
const WORK: Readonly<Partial<Record<HeuristicName, (problem: PlacementProblem) => number>>> = {
  "torchrec-greedy": proposalWork,
  "torchrec-dp": proposalWork,
  "torchrec-memory-balanced": (problem) => 3 * proposalWork(problem),
  // Eleven limits on dimensions; where tables may be cut, for each of up to 600 lists of shards.
  "neuroshard-search": (problem) =>
    10 * 11 * (hasCuts(problem) ? 600 : 1) * problem.tables.length * deviceCount(problem),
  // A search over many placements: minutes on instances of no great size.
  "simulated-annealing": () => Number.POSITIVE_INFINITY,
  // A network is asked about every table and device.
  "autoshard-rl": (problem) => 2500 * problem.tables.length * deviceCount(problem),
};

/** Above it they take longer than a plan should wait: seconds. */
const MAX_WORK = 3e7;

export interface HeuristicRunOptions {
  readonly seed: number;
  /** Methods that make many proposals end with the best so far once this is true. */
  readonly shouldStop: NonNullable<PlacementContext["shouldStop"]>;
}

/** What a published method makes of an instance. */
export function runHeuristic(
  method: HeuristicName,
  { problem, tables, phases }: PlacementModel,
  { seed, shouldStop }: HeuristicRunOptions,
): PlacementHeuristicResult {
  const known = publishedOptions(problem);
  const bare = known?.problem.tables.find(({ options }) => options.length === 0);
  if (bare !== undefined) {
    const reason = `published methods replicate no hot rows, and the table ${bare.name} has no option without them`;
    return { kind: "not-applicable", reason };
  }
  const ofKnown = (table: number, option: number) => known?.original(table, option) ?? option;
  const result = HEURISTICS[method](known?.problem ?? problem, {
    seed,
    instance: { tables },
    ...(phases === null ? {} : { phases: (t, o, shard) => phases(t, ofKnown(t, o), shard) }),
    shouldStop,
  });
  if (known === null || result.kind !== "plan") return result;
  return { ...result, placement: known.whole(result.placement) };
}

/** What published methods make of an instance, those left out that do not apply. */
export function baselinePlacements(
  methods: readonly HeuristicName[],
  model: PlacementModel,
  options: HeuristicRunOptions,
): readonly BaselinePlacement[] {
  return methods.flatMap((method) => placementBaseline(method, model, options) ?? []);
}

/** The methods that the exact search starts from, also those that draw what they try. */
export function placementStarts(problem: PlacementProblem): readonly HeuristicName[] {
  return comparedHeuristics(problem).filter((method) => isStart(method) && isQuick(method, problem));
}

/**
 * The published methods that a plan is shown beside, whether or not they apply: those that are quick here, whatever the machine, so
 * that equal input gives an equal file. Those that the exact search starts from come first. `compare` has them all.
 */
export function placementBaselines(problem: PlacementProblem): readonly HeuristicName[] {
  return comparedHeuristics(problem).filter((method) => !BY_CHANCE.has(method) && isQuick(method, problem));
}

/** Whether a method ends soon on any machine, by the size of the problem. */
export function isQuick(method: HeuristicName, problem: PlacementProblem): boolean {
  return (WORK[method]?.(publishedOptions(problem)?.problem ?? problem) ?? 0) <= MAX_WORK;
}

/**
 * What a published method makes of an instance, and whether it was stopped before its end; `null` where it does not apply. Once
 * the time is over, only methods that the search starts from are begun.
 */
export function placementBaseline(
  method: HeuristicName,
  model: PlacementModel,
  { seed, shouldStop }: HeuristicRunOptions,
): BaselinePlacement | null {
  const watched = new WatchedStop(shouldStop);
  if (!isStart(method) && watched.ask()) return { method, placement: null, reason: STOPPED };
  const result = runHeuristic(method, model, { seed, shouldStop: watched.ask });
  if (result.kind === "not-applicable") return null;
  const stopped = watched.wasStopped ? STOPPED : null;
  return result.kind === "plan"
    ? { method, placement: result.placement, reason: stopped }
    : { method, placement: null, reason: stopped ?? result.reason };
}

/** Whether the exact search starts from what a method finds: then it finds nothing worse. */
export function isStart(method: HeuristicName): boolean {
  return method in tablePlacementHeuristics;
}

function hasCuts({ tables }: PlacementProblem): boolean {
  return tables.some(({ options }) => options.some(({ shards }) => shards.length > 1));
}

function proposalWork(problem: PlacementProblem): number {
  const options = problem.tables.reduce((sum, table) => sum + table.options.length, 0);
  return options * problem.tables.length * deviceCount(problem);
}

/** The published methods as a verifier runs them again. */
export function placementReruns(extent: RerunExtent): MethodsOf<PlacementModel, BaselinePlacement> {
  return {
    baselines: ({ problem }) => placementBaselines(problem),
    run: (method, model, seed) =>
      rerun(extent, isQuick(method as HeuristicName, model.problem), (shouldStop) =>
        placementBaseline(method as HeuristicName, model, { seed, shouldStop }),
      ),
  };
}
