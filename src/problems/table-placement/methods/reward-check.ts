import type { PlacementProblem } from "../../../../models/table-placement/problem.js";
import type { SetCost } from "../../../cost/neural/set-cost.js";
import { type Random, seededRandom } from "../../../exact/random.js";
import { runEpisode } from "./autoshard/episode.js";
import { drawn, softmax } from "./autoshard/loss.js";
import { readPolicy } from "./autoshard/policy-file.js";
import { wholePolicyTask } from "./autoshard/policy-task.js";
import type { PlacementContext } from "./heuristic.js";
import { type Draw, drawOf, drawPlan } from "./random.js";
import { type WholeTable, wholeTables } from "./whole-tables.js";

/** Plans that are drawn at random, and from the policy. Those that do not fit do not count. */
const DRAWS = { random: 100, policy: 50 };

/** Which plans pairs are of. */
export const PLAN_GROUPS = ["methods", "random", "policy", "all"] as const;
export type PlanGroup = (typeof PLAN_GROUPS)[number];

/** How often the ratio of smallest to largest device cost misleads, by the plans that are paired. */
export type RewardCheck = Readonly<Record<PlanGroup, MisledPairs & { readonly plans: number }>>;

/**
 * Holds AutoShard's reward against what it stands for, the largest device cost, over pairs of plans for one problem under a
 * learned cost: the plans that methods found, given by the costs of their devices in milliseconds; plans drawn at random;
 * plans drawn from the problem's policy as it draws them while it learns (none without one); and all of these together.
 */
export function checkReward(
  problem: PlacementProblem,
  setCost: SetCost,
  found: readonly (readonly number[])[],
  context: PlacementContext,
): RewardCheck {
  const whole = wholeTables(problem, context);
  const tables = "kind" in whole ? [] : whole;
  const stream = seededRandom(context.seed);
  const fitting = (draws: readonly Draw[]) => draws.flatMap(({ costs, full }) => (full === null ? [costs] : []));
  const draws = tables.length === 0 ? 0 : DRAWS.random;
  const random = fitting(Array.from({ length: draws }, () => drawPlan(problem, tables, stream)));
  const policy = tables.length === 0 ? [] : fitting(policyPlans(problem, setCost, tables, stream));
  const check = (plans: readonly (readonly number[])[]) => ({ plans: plans.length, ...misledPairs(plans) });
  return {
    methods: check(found),
    random: check(random),
    policy: check(policy),
    all: check([...found, ...random, ...policy]),
  };
}

function policyPlans(
  problem: PlacementProblem,
  setCost: SetCost,
  tables: readonly WholeTable[],
  stream: Random,
): readonly Draw[] {
  const source = setCost.policy;
  if (source === undefined) return [];
  const { policy } = readPolicy(source.text(), source.file, source.network);
  const { task, devicesOf } = wholePolicyTask(problem, setCost, source, tables);
  const probabilities = new Float64Array(task.devices);
  return Array.from({ length: DRAWS.policy }, () => {
    const { homes } = runEpisode(policy, task, (_, scores) => {
      softmax(scores, probabilities);
      return drawn(probabilities, stream.next());
    });
    return drawOf(problem, tables, devicesOf(homes));
  });
}

/** How often a reward of smallest over largest device cost misleads. */
export interface MisledPairs {
  /** Pairs of plans whose largest device costs differ. */
  readonly pairs: number;
  /** Those in which the plan with the larger largest cost has the larger ratio: it is rewarded more. */
  readonly misled: number;
  /** Mean of (larger − smaller) / smaller of these, of the largest costs; 0 where there are none. */
  readonly meanExcess: number;
}

/**
 * Counts over all pairs of plans, given the costs of their devices in milliseconds. AutoShard rewards a plan with the ratio of the
 * smallest to the largest device cost (section 4.3), but how long an iteration takes is the largest alone; where costs do not
 * add up, a plan that balances better may be slower.
 */
export function misledPairs(plans: readonly (readonly number[])[]): MisledPairs {
  const measured = plans.map((costs) => {
    const largest = Math.max(...costs);
    return { largest, ratio: largest > 0 ? Math.min(...costs) / largest : 0 };
  });
  let [pairs, misled, excess] = [0, 0, 0];
  for (const [i, one] of measured.entries()) {
    for (const other of measured.slice(i + 1)) {
      const [slow, fast] = one.largest > other.largest ? [one, other] : [other, one];
      if (slow.largest === fast.largest) continue;
      pairs++;
      if (slow.ratio <= fast.ratio) continue;
      misled++;
      excess += (slow.largest - fast.largest) / fast.largest;
    }
  }
  return { pairs, misled, meanExcess: misled === 0 ? 0 : excess / misled };
}

/** The counts of several groups of plans together; pairs across groups do not count. */
export function misledInAll(groups: readonly MisledPairs[]): MisledPairs {
  const sum = (of: (group: MisledPairs) => number) => groups.reduce((total, group) => total + of(group), 0);
  const misled = sum((group) => group.misled);
  const meanExcess = misled === 0 ? 0 : sum((group) => group.meanExcess * group.misled) / misled;
  return { pairs: sum((group) => group.pairs), misled, meanExcess };
}
