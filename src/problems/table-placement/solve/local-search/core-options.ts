import {
  type MemoryPrices,
  optionTotals,
  pricedTotal,
} from "../../../../../models/table-placement/aggregated-relaxation.js";
import type { Placement, PlacementProblem } from "../../../../../models/table-placement/problem.js";
import { publishedOptions } from "../../../../../models/table-placement/published-options.js";
import { type Restriction, withFewerOptions } from "../../../../../models/table-placement/restriction.js";
import { memoryDuals } from "../bounds/memory-prices.js";

/** Of a table, so many options at most. */
const MAX_OPTIONS = 12;

/**
 * The options that a slice of local search looks at, of those that are open. Where hot rows or sizes of caches are chosen, tables
 * have many options that differ little: then first those that published methods know, so that nothing is worse than without
 * the choice, and after that the core.
 */
export function searchedOptions(
  problem: PlacementProblem,
  open: readonly (readonly boolean[])[],
  slice: number,
  known: Placement | null,
): Restriction {
  const isRich = problem.tables.some(({ options }) =>
    options.some(({ hot, cache }) => hot !== undefined || cache !== undefined),
  );
  if (!isRich) return withFewerOptions(problem, open);
  const plain = slice === 0 ? publishedOptions(problem) : null;
  if (plain?.problem.tables.every(({ options }) => options.length > 0)) return plain;
  return withFewerOptions(problem, coreOptions(problem, open, known));
}

/**
 * The open options of each table that cost least at the multipliers of the aggregated relaxation, those of a known placement
 * among them: a search that draws from all is lost in them, and a good placement takes few others.
 */
function coreOptions(
  problem: PlacementProblem,
  open: readonly (readonly boolean[])[],
  known: Placement | null,
): boolean[][] {
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
