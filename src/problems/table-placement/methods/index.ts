import { autoshardRl } from "./autoshard-rl.js";
import {
  dimGreedy,
  lookupGreedy,
  predictedGreedy,
  predictedGreedySingle,
  sizeGreedy,
  sizeLookupGreedy,
} from "./greedy.js";
import type { PlacementHeuristic } from "./heuristic.js";
import { hugectrGreedy } from "./hugectr-greedy.js";
import { neuroshardSearch } from "./neuroshard-search.js";
import { random, randomSearch } from "./random.js";
import { simulatedAnnealing } from "./simulated-annealing.js";
import { torchrecDp, torchrecGreedy, torchrecMemoryBalanced } from "./torchrec/planner.js";

/** The methods that `compare` holds against the optimum, under the names that `--method` takes. */
export const tablePlacementHeuristics = {
  random,
  "size-greedy": sizeGreedy,
  "dim-greedy": dimGreedy,
  "lookup-greedy": lookupGreedy,
  "size-lookup-greedy": sizeLookupGreedy,
  "random-search": randomSearch,
  "torchrec-greedy": torchrecGreedy,
  "torchrec-dp": torchrecDp,
  "torchrec-memory-balanced": torchrecMemoryBalanced,
  "hugectr-greedy": hugectrGreedy,
} as const satisfies Readonly<Record<string, PlacementHeuristic>>;

/** Those that need a learned cost (a problem with a `setCost`); the others work with it too. */
export const learnedCostHeuristics = {
  "predicted-greedy-single": predictedGreedySingle,
  "predicted-greedy": predictedGreedy,
  "simulated-annealing": simulatedAnnealing,
  "neuroshard-search": neuroshardSearch,
  "autoshard-rl": autoshardRl,
} as const satisfies Readonly<Record<string, PlacementHeuristic>>;

export type TablePlacementHeuristicName = keyof typeof tablePlacementHeuristics;

export type LearnedCostHeuristicName = keyof typeof learnedCostHeuristics;
