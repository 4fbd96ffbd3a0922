import { aggregatedProgram } from "../../../../../models/table-placement/aggregated-program.js";
import { pooledMemory } from "../../../../../models/table-placement/aggregated-relaxation.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { TimeBudget } from "../../../../search/time/time-budget.js";
import { UNITS_PER_SECOND, Work } from "../../../../search/work.js";
import { BestBound } from "../best-bound.js";
import { judgeOf, KnownPlans } from "../known-plans.js";
import { coreStarts } from "../local-search/core-options.js";
import { type FoundPlacement, searchPlacement } from "../local-search/index.js";
import type { PlacementProgress, PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { AggregatedSearch } from "./base-range.js";
import { memoryShortage } from "./memory-shortage.js";
import { rangedLimit, rangedProof } from "./range-bound.js";
import { searchPacking } from "./search-packing.js";

/** What the bound over ranges of the base may take, and packing, as shares of all work. */
export interface LargeShares {
  readonly ranges: number;
  readonly packing: number;
}

const ALL: LargeShares = { ranges: 0.15, packing: Number.POSITIVE_INFINITY };
/** What is kept of the time to evaluate the placement in exact arithmetic, and write it. */
const EVALUATION_SHARE = 0.06;

/**
 * Places many tables on many devices, and proves how good that is by the aggregated program, without the direct one: its
 * bound over ranges of the base first, then options as the relaxation has them, packed and brought down towards it. For
 * the largest cost alone. Throws `RangeError` as `aggregatedProgram` does.
 */
export function solveLargePlacement(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
  shares = ALL,
): PlacementSolution {
  const { gap, timeLimitSeconds, mostUnits, seed, shouldStop, isTaken = () => true } = options;
  // The program is small: its bounds are checked however late it is.
  const budget = new TimeBudget(Number.POSITIVE_INFINITY, shouldStop);
  const searching = new TimeBudget((1 - EVALUATION_SHARE) * timeLimitSeconds, shouldStop);
  const work = new Work(searching.isOver, mostUnits);
  const all = UNITS_PER_SECOND * (options.workSeconds ?? timeLimitSeconds);
  let incumbent: number | null = null;
  const report = (phase: PlacementProgress["phase"]) => {
    options.onProgress?.({
      ...{ phase, nodes: 0, openNodes: 0 },
      incumbent: incumbent === null ? null : Rational.fromNumber(incumbent),
      bound: best?.certificate ? best.value : null,
    });
  };
  let best: BestBound | null = null;
  report("pooled bound");
  const aggregated = aggregatedProgram(problem);
  let placement: Placement | null = null;
  const plans = new KnownPlans(options.judge ?? judgeOf(problem), () => placement);
  for (const start of options.starts ?? []) plans.add(start);
  best = new BestBound(aggregated, plans, budget);
  const shortage = memoryShortage(aggregated, pooledMemory(problem));
  if (shortage !== null) best.offer(shortage);
  if (best.isInfeasible) {
    return {
      direct: aggregated,
      ...{ verdict: best.verdict(null, gap), certificate: best.certificate, placement: null, point: null, nodes: 0 },
      ...{ units: work.done, solveSeconds: budget.secondsUsed - best.milliseconds / 1000 },
      proveSeconds: best.milliseconds / 1000,
    };
  }
  const search = new AggregatedSearch(problem, aggregated);
  // One without ranges at once, so that something is proved however little time there is.
  const first = search.boundOf(Number.POSITIVE_INFINITY, { low: 0, high: search.most });
  best.offer(rangedProof(problem, aggregated, { limit: first.value, bounds: [first], open: null }));
  const bound = rangedLimit(search, work.slice(shares.ranges * all));
  if (bound.limit > first.value) best.offer(rangedProof(problem, aggregated, bound));
  report("local search");
  const target = best.value.multiply(Rational.one.add(gap)).toNumber();
  // A packing knows nothing of shards that belong together or apart, and would have all of the work before that shows.
  const isPacked = problem.together.length + problem.apart.length === 0;
  const slice = work.slice(shares.packing * all);
  const packed = {
    ...{ seed, target, shouldStop: slice },
    onBetter: (largest: number) => {
      incumbent = largest;
      report("local search");
    },
  };
  const found = isPacked ? searchPacking(problem, search, bound, packed) : null;
  const bestOf = (placements: readonly Placement[]) =>
    placements
      .map((placement) => ({ placement, ...evaluatePlacement(problem, placement) }))
      .filter(({ placement, violations }) => violations.length === 0 && isTaken(placement))
      .reduce<{ readonly placement: Placement; readonly largest: Rational } | null>(
        (least, one) => (least === null || one.largest.compare(least.largest) < 0 ? one : least),
        null,
      )?.placement ?? null;
  // Local search goes shard by shard: where options are none that a packing knows, or none of that was found.
  placement =
    bestOf([...(found === null ? [] : [found.placement]), ...(options.starts ?? [])]) ??
    bestOf(coreStarts(problem, options, work, all)) ??
    bestOf(placementsOf(searchPlacement(problem, { seed, target, shouldStop: slice })));
  report("proof");
  const started = budget.secondsUsed;
  const point = placement === null ? null : aggregated.pointOf(placement);
  const verdict = best.verdict(point, gap);
  const ended = budget.secondsUsed;
  const proveSeconds = best.milliseconds / 1000 + ended - started;
  return {
    direct: aggregated,
    ...{ verdict, certificate: best.certificate, placement, point, nodes: 0, units: work.done },
    ...{ solveSeconds: ended - proveSeconds, proveSeconds },
  };
}

function placementsOf({ placement }: FoundPlacement): readonly Placement[] {
  return placement === null ? [] : [placement];
}
