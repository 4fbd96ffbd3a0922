import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { seededRandom } from "../../../../exact/random.js";
import { type ShouldStop, UNITS } from "../../../../search/work.js";
import { coolTo } from "./annealing.js";
import { type AggregatedSearch, type BaseRange, pricedOption } from "./base-range.js";
import { packLongestFirst } from "./construct.js";
import { lowerTo } from "./lower.js";
import { Packing, type PackingSearch, type Regret, type SavedPacking } from "./packing.js";
import type { RangedLimit } from "./range-bound.js";

export interface PackingHow {
  readonly seed: number;
  readonly shouldStop: ShouldStop;
  /** Stop when the largest cost is at most this. */
  readonly target: number;
  /** Told of every better placement. */
  readonly onBetter?: (largest: number) => void;
}

/** Above the bound by these parts, options are chosen for a first plan. */
const FIRST_LIMITS = [1.001, 1.005, 1.02, 1.05, 1.15, 1.5];
/** Of what is between the bound and the best placement, a target takes at first so much, and at least so much. */
const REACH = 0.5;
const LEAST_REACH = 0.02;
/** As long as there are starts left. */
const FIRST_REACH = 0.25;
const GROWTH = 1.5;
const SHRINKING = 0.6;
/** Annealed towards so much of what is between the bound and the best placement, by turns. */
const AIMS = [0.5, 0.7, 0.9];
/** Steps of annealing by table: at first, then ever more. */
const FIRST_STEPS = 2e3;
const MOST_STEPS = 4e4;

/**
 * A placement of many tables: options as the aggregated relaxation has them, their shards longest first, then brought
 * down to ever lower targets. `null` where no placement was found, which proves nothing.
 */
export function searchPacking(
  problem: PlacementProblem,
  search: AggregatedSearch,
  bound: RangedLimit,
  { seed, shouldStop, target, onBetter }: PackingHow,
): Placement | null {
  const packing = new Packing(problem);
  const random = seededRandom(seed);
  const floor = Math.max(bound.limit, target) * (1 + 1e-12);
  const range = (bound.open ?? bound.bounds[0])?.range ?? { low: 0, high: 0 };
  let best: SavedPacking | null = null;
  const isOver = () => shouldStop(UNITS.subset) || (best !== null && best.largest <= floor);
  const lower = (options: Regrets, start: SavedPacking, leastReach: number) => {
    let current = start;
    packing.restore(start);
    for (let reach = REACH; !isOver() && reach >= leastReach; ) {
      const aim = Math.max(floor, current.largest - reach * (current.largest - bound.limit));
      if (lowerTo(packing, aim, { options, random, shouldStop })) {
        current = packing.save();
        keep(current);
        reach = Math.min(REACH, reach * GROWTH);
      } else {
        packing.restore(current);
        reach *= SHRINKING;
      }
    }
  };
  const keep = (saved: SavedPacking) => {
    if (best !== null && saved.largest >= best.largest) return;
    best = saved;
    onBetter?.(saved.largest);
  };
  const starts: { readonly options: Regrets; readonly saved: SavedPacking }[] = [];
  for (const factor of FIRST_LIMITS) {
    const options = regretsOf(packing, search, bound.limit * factor, range);
    if (options === null) continue;
    packing.clear();
    const chosen = options.map(([first]) => (first as Regret).option);
    if (!packLongestFirst(packing, chosen)) continue;
    const saved = packing.save();
    keep(saved);
    starts.push({ options, saved });
  }
  for (const { options, saved } of starts) lower(options, saved, FIRST_REACH);
  // Then from the best placement again and again: annealed, and brought down.
  let steps = FIRST_STEPS;
  for (let round = 0; starts.length > 0 && !isOver(); round++) {
    const from = best as unknown as SavedPacking;
    const options = regretsOf(packing, search, from.largest, range) ?? (starts[0] as (typeof starts)[number]).options;
    packing.restore(from);
    const aim = floor + (AIMS[round % AIMS.length] as number) * (from.largest - floor);
    if (!coolTo(packing, aim, steps * problem.tables.length, { options, random, shouldStop })) break;
    const saved = packing.save();
    keep(saved);
    lower(options, saved, LEAST_REACH);
    steps = Math.min(MOST_STEPS, 2 * steps);
  }
  return best === null ? null : packing.placementOf(best);
}

type Regrets = PackingSearch["options"];

/** By table, the options that can be placed below a limit beside the base of a range, the best first. */
function regretsOf(packing: Packing, search: AggregatedSearch, limit: number, range: BaseRange): Regrets | null {
  const { prices } = search.boundOf(limit, range);
  const options = search.open(limit, range.low).map((own, table) => {
    const known = own.filter(({ option }) => packing.knows(table, option));
    const values = known.map((option) => pricedOption(option, prices));
    const least = Math.min(...values);
    return known
      .map(({ option }, k) => ({ option, regret: (values[k] as number) - least }))
      .sort((a, b) => a.regret - b.regret || a.option - b.option);
  });
  return options.some(({ length }) => length === 0) ? null : options;
}
