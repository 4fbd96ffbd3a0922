import type { Comparison, Problem } from "../problem.js";
import type { TablePlacementInstance } from "./instance/instance.js";
import { tablePlacementReader } from "./instance/reader.js";
import type { TablePlacementPlan } from "./plan-file/plan-file.js";
import type { WrittenPlacementPlan } from "./plan-file/schema.js";
import type { PlacementComparison } from "./solve/compare.js";
import type { PreparedPlacement } from "./solve/prepared.js";

/** A device for every table, or for the shards of one of its options (AutoShard, NeuroShard, TorchRec). */
export const tablePlacement: Problem<
  TablePlacementInstance,
  PreparedPlacement,
  TablePlacementPlan,
  WrittenPlacementPlan,
  PlacementComparison & Comparison
> = {
  name: "table-placement",
  reader: tablePlacementReader,
  isOf: ({ problem }) => problem === "table-placement",
  measure: "plain",
  simulation: null,
  async solving() {
    const {
      preparePlacement: prepare,
      planPreparedPlacement: plan,
      TABLE_PLACEMENT_STRATEGIES: strategies,
    } = await import("./solve/plan.js");
    return { prepare, plan: (ready, options) => plan(ready, options), strategies };
  },
  async comparing() {
    const { comparePreparedPlacement } = await import("./solve/compare.js");
    return {
      async compare(ready, options) {
        const comparison = await comparePreparedPlacement(ready, options);
        const { reward } = comparison;
        return { ...comparison, ...(reward === undefined ? {} : { beside: { minMaxReward: [reward] } }) };
      },
    };
  },
  async verifying() {
    const [{ tablePlacementPlanSchema }, { shapePlan }, { verifyTablePlacementPlan: verify }] = await Promise.all([
      import("./plan-file/schema.js"),
      import("../plan-file/read-plan.js"),
      import("./verify.js"),
    ]);
    return {
      shape: (json, text, file) => shapePlan(tablePlacementPlanSchema, json, text, file),
      verify,
    };
  },
  async rerunning(extent) {
    return (await import("./solve/rerun.js")).placementReruns(extent);
  },
  async exporting() {
    const [{ exportPlacement: read, placementProgram }, { planVipr: vipr }] = await Promise.all([
      import("./export.js"),
      import("./export-vipr.js"),
    ]);
    return { read, program: async (instance) => placementProgram(instance), vipr };
  },
  async knowing() {
    const { placementGoal: goal, placementFacts: facts } = await import("./facts.js");
    return { goal, facts };
  },
  async showing() {
    const [{ showPlacement }, { showPlacementCompare }] = await Promise.all([
      import("./show/plan.js"),
      import("./show/compare.js"),
    ]);
    return {
      plan: showPlacement,
      compare: showPlacementCompare,
      warnings: () => [],
      async details(plan, open) {
        if (plan.devices === null) return null;
        const { showRankStatistics } = await import("./show/rank-statistics.js");
        return showRankStatistics(plan, ((await open()) as TablePlacementInstance).torchrec);
      },
    };
  },
  async reporting() {
    const [{ placementCharts }, { placementSection: section }, { placementInstanceFacts: instanceFacts }] =
      await Promise.all([import("./charts.js"), import("./report/table-placement-section.js"), import("./facts.js")]);
    return {
      charts: async (plan, instance) => placementCharts(plan, instance),
      section,
      instanceFacts,
    };
  },
};
