import { needKey } from "./option-site.js";
import { deviceCount, type PlacementOption, type PlacementProblem } from "./problem.js";
import { shardRunsOf } from "./shard-runs.js";

/** About the entries that the problem's program has, before it is built: alike shards are in a few rows for every device. */
export function estimatedEntries(problem: PlacementProblem): number {
  const runs = problem.tables.reduce(
    (sum, { options }) => sum + options.reduce((all, own) => all + kindsOf(own), 0),
    0,
  );
  return ENTRIES_OF_A_RUN * runs * deviceCount(problem);
}

const ENTRIES_OF_A_RUN = 3;

/** How many kinds of shards an option has. */
function kindsOf(option: PlacementOption): number {
  return new Set(shardRunsOf(option).map(({ need }) => needKey(need))).size;
}
