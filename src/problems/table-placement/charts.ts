import { placementModel } from "../../../models/table-placement/from-instance.js";
import { coldPart } from "../../../models/table-placement/hot-rows.js";
import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { hotName, namesOfShards } from "../../../models/table-placement/shard-names.js";
import { firstGoalOnly } from "../../../models/table-placement/stages.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { explainPlacement } from "./explain/explain.js";
import { placementFrontier } from "./frontier/frontier.js";
import { placementTrade } from "./frontier/trade.js";
import type { TablePlacementPlan } from "./plan-file/plan-file.js";
import type { PlacedShard, PlacementCharts } from "./report/input.js";
import { comparedHeuristics, placementBaselines } from "./solve/heuristic-runs.js";

/**
 * The work that a page may take for why the plan is as it is, and for the frontier, in seconds of a core; the clock has no part
 * in it, so that a page is the same again. And how many budgets the frontier has.
 */
const EXPLAINING = { workSeconds: 2, timeLimitSeconds: 3600 };
const DRAWING = { workSeconds: 2, timeLimitSeconds: 3600, points: 8, gap: 1e-4 };

/**
 * What the charts of a placement need of its instance: what each shard costs and holds, why it is there, the frontier. With
 * `secondsLeft` these two end in time, and are what is known then.
 */
export async function placementCharts(
  plan: TablePlacementPlan,
  instance: TablePlacementInstance,
  secondsLeft?: () => number,
): Promise<PlacementCharts | null> {
  const within = (share: number) =>
    secondsLeft === undefined ? {} : { timeLimitSeconds: Math.max(0, share * secondsLeft()) };
  const { problem } = placementModel(instance);
  const { tables, setCost } = problem;
  const shards: PlacedShard[] = [];
  for (const [t, { name, option, shardingType, ranks }] of plan.tables.entries()) {
    const chosen = tables[t]?.options[option];
    const needs = chosen?.shards;
    if (needs === undefined || needs.length !== ranks.length) return null;
    const names = namesOfShards(name, chosen as PlacementOption);
    const cold = coldPart(chosen as PlacementOption).shards.length;
    for (const [s, { cost, hbmBytes }] of needs.entries()) {
      shards.push({
        device: ranks[s] as number,
        // Copies of hot rows are drawn as a table of their own.
        table: s < cold ? name : hotName(name),
        name: names[s] as string,
        shardingType: s < cold ? shardingType : "data_parallel",
        cost: setCost === undefined ? cost : null,
        hbmBytes,
      });
    }
  }
  const run = new Set<string>(placementBaselines(problem));
  const isPlanned = plan.objective.value !== null;
  const isLimited = plan.memory.hbmBytesPerGpu !== null && setCost === undefined;
  const isTraded = (instance.goals?.length ?? 0) > 1 && setCost === undefined;
  return {
    gpusPerNode: instance.cluster.gpusPerNode,
    shards,
    explanation:
      isPlanned && firstGoalOnly(problem) !== null
        ? await explainPlacement(plan, instance, { ...EXPLAINING, ...within(0.5) })
        : null,
    frontier:
      isPlanned && isLimited && !isTraded ? await placementFrontier(instance, { ...DRAWING, ...within(0.8) }) : null,
    trade: isPlanned && isTraded ? await placementTrade(instance, { ...DRAWING, ...within(0.8) }) : null,
    notRun: comparedHeuristics(problem).filter((method) => !run.has(method)),
  };
}
