/** The published methods by the names that plan files have them under; a plan of another name is refused as it is read. */

export const ROW_TIERS_PUBLISHED = [
  "row-wise",
  "column-wise",
  "data-parallel",
  "flexshard-2tier",
  "flexshard-3tier",
  "hugectr-threshold",
  "recshard-like",
] as const;

export const PLACEMENT_PUBLISHED = [
  "random",
  "size-greedy",
  "dim-greedy",
  "lookup-greedy",
  "size-lookup-greedy",
  "random-search",
  "torchrec-greedy",
  "torchrec-dp",
  "torchrec-memory-balanced",
  "hugectr-greedy",
  "predicted-greedy-single",
  "predicted-greedy",
  "simulated-annealing",
  "neuroshard-search",
  "autoshard-rl",
] as const;

export const TOWER_PUBLISHED = ["tp", "strided", "swap", "tp-swap"] as const;

/** The exact method of every problem. */
export const EXACT_METHOD = "optimal";

/** The method of a placement that was given and not searched for: `import torchrec --plan` scores it. */
export const GIVEN_PLACEMENT = "given";
