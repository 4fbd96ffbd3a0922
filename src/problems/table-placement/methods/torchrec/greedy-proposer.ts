import { byScore, type Proposer } from "./proposer.js";
import type { SpaceOption } from "./search-space.js";

/**
 * Starts with the best option of each table; each step moves the table whose option takes the most memory to its next best
 * option, until none with memory has a next one (planner/proposers.py, `GreedyProposer`, without the optional early stop).
 * `largestCost` is TorchRec's `use_depth=True`, `totalCost` its `use_depth=False`.
 *
 * The time of the options decides nothing about which table moves, and no step is taken back.
 */
export function greedyProposer(score: "largestCost" | "totalCost"): Proposer {
  return function* ({ tables }) {
    const sorted = tables.map((options) => byScore(options, score));
    const at = sorted.map(() => 0);
    const current = (table: number) => sorted[table]?.[at[table] as number] as SpaceOption;
    for (;;) {
      yield at.map((_, table) => current(table));
      let largest = -1;
      for (const [table, options] of sorted.entries()) {
        if ((at[table] as number) + 1 >= options.length) continue;
        const storage = largest === -1 ? NO_STORAGE : current(largest);
        if (compareStorage(current(table), storage) > 0) largest = table;
      }
      if (largest === -1) return;
      at[largest] = (at[largest] as number) + 1;
    }
  };
}

type Storage = Pick<SpaceOption, "largestHbm" | "totalHbm" | "largestHost" | "totalHost">;

const NO_STORAGE: Storage = { largestHbm: 0, totalHbm: 0, largestHost: 0, totalHost: 0 };

function compareStorage(a: Storage, b: Storage): number {
  return (
    a.largestHbm - b.largestHbm || a.totalHbm - b.totalHbm || a.largestHost - b.largestHost || a.totalHost - b.totalHost
  );
}
