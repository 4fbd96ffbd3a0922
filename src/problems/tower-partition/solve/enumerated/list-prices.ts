import type { SizeWindow } from "../../../../program/grouping/grouping.js";
import type { ItemPair } from "../../../../proof/kernel/grouping/node.js";
import type { Without } from "../../../../search/strategies.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import { type Group, leastOverSizes } from "../clusters.js";
import { type SearchPrices, worthOfSearch } from "../dual-values.js";
import type { ClusterUse } from "../group-use.js";
import { GroupMaster, type MasterPrices } from "../master.js";
import { mostFractionalPairs } from "../most-fractional-pairs.js";
import { violatedTriples } from "../subset-row-cuts.js";
import type { ListColumns } from "./list-columns.js";
import { violatedSets } from "./violated-sets.js";

/** What column generation over a list ends with. */
export interface ListPrices {
  /** The prices that prove most. */
  readonly best: SearchPrices;
  /** What they prove, in doubles. */
  readonly bound: number;
  /** The program over the list was solved: its least partition, fractional or not, is made of these groups alone. */
  readonly isSolved: boolean;
  /** The fractional partition at the end, most used first. */
  readonly usage: readonly ClusterUse[];
  /** Two items to branch on; `null` where the program was not solved, or its partition is not fractional. */
  readonly pair: ItemPair | null;
  /** All groups that the master had. */
  readonly groups: readonly Group[];
}

export interface ListPricesOptions {
  readonly window: SizeWindow;
  /** Prices to start around. */
  readonly start: SearchPrices;
  /** Groups to start with. */
  readonly groups: readonly Group[];
  /** Where the bound reaches this, there is nothing more to do. */
  readonly cutoff: number;
  /** Told of prices each time that the program over the list is solved; what is left of the list, `null` for all of it. */
  readonly onSolved: (prices: SearchPrices, bound: number) => ListColumns | null;
  readonly shouldStop: ShouldStop;
  /** Names of {@link POOL_PRICE_STRATEGIES} to leave out. */
  readonly without?: Without;
}

/** What the prices of an enumerated pool can do without, by name. */
export const POOL_PRICE_STRATEGIES: readonly string[] = ["cuts of the pool", "rank-1 cuts", "strong branching"];

/** The radius of the first box, as a part of the mean price, and of one that leaves prices free. */
const FIRST_RADIUS = 0.1;
const WIDEST = 1e5;

/** Pairs that are tried before one is branched on, and what counts as a gain at least, as a part of the value. */
const CANDIDATES = 4;
const MIN_GAIN = 1e-6;

/** A reduced cost counts as negative below this part of the mean price. */
const TOLERANCE = 1e-9;

/** Triples, and other sets, that are added at once, by item. */
const CUTS = 1.5;

/** Rounds of cuts end when so many have closed less than this part of what is open. */
const STALE = 5;
const MIN_RISE = 0.02;

/**
 * Prices of items and of sets of them at which the bound of listed groups is as high as the linear program with the violated cuts
 * makes it. Going through the list finds the groups that the master lacks, so that cuts cost next to nothing here.
 */
export function priceOnList(numbers: DescentProblem, list: ListColumns, options: ListPricesOptions): ListPrices {
  const { window, start, cutoff, shouldStop, without = new Set() } = options;
  let columns = list;
  const master = new GroupMaster(numbers);
  master.addCuts([...start.triples.map(({ items }) => ({ items, divisor: 2 })), ...(start.sets ?? [])]);
  for (const group of options.groups) master.add(group);
  const mean = start.items.reduce((sum, price) => sum + Math.abs(price), 0) / numbers.items || 1;
  let center = { items: start.items, group: 0 };
  let radius = FIRST_RADIUS * mean;
  const focus = () => master.focus(center, radius, (radius * numbers.items) / numbers.groups);
  let best = start;
  let bound = Number.NEGATIVE_INFINITY;
  const addAll = (found: readonly Group[]) => found.filter((group) => master.add(group)).length > 0;
  /** Whether the master got something new; where the groups near had nothing, all were looked at. */
  const look = (prices: SearchPrices, group: number): boolean => {
    const worthless = group - TOLERANCE * mean;
    if (addAll(columns.lookNear(prices, worthless))) return true;
    const { leastBySize, found } = columns.scan(prices, worthless);
    const proved = worthOfSearch(prices) + leastOverSizes(numbers, window, leastBySize);
    if (proved > bound) {
      bound = proved;
      best = prices;
    }
    return addAll(found);
  };
  look(start, Number.POSITIVE_INFINITY);
  let [stale, before] = [0, bound];
  let isSolved = false;
  focus();
  while (bound < cutoff && !shouldStop()) {
    const prices: MasterPrices | null = master.solve(shouldStop);
    if (prices !== null) {
      if (look(prices, prices.group)) continue;
      center = { items: prices.items, group: prices.group };
    }
    if (prices === null || !prices.isFree) {
      if (radius >= WIDEST * mean) break;
      radius *= 2;
      focus();
      continue;
    }
    isSolved = true;
    if (bound >= cutoff) break;
    columns = options.onSolved(best, bound) ?? columns;
    if (without.has("cuts of the pool")) break;
    const isRise = bound - before > MIN_RISE * (cutoff - before);
    stale = isRise ? 0 : stale + 1;
    if (isRise) before = bound;
    if (stale >= STALE) break;
    const most = Math.ceil(CUTS * numbers.items);
    const usage = master.usage();
    const triples = violatedTriples(numbers.items, usage, most).map((items) => ({ items, divisor: 2 }));
    const sets = without.has("rank-1 cuts") ? [] : violatedSets(numbers.items, usage, most);
    if (!master.addCuts([...triples, ...sets])) break;
    radius = FIRST_RADIUS * mean;
    focus();
  }
  const usage = master.usage();
  const pair =
    isSolved && bound < cutoff
      ? surestGain(master, usage, without.has("strong branching") ? 1 : CANDIDATES, shouldStop)
      : null;
  return { best, bound, isSolved, usage, pair, groups: master.groups };
}

/**
 * Of the pairs least sure, the one that raises the value most on both sides, among the groups known (strong branching: the
 * greatest product of the two).
 */
function surestGain(
  master: GroupMaster,
  usage: readonly ClusterUse[],
  candidates: number,
  shouldStop: ShouldStop,
): ItemPair | null {
  const value = usage.reduce((sum, { group, times }) => sum + times * group.cost, 0);
  let best: ItemPair | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const pair of mostFractionalPairs(usage, candidates)) {
    const has = ({ items }: Group) => pair.filter((item) => items.includes(item)).length;
    const together = master.valueWithout((group) => has(group) === 1, shouldStop) - value;
    const apart = master.valueWithout((group) => has(group) === 2, shouldStop) - value;
    const gain = Math.max(together, MIN_GAIN * value) * Math.max(apart, MIN_GAIN * value);
    if (best !== null && !(gain > most)) continue;
    best = pair;
    most = gain;
  }
  return best;
}
