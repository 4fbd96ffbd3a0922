import { dominatedOptions } from "./dominated-options.js";
import { isRich } from "./hot-rows.js";
import { needKey } from "./option-site.js";
import { deviceCount, type PlacementOption, type PlacementProblem } from "./problem.js";
import { shardRunsOf } from "./shard-runs.js";

/**
 * About the entries that the problem's program has, before it is built: alike shards are in a few rows for every device. Of hot
 * rows and sizes of caches that are options most are dominated, and are not counted.
 */
export function estimatedEntries(problem: PlacementProblem): number {
  const left = problem.setCost === undefined && isRich(problem) ? dominatedOptions(problem) : null;
  const runs = problem.tables.reduce(
    (sum, { options }, t) => sum + options.reduce((all, own, o) => all + (left?.[t]?.has(o) ? 0 : kindsOf(own)), 0),
    0,
  );
  return ENTRIES_OF_A_RUN * runs * deviceCount(problem);
}

const ENTRIES_OF_A_RUN = 3;

/** How many kinds of shards an option has. */
function kindsOf(option: PlacementOption): number {
  return new Set(shardRunsOf(option).map(({ need }) => needKey(need))).size;
}
