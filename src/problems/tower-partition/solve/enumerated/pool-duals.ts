import type { SizeWindow } from "../../../../program/grouping/grouping.js";
import type { ElementPair } from "../../../../proof/kernel/grouping/node.js";
import type { Without } from "../../../../search/strategies.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import { type Cluster, leastOverSizes } from "../clusters.js";
import { type SearchDuals, worthOfSearch } from "../dual-values.js";
import { ClusterMaster, type ClusterUse } from "../master.js";
import { mostFractionalPairs } from "../most-fractional-pairs.js";
import { violatedSets, violatedSubsetRows } from "../violated-sets.js";
import type { ListColumns } from "./list-columns.js";

/** What column generation over a list ends with. */
export interface ListDuals {
  /** The dual values that prove most. */
  readonly best: SearchDuals;
  /** What they prove, in doubles. */
  readonly bound: number;
  /** The program over the list was solved: its least partition, fractional or not, is made of these clusters alone. */
  readonly isSolved: boolean;
  /** The fractional partition at the end, most used first. */
  readonly usage: readonly ClusterUse[];
  /** Two elements to branch on; `null` where the program was not solved, or its partition is not fractional. */
  readonly pair: ElementPair | null;
  /** All clusters that the master had. */
  readonly clusters: readonly Cluster[];
}

export interface ListDualsOptions {
  readonly window: SizeWindow;
  /** Dual values to start around. */
  readonly start: SearchDuals;
  /** Clusters to start with. */
  readonly clusters: readonly Cluster[];
  /** Where the bound reaches this, there is nothing more to do. */
  readonly cutoff: number;
  /**
   * Told of dual values each time that the program over the list is solved; what is left of the list, `null` for all of
   * it.
   */
  readonly onSolved: (duals: SearchDuals, bound: number) => ListColumns | null;
  readonly shouldStop: ShouldStop;
  /** Names of {@link POOL_DUAL_STRATEGIES} to leave out. */
  readonly without?: Without;
}

/** What the dual values of an enumerated pool can do without, by name. */
export const POOL_DUAL_STRATEGIES: readonly string[] = ["cuts of the pool", "rank-1 cuts", "strong branching"];

/** The radius of the first box, as a part of the mean price. */
const FIRST_RADIUS = 0.1;

/** Pairs that are tried before one is branched on, and what counts as a gain at least, as a part of the value. */
const CANDIDATES = 4;
const MIN_GAIN = 1e-6;

/** 3-subset rows, and other sets, that are added at once, by element. */
const CUTS = 1.5;

/** Rounds of cuts end when so many have closed less than this part of what is open. */
const STALE = 5;
const MIN_RISE = 0.02;

/**
 * Dual values of elements and of sets of them at which the bound of listed clusters is as high as the linear program
 * with the violated cuts makes it. Going through the list finds the clusters that the master lacks, so that cuts cost
 * next to nothing here.
 */
export async function dualOnList(
  numbers: DescentProblem,
  list: ListColumns,
  options: ListDualsOptions,
): Promise<ListDuals> {
  const around = { center: options.start.elements, radius: FIRST_RADIUS };
  return ClusterMaster.using(numbers, around, (master) => dualWith(master, numbers, list, options));
}

function dualWith(
  master: ClusterMaster,
  numbers: DescentProblem,
  list: ListColumns,
  options: ListDualsOptions,
): ListDuals {
  const { window, start, cutoff, shouldStop, without = new Set() } = options;
  let columns = list;
  master.addCuts(start.sets);
  master.addAll(options.clusters);
  let best = start;
  let bound = Number.NEGATIVE_INFINITY;
  /** Whether the master got something new; where the clusters near had nothing, all were looked at. */
  const look = (duals: SearchDuals, below: number): boolean => {
    if (master.addAll(columns.lookNear(duals, below))) return true;
    const { leastBySize, found } = columns.scan(duals, below);
    const proved = worthOfSearch(duals) + leastOverSizes(numbers, window, leastBySize);
    if (proved > bound) {
      bound = proved;
      best = duals;
    }
    return master.addAll(found);
  };
  look(start, Number.POSITIVE_INFINITY);
  let [stale, before] = [0, bound];
  let isSolved = false;
  master.narrow();
  while (bound < cutoff && !shouldStop()) {
    const duals = master.solve(shouldStop);
    if (duals !== null) {
      if (look(duals, duals.cutoff)) continue;
      master.recentre(duals);
    }
    if (duals === null || !duals.isFree) {
      if (!master.widen()) break;
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
    const most = Math.ceil(CUTS * numbers.elements);
    const usage = master.usage();
    const subsetRows = violatedSubsetRows(numbers.elements, usage, most);
    const sets = without.has("rank-1 cuts") ? [] : violatedSets(numbers.elements, usage, most);
    if (!master.addCuts([...subsetRows, ...sets])) break;
    master.narrow();
  }
  const usage = master.usage();
  const pair =
    isSolved && bound < cutoff
      ? surestGain(master, usage, without.has("strong branching") ? 1 : CANDIDATES, shouldStop)
      : null;
  return { best, bound, isSolved, usage, pair, clusters: master.clusters };
}

/**
 * Of the pairs least sure, the one that raises the value most on both sides, among the clusters known (strong
 * branching: the greatest product of the two).
 */
function surestGain(
  master: ClusterMaster,
  usage: readonly ClusterUse[],
  candidates: number,
  shouldStop: ShouldStop,
): ElementPair | null {
  const value = usage.reduce((sum, { cluster, times }) => sum + times * cluster.cost, 0);
  let best: ElementPair | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const pair of mostFractionalPairs(usage, candidates)) {
    const has = ({ elements }: Cluster) => pair.filter((element) => elements.includes(element)).length;
    const together = master.valueWithout((cluster) => has(cluster) === 1, shouldStop) - value;
    const apart = master.valueWithout((cluster) => has(cluster) === 2, shouldStop) - value;
    const gain = Math.max(together, MIN_GAIN * value) * Math.max(apart, MIN_GAIN * value);
    if (best !== null && !(gain > most)) continue;
    best = pair;
    most = gain;
  }
  return best;
}
