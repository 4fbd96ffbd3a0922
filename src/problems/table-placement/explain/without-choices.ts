import { type OptionTotal, optionTotals, pooledValue } from "../../../../models/table-placement/aggregated-relaxation.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { type Restriction, withFewerOptions } from "../../../../models/table-placement/restriction.js";
import type { Rational } from "../../../exact/rational.js";
import type { Work } from "../../../search/work.js";
import { memoryDuals } from "../solve/bounds/memory-prices.js";
import { boundUnits, type KnownOf, pooledBoundOf, searchedOf } from "../solve/known-of.js";
import type { SolvePlacementOptions } from "../solve/solve-options.js";

/** What is known of the plans in which one table takes another option than it does. */
export interface KnownWithout {
  readonly table: number;
  readonly known: KnownOf;
  readonly by: "plan" | "pooled bound" | "search";
}

export interface WithoutOptions extends Omit<SolvePlacementOptions, "timeLimitSeconds" | "starts" | "onProgress"> {
  readonly work: Work;
  /** Units of work that all of it may take. */
  readonly units: number;
  readonly secondsLeft: () => number;
  /** Entries of the plan's own program. */
  readonly entries: number;
  /** What is proved of all plans; `null`: nothing. */
  readonly bound: Rational | null;
  readonly onTable: (done: number, all: number) => void;
}

/** A search of less than so many checks of a bound comes to little more than the pooled bound. */
const LEAST_CHECKS = 6;
const LEAST_UNITS = 40;

/** The share of the work that pooled bounds may take. */
const POOLED_SHARE = 0.4;

/** The problem in which a table may not take the option that it has; `null` where it has no other. */
export function withoutChoice(problem: PlacementProblem, { choices }: Placement, table: number): Restriction | null {
  const open = problem.tables.map(({ options }, t) => options.map((_, o) => t !== table || o !== choices[t]?.option));
  return open[table]?.includes(true) ? withFewerOptions(problem, open) : null;
}

/**
 * Bounds of what the best plan without each table's choice costs. First, for every table, from the plan's own bound, which
 * holds of fewer plans too; then pooled bounds, for the tables where these are higher, as doubles have it; then a search for
 * each in what is left of the work, the tables whose choice costs most to change first. The tables that no search had work
 * left for are `unsearched`.
 */
export async function boundsWithoutChoices(
  problem: PlacementProblem,
  placement: Placement,
  options: WithoutOptions,
): Promise<{ readonly known: readonly KnownWithout[]; readonly unsearched: readonly number[] }> {
  const { work, units, bound, entries } = options;
  const end = work.done + units;
  const ranked = rankedTables(problem, placement);
  const found = new Map<number, KnownWithout>();
  for (const { table } of ranked) found.set(table, { table, known: { ...NOTHING, bound }, by: "plan" });
  const pooledEnd = work.done + POOLED_SHARE * units;
  for (const { table, pooled } of ranked) {
    if (pooled <= (bound?.toNumber() ?? 0) || work.ask() || work.done + boundUnits(entries) > pooledEnd) continue;
    const known = pooledBoundOf(restrictionOf(problem, placement, table).problem);
    work.spend(known.units);
    if (isBetter(known, bound)) found.set(table, { table, known, by: "pooled bound" });
  }
  const left = ranked.map(({ table }) => table);
  const all = left.length;
  const least = LEAST_UNITS + LEAST_CHECKS * boundUnits(entries);
  while (left.length > 0 && !work.ask() && end - work.done >= least && options.secondsLeft() > 0) {
    const table = left.shift() as number;
    options.onTable(all - left.length, all);
    const share = Math.max(least, (end - work.done) / (left.length + 1));
    const { before, known } = await searched(problem, placement, table, share, options, found);
    if (!isBetter(known, before.bound) && known.placement === null) continue;
    const isHigher = isBetter(known, before.bound);
    const own = found.get(table) as KnownWithout;
    const { placement: other, value } = known;
    found.set(table, isHigher ? { table, known, by: "search" } : { ...own, known: { ...before, placement: other, value } });
  }
  return { known: [...found.values()].sort((a, b) => a.table - b.table), unsearched: left };
}

async function searched(
  problem: PlacementProblem,
  placement: Placement,
  table: number,
  share: number,
  { work, secondsLeft, gap, seed, without, shouldStop }: WithoutOptions,
  found: ReadonlyMap<number, KnownWithout>,
): Promise<{ readonly before: KnownOf; readonly known: KnownOf }> {
  const { problem: other, whole } = restrictionOf(problem, placement, table);
  const known = await searchedOf(other, {
    ...{ gap, seed, timeLimitSeconds: secondsLeft(), workSeconds: share / 1000, mostUnits: share },
    ...(without === undefined ? {} : { without }),
    ...(shouldStop === undefined ? {} : { shouldStop }),
  });
  work.spend(known.units);
  const own = known.placement === null ? null : whole(known.placement);
  return { before: (found.get(table) as KnownWithout).known, known: { ...known, placement: own } };
}

const NOTHING: KnownOf = {
  ...{ bound: null, isInfeasible: false, certificate: null, placement: null, value: null, units: 0 },
};

function isBetter({ bound, isInfeasible }: KnownOf, than: Rational | null): boolean {
  return isInfeasible || (bound !== null && (than === null || bound.compare(than) > 0));
}

function restrictionOf(problem: PlacementProblem, placement: Placement, table: number): Restriction {
  return withoutChoice(problem, placement, table) as Restriction;
}

/** The tables with another option, by what the pooled relaxation says that theirs is worth, the most first. */
function rankedTables(
  problem: PlacementProblem,
  { choices }: Placement,
): readonly { readonly table: number; readonly pooled: number }[] {
  const totals = optionTotals(problem);
  return problem.tables
    .flatMap(({ options }, table) => {
      if (options.length < 2) return [];
      const left = totals.map((own, t) => (t === table ? own.filter((_, o) => o !== choices[t]?.option) : own));
      return [{ table, pooled: pooledEstimate(problem, left) }];
    })
    .sort((a, b) => b.pooled - a.pooled || a.table - b.table);
}

function pooledEstimate(problem: PlacementProblem, totals: readonly (readonly OptionTotal[])[]): number {
  return pooledValue(problem, totals, memoryDuals(problem, totals));
}
