import type { TowerLabels } from "../../../models/tower-partition/problem.js";
import type { TowerPartitionInstance } from "../../instance/types/tower-partition.js";
import { EXACT_METHOD, TOWER_PUBLISHED } from "../../plan-file/method-names.js";
import type { Comparison, Problem } from "../problem.js";
import { towerPartitionReader } from "./instance/reader.js";
import { TOWERS_STATUSES, type TowersPlan } from "./plan-file/by-status.js";
import type { WrittenTowerPlan } from "./plan-file/plan-file.js";
import type { TowerComparison } from "./solve/compare.js";
import type { PreparedTowers } from "./solve/plan.js";

export interface TowerPartitionComparison extends TowerComparison, Comparison {
  readonly rows: TowerComparison["rows"];
}

/** What towers are made of, with tables and without. */
export interface TowerTypes {
  readonly instance: TowerPartitionInstance;
  readonly ready: PreparedTowers;
  readonly comparison: TowerPartitionComparison;
  readonly decision: TowerLabels;
  readonly methods: readonly [typeof EXACT_METHOD, ...typeof TOWER_PUBLISHED];
}

/** A tower for every feature (DMT). */
export const towerPartition: Problem<TowerTypes & { readonly plan: TowersPlan; readonly written: WrittenTowerPlan }> = {
  name: "tower-partition",
  reader: towerPartitionReader,
  isOf: ({ problem, joint }) => problem === "tower-partition" && joint === undefined,
  measure: "plain",
  simulation: "exchange",
  methods: [EXACT_METHOD, ...TOWER_PUBLISHED],
  statuses: TOWERS_STATUSES,
  async solving() {
    const [solve, { evaluateFeatures: evaluate, ownTowers: own }] = await Promise.all([
      import("./solve/plan.js"),
      import("./solve/own.js"),
    ]);
    const { prepareTowers: prepare, planPreparedTowers, TOWER_PARTITION_STRATEGIES: strategies } = solve;
    return {
      prepare,
      plan: async (ready, options) => (await planPreparedTowers(ready, options)) as TowersPlan,
      evaluate,
      own,
      strategies,
    };
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
    const [{ towerPartitionPlanSchema: schema }, { verifyTowerPlan: verify }] = await Promise.all([
      import("./plan-file/plan-file.js"),
      import("./verify.js"),
    ]);
    return { schema, verify };
  },
  async rerunning(extent) {
    return (await import("./solve/heuristic-runs.js")).towerReruns(extent);
  },
  async exporting() {
    const { exportTowers: read, towerProgram: program } = await import("./export.js");
    return { read, program, proved: async () => (await import("./proved.js")).provedTowers };
  },
  async knowing() {
    const { towerGoal: goal, towerFacts, towerTiles: tiles } = await import("./facts.js");
    return { goal, facts: (plan) => towerFacts(plan), tiles };
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
    };
  },
  async reporting() {
    const [{ towerCharts }, { towersSection }, { towerInstanceFacts: instanceFacts }] = await Promise.all([
      import("./charts.js"),
      import("./report/tower-partition-section.js"),
      import("./facts.js"),
    ]);
    const { towersDifference: difference } = await import("./report/difference.js");
    return {
      difference,
      charts: (_plan, instance) => towerCharts(instance),
      section: (report, id) => towersSection(report as Parameters<typeof towersSection>[0], id),
      instanceFacts,
    };
  },
};
