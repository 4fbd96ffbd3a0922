import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { type Restriction, withFewerOptions } from "../../../../models/table-placement/restriction.js";
import type { Rational } from "../../../exact/rational.js";
import { UNITS, UNITS_PER_SECOND, type Work } from "../../../search/work.js";
import { boundUnits, type KnownOf, NOTHING_KNOWN, searchedOf, unsearchedBoundOf } from "../solve/known-of.js";
import { isPlain, openingUnits } from "../solve/problem-size.js";
import type { SolvePlacementOptions } from "../solve/solve-options.js";
import { otherPlacement } from "./other-placement.js";

/** What is known of the plans in which one table takes another option than it does. */
export interface KnownWithout {
  readonly table: number;
  readonly known: KnownOf;
  /** Whose bound it is. */
  readonly by: "plan" | "reduction" | "search";
}

export interface WithoutOptions extends Pick<SolvePlacementOptions, "gap" | "seed" | "shouldStop"> {
  readonly work: Work;
  /** Units of work that all of it may take. */
  readonly units: number;
  readonly secondsLeft: () => number;
  /** Entries of the plan's own program, about. */
  readonly entries: number;
  /** What the plan comes to, and what is proved of all plans; `null`: nothing. */
  readonly value: Rational;
  readonly bound: Rational | null;
  /** Told of the table, from 1 on, that is looked into, in each of the passes. */
  readonly onTable: (table: number, all: number) => void;
}

/** Shares of the work for finding other plans and for bounds that need no search; searches have what is left. */
const FINDING_SHARE = 0.2;
const BOUND_SHARE = 0.7;

/** Units of work that finding another plan takes at most. */
const MAX_FINDING = 300;

/** A search of less comes to little more than the bounds before it: so many of these, and so many units. */
const MIN_BOUNDS = 2;
const MIN_UNITS = 40;

/** Searches for one other plan. */
const SET_UPS = 3;

/** Bounds are looked for up to this multiple of the plan's value, where no other plan was found. */
const FAR = 4;

/** Which tables were not looked into, for want of time. */
export interface WithoutChoices {
  readonly known: readonly KnownWithout[];
  readonly unbounded: readonly number[];
  readonly unsearched: readonly number[];
}

/**
 * What the best plan without each table's choice costs, for the tables that have another one. The plan's own bound holds of
 * fewer plans too. Then, in passes over all tables, each the longer the more it tells: other plans by local search, from the
 * plan itself; then, for the tables for which none is as good, bounds that need no search; and where these do not close the
 * gap a search that proves, those first whose other plans cost most.
 */
