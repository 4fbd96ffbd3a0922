import {
  type AggregatedOption,
  type AggregatedProgram,
  aggregatedProgram,
} from "../../../../../models/table-placement/aggregated-program.js";
import { pooledMemory } from "../../../../../models/table-placement/aggregated-relaxation.js";
import { estimatedEntries } from "../../../../../models/table-placement/estimated-entries.js";
import { evaluatePlacement } from "../../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { Rational } from "../../../../exact/rational.js";
import { TimeBudget } from "../../../../search/time/time-budget.js";
import { UNITS_PER_SECOND, Work } from "../../../../search/work.js";
import { totals } from "../../plan-file/shortages.js";
import { BestBound } from "../best-bound.js";
import type { BoundProof } from "../bounds/bound-proof.js";
import { judgeOf, KnownPlans } from "../known-plans.js";
import { coreStarts } from "../local-search/core-options.js";
import { searchPlacement } from "../local-search/index.js";
import type { PlacementProgress, PlacementSolution, SolvePlacementOptions } from "../solve-options.js";
import { AggregatedSearch } from "./base-range.js";
import { rangedLimit, rangedProof } from "./range-bound.js";
import { searchPacking } from "./search-packing.js";

/** What the bound over ranges of the base may take, and packing, as shares of all work. */
interface LargeShares {
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
  const bounds = new BestBound(aggregated, plans, budget);
  best = bounds;
  const concluded = (): PlacementSolution => {
    const started = budget.secondsUsed;
    const point = placement === null ? null : aggregated.pointOf(placement);
    const verdict = bounds.verdict(point, gap);
    const ended = budget.secondsUsed;
    const proveSeconds = bounds.milliseconds / 1000 + ended - started;
    return {
      direct: aggregated,
      ...{ verdict, certificate: bounds.certificate, placement, point, nodes: 0, units: work.done },
      ...{ solveSeconds: ended - proveSeconds, proveSeconds },
    };
  };
  const shortage = memoryShortage(aggregated, pooledMemory(problem));
  if (shortage !== null) bounds.offer(shortage);
  if (bounds.isInfeasible) return concluded();
  const search = new AggregatedSearch(problem, aggregated);
  // One without ranges at once, so that something is proved however little time there is.
  const first = search.boundOf(Number.POSITIVE_INFINITY, { low: 0, high: search.most });
  bounds.offer(rangedProof(problem, aggregated, { limit: first.value, bounds: [first], open: null }));
  const bound = rangedLimit(search, work.slice(shares.ranges * all));
  if (bound.limit > first.value) bounds.offer(rangedProof(problem, aggregated, bound));
  report("local search");
  const target = bounds.value.multiply(Rational.one.add(gap)).toNumber();
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
    bestOf([...(found === null ? [] : [found]), ...(options.starts ?? [])]) ??
    bestOf(coreStarts(problem, options, work, all)) ??
    bestOf([searchPlacement(problem, { seed, target, shouldStop: slice }).placement ?? []].flat());
  report("proof");
  return concluded();
}

type Memory = "hbm" | "host" | "ssd";

/** Memories that may be too small together: what an option saves of one it needs of another. */
const KINDS: readonly (readonly Memory[])[] = [["hbm"], ["host"], ["ssd"], ["hbm", "host"], ["hbm", "host", "ssd"]];

/** That all tables together need more memory than all devices have, whichever options they take; `null` where they may not. */
function memoryShortage(
  { program, structure: { tables, memory } }: AggregatedProgram,
  pool: Readonly<Record<Memory, number>>,
): BoundProof | null {
  for (const kinds of KINDS) {
    const rows = kinds.map((kind) => memory[kind]);
    if (rows.includes(null)) continue;
    const of = (read: (kind: Memory) => number) => kinds.reduce((sum, kind) => sum + read(kind), 0);
    const leastOf = (own: readonly AggregatedOption[]) => Math.min(...own.map((option) => of((kind) => option[kind])));
    if (tables.reduce((sum, own) => sum + leastOf(own), 0) <= of((kind) => pool[kind])) continue;
    const multipliers = rows.map((row) => [program.rows[row as number]?.name as string, "-1"]);
    return { claim: null, steps: [{ infeasible: Object.fromEntries(multipliers) }] };
  }
  return null;
}

/** What there is before a program is built, and what makes more of it where devices are many beside goals to come. */
const FIRST: LargeShares = { ranges: 0, packing: 0.02 };
const BY_RANGES: LargeShares = { ranges: 0.05, packing: 0.1 };

/** Below this many entries a program is built at once. */
const MIN_ENTRIES = 100_000;

/** Names by which what makes more of it is left out. */
export const RANGES = "ranges of the base";
export const PACKING = "packing";

/**
 * What a search over the direct program begins with where that takes long to be built: a bound of the aggregated program, and a
 * placement of options as it has them, packed. Of many devices both are near each other long before others are. `null` where the
 * direct program is there as soon.
 */
export function openingOf(problem: PlacementProblem, options: SolvePlacementOptions): PlacementSolution | null {
  // Of hosts that stand for devices a proof is about the direct program.
  if (options.isOfHosts === true) return null;
  // What does not fit by adding up is known without any program of devices.
  if (estimatedEntries(problem) < MIN_ENTRIES && totals(problem).length === 0) return null;
  const { takesAggregated = false, without } = options;
  const shares = takesAggregated && without?.has(RANGES) !== true ? BY_RANGES : FIRST;
  return solveLargePlacement(problem, options, without?.has(PACKING) === true ? { ...shares, packing: 0 } : shares);
}
