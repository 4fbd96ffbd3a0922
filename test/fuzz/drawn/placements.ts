import { placementProblem } from "../../../models/table-placement/from-instance.js";
import type { PlacementProblem, Stage } from "../../../models/table-placement/problem.js";
import { seededRandom } from "../../../src/exact/random.js";
import type { TablePlacementInstance } from "../../../src/instance/types/table-placement.js";
import { bruteForcePlacement, combinations } from "../../support/brute-force-placement.js";
import { drawnFreedoms } from "../../support/drawn-freedoms.js";
import { drawnPlacement } from "../../support/drawn-placements.js";
import { movingFrom, placementInstance } from "../../support/placement-instance.js";
import { bestByStages } from "../../support/tiny-placement.js";
import type { Attack } from "../attack/tally.js";
import { type Draw, drawFrom } from "../oracle/draw.js";
import { checkPlan, type Least } from "./check-plan.js";

/** Placements that brute force goes through. */
const MAX_COMBINATIONS = 10_000;
const MAX_OF_GOALS = 1500;

const GOALS = ["largest-cost", "largest-hbm", "largest-host", "second-largest", "sum"] as const;
const MOVES = ["moved-tables", "moved-bytes"] as const;

/** Placements of every feature, with numbers far apart, planned to gap 0 and verified, against brute force. */
export const placements: Attack = {
  name: "placements",
  async round(seed, tally) {
    const draw = drawFrom(seed);
    const kind = draw.of(["largest", "largest", "largest", "goals", "second", "moves", "torchrec"] as const);
    const instance = kind === "torchrec" ? torchrec(seed) : drawnInstance(seed, kind, draw);
    const problem = instance === null ? null : placementProblem(instance);
    const most = kind === "largest" || kind === "torchrec" ? MAX_COMBINATIONS : MAX_OF_GOALS;
    if (instance === null || problem === null || combinations(problem) > most) return tally.add("too many placements");
    await checkPlan(instance, leastOf(problem), `seed ${seed}, ${kind}`, tally);
  },
};

function leastOf(problem: PlacementProblem): Least | null {
  const { stages, thenMinimize } = problem;
  if (stages !== undefined) return bestByStages(problem);
  if (thenMinimize !== undefined) {
    const then = (["largest-cost", thenMinimize] as const).map(
      (minimize): Stage => ({ minimize, allow: { amount: 0 } }),
    );
    return bestByStages({ ...problem, stages: then });
  }
  const best = bruteForcePlacement(problem);
  return best === null ? null : [best.largest];
}

function torchrec(seed: number): TablePlacementInstance {
  return drawnFreedoms(seededRandom(seed))({ hotRows: true, caches: true });
}

function drawnInstance(
  seed: number,
  kind: "largest" | "goals" | "second" | "moves",
  draw: Draw,
): TablePlacementInstance | null {
  const problem = drawnPlacement(seed);
  if (kind === "largest") return placementInstance(problem);
  const isPhased = problem.goal === "phases";
  if (kind === "second") {
    return isPhased ? null : placementInstance(problem, { thenMinimize: draw.of(["sum", "second-largest"]) });
  }
  if (kind === "goals") {
    return placementInstance(problem, { goals: goalsOf(draw, [...GOALS, ...(isPhased ? (["phases"] as const) : [])]) });
  }
  const moving = movingFrom(problem, draw);
  if (moving === null || draw.oneIn(2)) return moving;
  return { ...moving, objective: "largest", goals: goalsOf(draw, [...GOALS, ...MOVES]) };
}

/** One to three goals in order, with what they allow. */
function goalsOf<Goal>(draw: Draw, among: readonly Goal[]) {
  return draw
    .shuffled(among)
    .slice(0, draw.int(1, 3))
    .map((minimize) => ({
      minimize,
      allow: draw.of([{ percent: "0" }, { percent: "10" }, { percent: "50" }, { amount: 0 }, { amount: 1 }]),
    }));
}
