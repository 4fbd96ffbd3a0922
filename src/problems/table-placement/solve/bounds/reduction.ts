import {
  type MemoryPrices,
  type OptionTotal,
  optionTotals,
  pooledValue,
  pricedTotal,
} from "../../../../../models/table-placement/aggregated-relaxation.js";
import { effectivePartition, everywhereNeeds } from "../../../../../models/table-placement/constraints.js";
import { dominatedOptions } from "../../../../../models/table-placement/dominated-options.js";
import { deviceCount, type PlacementProblem, type ShardNeed } from "../../../../../models/table-placement/problem.js";
import { memoryDuals } from "./memory-prices.js";

/** What placements of a largest cost below a limit leave of a problem. */
export interface Reduction {
  /** By table, which options such a placement may use. */
  readonly open: readonly (readonly boolean[])[];
  /** The aggregated bound over those; infinite where a table has none. */
  readonly bound: number;
  /**
   * Why options fell, round by round: beside what devices must hold anyway, or by the aggregated bound at some prices
   * of memory. The last prices are those of `bound`.
   */
  readonly rounds: readonly ReductionRound[];
}

/** "loads", "memory": beside the cost, or the bytes, of tables that are on every device. */
export type ReductionRound = "loads" | "memory" | MemoryPrices;

/** Rounds after which what is left must do. */
const MAX_ROUNDS = 6;

/** What may be sums of doubles apart falls in the proof only where it falls by more than this part of the limit. */
const MARGIN = 1e-12;

/**
 * Leaves out, round by round, options that no placement with a largest cost below `limit` uses: those with a shard that
 * is too dear or too large for what every device must hold anyway, and those by which the aggregated bound would reach
 * the limit. `from`: the options to begin with.
 */
export function reduceOptions(
  problem: PlacementProblem,
  limit: number,
  from: readonly (readonly boolean[])[] = distinctOptions(problem),
): Reduction {
  const totals = optionTotals(problem);
  const open = from.map((own) => own.slice());
  const rounds: ReductionRound[] = [];
  for (let round = 0; ; round++) {
    rounds.push(...dropTooLarge(problem, open, limit));
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

/**
 * Shards that are too large for every device beside what is there anyway, to a fixed point; the rounds in which there
 * were some.
 */
function dropTooLarge(problem: PlacementProblem, open: boolean[][], limit: number): ReductionRound[] {
  const rounds: ReductionRound[] = [];
  for (;;) {
    const base = leastLoad(problem, open);
    const why = new Set<"loads" | "memory">();
    problem.tables.forEach(({ options, devices }, t) => {
      const own = open[t] as boolean[];
      const places = devices ?? Array.from(base.cost.keys());
      options.forEach((option, o) => {
        if (!own[o]) return;
        const isUniform = effectivePartition(problem, option) === "uniform";
        const copies = option.shards.length - (option.hot?.copies ?? 0);
        for (const [shard, { cost, hbmBytes }] of option.shards.entries()) {
          const reasons: ("loads" | "memory")[] = [];
          const only = shard >= copies ? shard - copies : isUniform ? shard : null;
          const fits = (only === null ? places : [only]).some((d) => {
            const there = base.of(t, d);
            const isCheap = (base.cost[d] as number) - there.cost + cost < limit * (1 + MARGIN);
            const isSmall = (base.hbm[d] as number) - there.hbm + hbmBytes <= (problem.hbmBytes[d] as number);
            reasons.push(isCheap ? "memory" : "loads");
            return isCheap && isSmall;
          });
          if (fits) continue;
          own[o] = false;
          for (const reason of reasons) why.add(reason);
          break;
        }
      });
    });
    if (why.size === 0) return rounds;
    rounds.push(...[...why].sort());
  }
}

/** What each device holds at least of tables that are on every device under all their options. */
interface LeastLoad {
  readonly cost: Float64Array;
  readonly hbm: Float64Array;
  /** The part of one table. */
  of(table: number, device: number): { readonly cost: number; readonly hbm: number };
}

function leastLoad(problem: PlacementProblem, open: readonly (readonly boolean[])[]): LeastLoad {
  const cost = new Float64Array(deviceCount(problem));
  const hbm = new Float64Array(cost.length);
  const nothing = { cost: 0, hbm: 0 };
  const parts = problem.tables.map(({ options }, t) => {
    const left = options.filter((_, o) => open[t]?.[o]);
    const needs = left.map((option) => everywhereNeeds(problem, option));
    if (needs.length === 0 || needs.includes(null)) return null;
    const least = (d: number, read: (need: ShardNeed) => number) =>
      Math.min(...needs.map((own) => (own?.[d] ?? []).reduce((sum, need) => sum + read(need), 0)));
    return Array.from(cost, (_, d) => ({ cost: least(d, (one) => one.cost), hbm: least(d, (one) => one.hbmBytes) }));
  });
  for (const own of parts) {
    own?.forEach((part, d) => {
      cost[d] = (cost[d] as number) + part.cost;
      hbm[d] = (hbm[d] as number) + part.hbm;
    });
  }
  return { cost, hbm, of: (table, device) => parts[table]?.[device] ?? nothing };
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
