import { placementModel } from "../../../models/table-placement/from-instance.js";
import type { TablePlacementInstance } from "./instance/instance.js";
import type { TablePlacementPlan } from "./plan-file/plan-file.js";
import type { PlacedShard, PlacementCharts } from "./report/input.js";
import { comparedHeuristics, placementBaselines } from "./solve/heuristic-runs.js";

/** What the charts of a placement need of its instance: what each shard costs and holds. */
export function placementCharts(plan: TablePlacementPlan, instance: TablePlacementInstance): PlacementCharts | null {
  const { problem } = placementModel(instance);
  const { tables, setCost } = problem;
  const shards: PlacedShard[] = [];
  for (const [t, { name, option, shardingType, ranks }] of plan.tables.entries()) {
    const needs = tables[t]?.options[option]?.shards;
    if (needs === undefined || needs.length !== ranks.length) return null;
    for (const [s, { cost, hbmBytes }] of needs.entries()) {
      shards.push({
        device: ranks[s] as number,
        name: needs.length === 1 ? name : `${name}#${s}`,
        shardingType,
        cost: setCost === undefined ? cost : null,
        hbmBytes,
      });
    }
  }
  const run = new Set<string>(placementBaselines(problem));
  return { shards, notRun: comparedHeuristics(problem).filter((method) => !run.has(method)) };
}
