import {
  type MemoryPrices,
  type OptionTotal,
  optionTotals,
  pooledValue,
  pricedTotal,
} from "../../../../../models/table-placement/aggregated-relaxation.js";
import { effectivePartition } from "../../../../../models/table-placement/constraints.js";
import { dominatedOptions } from "../../../../../models/table-placement/dominated-options.js";
import {
  deviceCount,
  type PlacementOption,
  type PlacementProblem,
  type PlacementTable,
} from "../../../../../models/table-placement/problem.js";
import { memoryDuals } from "./memory-prices.js";

/** What placements of a largest cost below a limit leave of a problem. */
export interface Reduction {
  /** By table, which options such a placement may use. */
  readonly open: readonly (readonly boolean[])[];
  /** The aggregated bound over those; infinite where a table has none. */
  readonly bound: number;
  /** Prices of memory by whose aggregated bound options fell, round by round. The last are those of `bound`. */
  readonly rounds: readonly MemoryPrices[];
}

/** Rounds after which what is left must do. */
const MAX_ROUNDS = 6;

/** What may be sums of doubles apart falls in the proof only where it falls by more than this part of the limit. */
const MARGIN = 1e-12;

/**
 * Leaves out options that no placement with a largest cost below `limit` uses: those with a shard that costs as much, or has room on
 * no device, and, round by round, those by which the aggregated bound would reach the limit. `from`: the options to begin with.
 */
export function reduceOptions(
  problem: PlacementProblem,
  limit: number,
  from: readonly (readonly boolean[])[] = distinctOptions(problem),
): Reduction {
  const totals = optionTotals(problem);
  const open = from.map((own, t) => own.map((isOpen, o) => isOpen && fits(problem, t, o, limit)));
  const rounds: MemoryPrices[] = [];
  for (let round = 0; ; round++) {
    if (open.some((own) => !own.includes(true))) return { open, bound: Number.POSITIVE_INFINITY, rounds };
    const left = totals.map((own, t) => own.filter((_, o) => open[t]?.[o]));
    const duals = memoryDuals(problem, left);
    const bound = pooledValue(problem, left, duals);
    rounds.push(duals);
    if (bound >= limit || round === MAX_ROUNDS || !dropTooDear(problem, totals, open, duals, limit - bound)) {
      return { open, bound, rounds };
    }
  }
}

/** All options that none dominates. */
export function distinctOptions(problem: PlacementProblem): boolean[][] {
  const dominated = dominatedOptions(problem);
  return problem.tables.map(({ options }, t) => options.map((_, o) => !dominated[t]?.has(o)));
}

/** Whether each shard of an option costs less than a limit and has room on some device that it may be on. */
function fits(problem: PlacementProblem, t: number, o: number, limit: number): boolean {
  const { options, devices } = problem.tables[t] as PlacementTable;
  const option = options[o] as PlacementOption;
  const places = devices ?? [...problem.hbmBytes.keys()];
  const isUniform = effectivePartition(problem, option) === "uniform";
  // Copies of hot rows have a device each.
  const copies = option.shards.length - (option.hot?.copies ?? 0);
  return option.shards.every(({ cost, hbmBytes }, shard) => {
    const own = shard >= copies ? [shard - copies] : isUniform ? [shard] : places;
    return cost < limit * (1 + MARGIN) && own.some((d) => hbmBytes <= (problem.hbmBytes[d] as number));
  });
}

/** Options that cost so much more than their table's best that the bound reaches the limit; whether there were some. */
function dropTooDear(
  problem: PlacementProblem,
  totals: readonly (readonly OptionTotal[])[],
  open: boolean[][],
  duals: MemoryPrices,
  room: number,
): boolean {
  const most = room * deviceCount(problem);
  let hasMoved = false;
  totals.forEach((own, t) => {
    const flags = open[t] as boolean[];
    const values = own.map((total) => pricedTotal(total, duals));
    const least = values.reduce((best, value, o) => (flags[o] ? Math.min(best, value) : best), Infinity);
    values.forEach((value, o) => {
      if (!flags[o] || value - least < most * (1 + MARGIN)) return;
      flags[o] = false;
      hasMoved = true;
    });
  });
  return hasMoved;
}

/**
 * The greatest limit below which no placement's largest cost is by the aggregated bound over the options that it
 * leaves; between
 * `low`, which is a bound, and `high`.
 */
export function reducedLimit(problem: PlacementProblem, low: number, high: number): number {
  let [from, to] = [low, high];
  const just = high * (1 - JUST_BELOW);
  if (reduceOptions(problem, just).bound >= just) return just;
  for (let k = 0; k < BISECTIONS && to - from > PRECISION * to; k++) {
    const middle = (from + to) / 2;
    if (reduceOptions(problem, middle).bound >= middle) from = middle;
    else to = middle;
  }
  return from;
}

/** The first limit tried is below a known placement by this part: where it falls, the placement is optimal. */
const JUST_BELOW = 1e-10;

const BISECTIONS = 30;
const PRECISION = 1e-7;
