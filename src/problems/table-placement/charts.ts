import { placementModel } from "../../../models/table-placement/from-instance.js";
import { firstGoalOnly } from "../../../models/table-placement/stages.js";
import { explainPlacement } from "./explain/explain.js";
import { placementFrontier } from "./frontier/frontier.js";
import { placementTrade } from "./frontier/trade.js";
import type { TablePlacementInstance } from "./instance/instance.js";
import type { TablePlacementPlan } from "./plan-file/plan-file.js";
import type { PlacedShard, PlacementCharts } from "./report/input.js";
import { comparedHeuristics, placementBaselines } from "./solve/heuristic-runs.js";

/**
 * The work that a page may take for why the plan is as it is, and for the frontier, in seconds of a core; the clock has no part
 * in it, so that a page is the same again. And how many budgets the frontier has.
 */
const EXPLAINING = { workSeconds: 2, timeLimitSeconds: 3600 };
const DRAWING = { workSeconds: 2, timeLimitSeconds: 3600, points: 8, gap: 1e-4 };

/** What the charts of a placement need of its instance: what each shard costs and holds, why it is there, the frontier. */
export async function placementCharts(
  plan: TablePlacementPlan,
  instance: TablePlacementInstance,
): Promise<PlacementCharts | null> {
  const { problem } = placementModel(instance);
  const { tables, setCost } = problem;
  const shards: PlacedShard[] = [];
  for (const [t, { name, option, shardingType, ranks }] of plan.tables.entries()) {
    const needs = tables[t]?.options[option]?.shards;
    if (needs === undefined || needs.length !== ranks.length) return null;
    for (const [s, { cost, hbmBytes }] of needs.entries()) {
      shards.push({
        device: ranks[s] as number,
        table: name,
        name: needs.length === 1 ? name : `${name}#${s}`,
        shardingType,
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
      isPlanned && firstGoalOnly(problem) !== null ? await explainPlacement(plan, instance, EXPLAINING) : null,
    frontier: isPlanned && isLimited && !isTraded ? await placementFrontier(instance, DRAWING) : null,
    trade: isPlanned && isTraded ? await placementTrade(instance, DRAWING) : null,
    notRun: comparedHeuristics(problem).filter((method) => !run.has(method)),
  };
}
