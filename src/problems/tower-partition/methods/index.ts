import type { TOWER_PUBLISHED } from "../../../plan-file/method-names.js";
import type { TowerHeuristic } from "./heuristic.js";
import { strided } from "./strided.js";
import { swap, tpSwap } from "./swap.js";
import { tp } from "./tp.js";

/** The methods that `compare` holds against the optimum, under the names that `--method` takes. */
export const TOWER_HEURISTICS = {
  tp,
  strided,
  swap,
  "tp-swap": tpSwap,
} as const satisfies Readonly<Record<(typeof TOWER_PUBLISHED)[number], TowerHeuristic>>;

export type TowerHeuristicName = keyof typeof TOWER_HEURISTICS;
