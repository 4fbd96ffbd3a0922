import type { Assignment } from "../../instance/types/assignment.js";
import type { RowTiersInstance } from "../../instance/types/row-tiers.js";
import { EXACT_METHOD, ROW_TIERS_PUBLISHED } from "../../plan-file/method-names.js";
import type { Comparison, Problem } from "../problem.js";
import type { FrontierFile } from "./frontier/report.js";
import { rowTiersReader } from "./instance/reader.js";
import { ROW_TIERS_STATUSES, type RowTiersPlan } from "./plan-file/by-status.js";
import type { WrittenPlan } from "./plan-file/plan-file.js";
import type { CompareRow } from "./solve/compare.js";
import type { PreparedRowTiers } from "./solve/plan.js";

export interface RowTiersComparison extends Comparison {
  readonly rows: readonly CompareRow[];
}

/** A tier for every embedding row (FlexShard). */
export const rowTiers: Problem<{
  readonly instance: RowTiersInstance;
  readonly ready: PreparedRowTiers;
  readonly plan: RowTiersPlan;
  readonly written: WrittenPlan;
  readonly comparison: RowTiersComparison;
  readonly decision: Assignment;
  readonly methods: readonly [typeof EXACT_METHOD, ...typeof ROW_TIERS_PUBLISHED];
}> = {
  name: "row-tiers",
  reader: rowTiersReader,
  isOf: ({ problem }) => problem === "row-tiers",
  measure: "seconds",
  simulation: "rows",
  methods: [EXACT_METHOD, ...ROW_TIERS_PUBLISHED],
  statuses: ROW_TIERS_STATUSES,
  async solving() {
    const [solve, { evaluateRows: evaluate, ownRows: own }] = await Promise.all([
      import("./solve/plan.js"),
      import("./solve/own.js"),
    ]);
    const { prepareRowTiers: prepare, planPrepared, ROW_TIERS_STRATEGIES: strategies } = solve;
    const plan = async (...asked: Parameters<typeof solve.planPrepared>) =>
      (await planPrepared(...asked)) as RowTiersPlan;
    return { prepare, plan, evaluate, own, strategies };
  },
  async comparing() {
    const { comparePrepared } = await import("./solve/compare.js");
    return { compare: async (ready, options) => ({ rows: await comparePrepared(ready, options) }) };
  },
  async verifying() {
    const [{ rowTiersPlanSchema: schema }, { verifyRowTiersPlan: verify }] = await Promise.all([
      import("./plan-file/plan-file.js"),
      import("./verify.js"),
    ]);
    return { schema, verify };
  },
  async rerunning(extent) {
    return (await import("./solve/heuristic-runs.js")).rowTiersReruns(extent);
  },
  async exporting() {
    const { exportRowTiers: read, rowTiersProgram: program } = await import("./export.js");
    return { read, program, proved: async () => (await import("./proved.js")).provedRows };
  },
  async knowing() {
    const { rowTiersGoal: goal, rowTiersFacts: facts, rowTiersTiles: tiles } = await import("./facts.js");
    return { goal, facts, tiles };
  },
  async showing() {
    const [{ showPlan: plan, warningsOf: warnings }, { showCompare }] = await Promise.all([
      import("./show/plan.js"),
      import("./show/compare.js"),
    ]);
    return { plan, compare: ({ rows }) => showCompare(rows), warnings };
  },
  async frontiers() {
    const [{ rowTiersFrontier }, { showFrontier }, { frontierCsv }] = await Promise.all([
      import("./frontier/frontier.js"),
      import("./show/frontier.js"),
      import("./show/frontier-csv.js"),
    ]);
    return {
      frontier: rowTiersFrontier,
      show: (frontier) => showFrontier(frontier as FrontierFile),
      csv: (frontier) => frontierCsv(frontier as FrontierFile),
      outcome(frontier) {
        const { breakPoints, isComplete } = frontier as FrontierFile;
        if (breakPoints.length === 0) return "infeasible";
        return isComplete ? "complete" : "open";
      },
    };
  },
  async reporting() {
    const [{ rowTiersCharts: charts }, { rowTiersSection: section }, { rowTiersInstanceFacts: instanceFacts }] =
      await Promise.all([import("./charts.js"), import("./report/row-tiers-section.js"), import("./facts.js")]);
    const { rowTiersDifference: difference } = await import("./report/difference.js");
    return {
      charts,
      difference,
      section: (report, id) => section(report as Parameters<typeof section>[0], id),
      instanceFacts,
    };
  },
};
