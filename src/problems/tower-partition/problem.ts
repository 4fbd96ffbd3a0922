import type { Comparison, Problem } from "../problem.js";
import type { TowerPartitionInstance } from "./instance/instance.js";
import { towerPartitionReader } from "./instance/reader.js";
import type { TowerPartitionPlan } from "./plan-file/plan-file.js";
import type { WrittenTowerPlan } from "./plan-file/schema.js";
import type { TowerComparison } from "./solve/compare.js";
import type { PreparedTowers } from "./solve/plan.js";

/** A tower for every feature (DMT). */
export const towerPartition: Problem<
  TowerPartitionInstance,
  PreparedTowers,
  TowerPartitionPlan,
  WrittenTowerPlan,
  TowerComparison & Comparison
> = {
  name: "tower-partition",
  reader: towerPartitionReader,
  isOf: ({ problem, joint }) => problem === "tower-partition" && joint === undefined,
  measure: "plain",
  simulation: "exchange",
  async solving() {
    const {
      prepareTowers: prepare,
      planPreparedTowers: plan,
      TOWER_PARTITION_STRATEGIES: strategies,
    } = await import("./solve/plan.js");
    return { prepare, plan, strategies };
  },
  async comparing() {
    const { comparePreparedTowers } = await import("./solve/compare.js");
    return {
      async compare(ready, options) {
        const comparison = await comparePreparedTowers(ready, options);
        const { embeddings } = comparison;
        return { ...comparison, ...(embeddings.length === 0 ? {} : { beside: { embeddings } }) };
      },
    };
  },
  async verifying() {
    const [{ towerPartitionPlanSchema }, { shapePlan }, { verifyTowerPlan: verify }] = await Promise.all([
      import("./plan-file/schema.js"),
      import("../plan-file/read-plan.js"),
      import("./verify.js"),
    ]);
    return { shape: (json, text, file) => shapePlan(towerPartitionPlanSchema, json, text, file), verify };
  },
  async rerunning(extent) {
    return (await import("./solve/rerun.js")).towerReruns(extent);
  },
  async exporting() {
    const { exportTowers: read, towerProgram: program } = await import("./export.js");
    return { read, program, vipr: "whose proofs are about sets of features, not columns of a program" };
  },
  async knowing() {
    const { towerGoal: goal, towerFacts } = await import("./facts.js");
    return { goal, facts: (plan) => towerFacts(plan) };
  },
  async showing() {
    const [{ showTowers }, { showTowerCompare }] = await Promise.all([
      import("./show/plan.js"),
      import("./show/compare.js"),
    ]);
    return {
      plan: showTowers,
      compare: showTowerCompare,
      warnings: () => [],
      details: async () => null,
    };
  },
  async reporting() {
    const [{ towerCharts }, { towersSection }, { towerInstanceFacts: instanceFacts }] = await Promise.all([
      import("./charts.js"),
      import("./report/tower-partition-section.js"),
      import("./facts.js"),
    ]);
    return {
      charts: (_plan, instance) => towerCharts(instance),
      section: (report, id) => towersSection(report as Parameters<typeof towersSection>[0], id),
      instanceFacts,
    };
  },
};
