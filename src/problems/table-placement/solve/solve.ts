import type { directProgram } from "../../../../models/table-placement/direct-program.js";
import type { Placement, PlacementProblem } from "../../../../models/table-placement/problem.js";
import { runInTurn, type Strategy } from "../../../search/strategies.js";
import { openingOf, PACKING, RANGES, solveLargePlacement } from "./large/solve-large.js";
import { LOCAL_SEARCH_STRATEGIES } from "./local-search/search.js";
import { GUIDED, PlacementSearch } from "./placement-search.js";
import { budgetOf } from "./placement-state.js";
import type { PlacementSolution, SolvePlacementOptions } from "./solve-options.js";

/**
 * Once, before everything else: bounds that are there at once, the better they are the more they take, then a
 * placement.
 */
const OPENING: readonly Strategy<PlacementSearch>[] = [
  { name: "pooled bound", applies: always, run: (search) => search.pool() },
  { name: "lifting", applies: hasPatterns, run: (search) => search.lift() },
  // Where published methods begin with the optimum of a small program, that is often all there is to do.
  { name: "reduction", applies: (search) => search.isSmall && search.hasReduction, run: (search) => search.reduce() },
  { name: "local search", applies: always, run: (search) => search.search() },
];

const EXCHANGE: Strategy<PlacementSearch> = {
  name: GUIDED,
  applies: (search) => search.guided?.isDue === true,
  run: async (search) => void (await search.guided?.exchange()),
};

/** Again and again, longer each time. */
const ROUND: readonly Strategy<PlacementSearch>[] = [
  EXCHANGE,
  { name: "value as bound", applies: always, run: (search) => search.claimValue() },
  { name: "reduction", applies: (search) => search.hasReduction, run: (search) => search.reduce() },
  {
    name: "like tables",
    applies: (search) => search.counted.applies(search),
    run: (search) => search.turn("like tables", search.counted),
  },
  { name: "numbered devices", applies: (search) => search.hasNumbered, run: (search) => search.branchOnLargeShards() },
  { name: "pattern bounds", applies: (search) => search.hasFirstPatterns, run: (search) => search.generatePatterns() },
  {
    name: "base tree",
    applies: (search) => search.hasBaseTree,
    run: (search) => search.turn("base tree", search.bases),
  },
  { name: "option dives", applies: (search) => search.hasDives, run: (search) => search.diveOverOptions() },
  EXCHANGE,
  { name: "pattern bounds", applies: (search) => search.hasMorePatterns, run: (search) => search.generatePatterns() },
  { name: "branch and bound", applies: (search) => search.hasTree, run: (search) => search.branchOnColumns() },
  { name: "local search", applies: (search) => search.isSearchedHere, run: (search) => search.search() },
];

/** Strategies of {@link solvePlacement}, by name. */
export const PLACEMENT_STRATEGIES: readonly string[] = [
  ...new Set([...OPENING, ...ROUND].map(({ name }) => name)),
  RANGES,
  PACKING,
  "grains",
  "reduced bound",
  ...LOCAL_SEARCH_STRATEGIES,
];

function always(): boolean {
  return true;
}

function hasPatterns(search: PlacementSearch): boolean {
  return search.model !== null;
}

/**
 * Places tables and proves how good the placement is, bound first: a bound and a placement that need no program of devices
 * where that takes long to be built, pooled and combinatorial bounds, local search towards them, then in turn, until the gap asked for is closed or time is up: options that no better placement uses
 * are left out, a tree over the bases of hosts, pattern bounds by column generation, branch
 * and bound over the direct program, and local search again. Certificates are checked before anything is said of them.
 *
 * Throws `RangeError` for costs or bytes that {@link directProgram} does not take.
 */
export async function solvePlacement(
  problem: PlacementProblem,
  options: SolvePlacementOptions,
): Promise<PlacementSolution> {
  const budget = budgetOf(options);
  const opening = openingOf(problem, options);
  const late = (starts: readonly Placement[]) => {
    const within = { ...options, starts: [...(options.starts ?? []), ...starts], timeLimitSeconds: 0 };
    return solveLargePlacement(problem, within, { ranges: 0, packing: 0 });
  };
  const status = opening?.verdict?.status;
  if (opening !== null && (status === "proved" || status === "infeasible")) return opening;
  const search = PlacementSearch.begun(problem, options, budget, opening);
  if (search === null) return opening ?? late([]);
  try {
    for (const start of options.starts ?? []) search.start(start);
    await runInTurn(OPENING, search, options.without);
    for (; !search.isSettled() && search.hasProgressed; search.lengthen()) {
      search.beginRound();
      await runInTurn(ROUND, search, options.without);
    }
  } finally {
    await search.dispose();
  }
  const solved = search.concluded();
  // The time was over once the program was built: what needs none is there at once.
  if (solved.certificate === null) return late(solved.placement === null ? [] : [solved.placement]);
  return { direct: search.provedOnOther ?? search.direct, ...solved };
}
