import {
  type MemoryPrices,
  optionTotals,
  pricedTotal,
} from "../../../../../models/table-placement/aggregated-relaxation.js";
import { isRich } from "../../../../../models/table-placement/hot-rows.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { publishedOptions } from "../../../../../models/table-placement/published-options.js";
import { type Restriction, withFewerOptions } from "../../../../../models/table-placement/restriction.js";
import type { Work } from "../../../../search/work.js";
import { memoryDuals } from "../bounds/memory-prices.js";
import { distinctOptions } from "../bounds/reduction.js";
import type { SolvePlacementOptions } from "../solve-options.js";
import { searchPlacement } from "./index.js";

/** Of a table, so many options at most. */
const MAX_OPTIONS = 12;

/**
 * Placements to begin with where hot rows or sizes of caches are chosen, before a large program is built: without the choice, and
 * among the options of the core. None elsewhere, nor where local search has been at others. `all`: units of work that shares are of.
 */
export function coreStarts(
  problem: PlacementProblem,
  { seed, isBegun }: Pick<SolvePlacementOptions, "seed" | "isBegun">,
  work: Work,
  all: number,
): readonly Placement[] {
  if (isBegun === true || !isRich(problem)) return [];
  const open = distinctOptions(problem);
  const plain = publishedOptions(problem);
  const known = plain?.problem.tables.every(({ options }) => options.length > 0) ? [plain] : [];
  const core = withFewerOptions(problem, coreOptions(problem, open, null));
  return [...known, core].flatMap(({ problem: part, whole }) => {
    const shouldStop = work.slice(Math.min(MOST_UNITS, START_SHARE * all));
    const { placement } = searchPlacement(part, { seed, target: 0, shouldStop });
    return placement === null ? [] : [whole(placement)];
  });
}

/** What a start may take: units of work, and a share of all. */
const MOST_UNITS = 1000;
const START_SHARE = 0.1;

/** The options that local search looks at, of those that are open: of a rich problem the core. */
export function searchedOptions(
  problem: PlacementProblem,
  open: readonly (readonly boolean[])[],
  known: Placement | null,
): Restriction {
  return withFewerOptions(problem, isRich(problem) ? coreOptions(problem, open, known) : open);
}

/**
 * The open options of each table that cost least at the multipliers of the aggregated relaxation, those of a known placement
 * among them: a search that draws from all is lost in them, and a good placement takes few others.
 */
function coreOptions(
  problem: PlacementProblem,
  among: readonly (readonly boolean[])[],
  known: Placement | null,
): boolean[][] {
  // The relaxation has all devices as one, and does not see what fits on none.
  const room = problem.hbmBytes.reduce((most, bytes) => Math.max(most, bytes), 0);
  const open = problem.tables.map(({ options }, t) =>
    options.map(({ shards }, o) => among[t]?.[o] === true && shards.every(({ hbmBytes }) => hbmBytes <= room)),
  );
  if (open.some((own) => !own.includes(true))) return among.map((own) => own.slice());
  const totals = optionTotals(problem);
  const left = totals.map((own, t) => own.filter((_, o) => open[t]?.[o]));
  const prices: MemoryPrices = memoryDuals(problem, left);
  return totals.map((own, t) => {
    const values = own.map((total) => pricedTotal(total, prices));
    const ranked = [...own.keys()].filter((o) => open[t]?.[o]);
    ranked.sort((a, b) => (values[a] as number) - (values[b] as number) || a - b);
    const kept = new Set(ranked.slice(0, MAX_OPTIONS));
    const taken = known?.choices[t]?.option;
    if (taken !== undefined) kept.add(taken);
    return own.map((_, o) => kept.has(o));
  });
}