export async function boundsWithoutChoices(
  problem: PlacementProblem,
  placement: Placement,
  options: WithoutOptions,
): Promise<WithoutChoices> {
  const { work, units, bound, entries, value, secondsLeft, onTable } = options;
  const begun = work.done;
  const isLate = () => work.ask() || secondsLeft() <= 0;
  const isOver = (share: number, needed = 0) => isLate() || work.done - begun + needed > share * units;
  // Made anew in each pass: all of them at once are tables times tables.
  const restrictionOf = ({ table }: { readonly table: number }) =>
    withoutChoice(problem, placement, table) as Restriction;
  const without = problem.tables.flatMap(({ options: own }, table) =>
    own.length < 2 ? [] : [{ table, known: { ...NOTHING_KNOWN, bound } as KnownOf, by: "plan" as By }],
  );
  const all = without.length;
  // A search takes it before it counts: every shard is looked at for every device.
  const setUp = SET_UPS * entries * UNITS.placing;
  for (const [k, one] of without.entries()) {
    if (!isPlain(problem) || isOver(FINDING_SHARE, setUp)) break;
    onTable(k + 1, all);
    const left = FINDING_SHARE * units - (work.done - begun);
    const slice = Math.min(MAX_FINDING, left / (all - k));
    const how = { seed: options.seed, work, units: slice, target: value.toNumber() };
    const { problem: other, whole } = restrictionOf(one);
    work.spend(setUp);
    const found = otherPlacement(other, placement, one.table, how);
    if (found === null) continue;
    one.known = { ...one.known, placement: whole(found), value: evaluatePlacement(other, found).objective };
  }
  // Where a plan without the choice is as good, the choice is not what matters.
  const dearer = without.filter(({ known }) => known.value === null || known.value.compare(value) > 0);
  const reach = ({ known }: (typeof without)[number]) => known.value?.toNumber() ?? FAR * value.toNumber();
  dearer.sort((a, b) => reach(b) - reach(a) || a.table - b.table);
  const unbounded: number[] = [];
  for (const [k, one] of dearer.entries()) {
    if (isOver(BOUND_SHARE, boundUnits(problem, entries))) {
      unbounded.push(one.table);
      continue;
    }
    onTable(k + 1, dearer.length);
    const known = unsearchedBoundOf(restrictionOf(one).problem, bound?.toNumber() ?? 0, reach(one));
    work.spend(known.units);
    if (isBetter(known, one.known.bound)) take(one, known, "reduction");
  }
  const unsearched: number[] = [];
  const open = dearer.filter(({ known }) => !isClosed(known, options.gap));
  const least = MIN_UNITS + MIN_BOUNDS * boundUnits(problem, entries);
  for (const [k, one] of open.entries()) {
    if (isOver(1, least)) {
      unsearched.push(one.table);
      continue;
    }
    onTable(k + 1, open.length);
    const share = Math.max(least, (units - (work.done - begun)) / (open.length - k));
    const { problem: other, whole, part } = restrictionOf(one);
    const start = one.known.placement === null ? null : part(one.known.placement);
    const known = await searchedOf(other, {
      ...{ gap: options.gap, seed: options.seed, timeLimitSeconds: secondsLeft() },
      ...{ workSeconds: share / UNITS_PER_SECOND, mostUnits: share, starts: start === null ? [] : [start] },
      ...(options.shouldStop === undefined ? {} : { shouldStop: options.shouldStop }),
    });
    work.spend(known.units + openingUnits(entries));
    const { placement: found, value: worth } = known;
    const isCheaper = worth !== null && (one.known.value === null || worth.compare(one.known.value) < 0);
    if (isCheaper && found !== null) one.known = { ...one.known, placement: whole(found), value: worth };
    if (isBetter(known, one.known.bound)) take(one, known, "search");
    // What the clock cut short is said; what work ran out for ended where it does on any machine.
    if (isLate() && !isClosed(one.known, options.gap)) unsearched.push(one.table);
  }
  const byTable = (a: KnownWithout, b: KnownWithout) => a.table - b.table;
  return { known: without.map(({ table, known, by }) => ({ table, known, by })).sort(byTable), unbounded, unsearched };
}

type By = KnownWithout["by"];

/** The problem in which a table may not take the option that it has; `null` where it has no other. */
export function withoutChoice(problem: PlacementProblem, { choices }: Placement, table: number): Restriction | null {
  const open = problem.tables.map(({ options }, t) => options.map((_, o) => t !== table || o !== choices[t]?.option));
  return open[table]?.includes(true) ? withFewerOptions(problem, open) : null;
}

/** Takes over a bound with its certificate, beside the plan that was found. */
function take(one: { known: KnownOf; by: By }, { bound, isInfeasible, certificate }: KnownOf, by: By): void {
  one.known = { ...one.known, bound, isInfeasible, certificate };
  one.by = by;
}

function isBetter({ bound, isInfeasible }: KnownOf, than: Rational | null): boolean {
  return isInfeasible || (bound !== null && (than === null || bound.compare(than) > 0));
}

function isClosed({ bound, value, isInfeasible }: KnownOf, gap: Rational): boolean {
  if (isInfeasible) return true;
  return bound !== null && value !== null && value.subtract(bound).compare(value.multiply(gap)) <= 0;
}
