import type { Placement } from "../../../models/table-placement/problem.js";
import type { TablePlacementInstance } from "../../instance/types/table-placement.js";
import { EXACT_METHOD, PLACEMENT_PUBLISHED } from "../../plan-file/method-names.js";
import type { Comparison, Problem } from "../problem.js";
import { tablePlacementReader } from "./instance/reader.js";
import { PLACEMENT_STATUSES, type TablePlacementPlan } from "./plan-file/by-status.js";
import type { PlacementExplanationFile } from "./plan-file/explanation.js";
import type { PlacementFrontierFile } from "./plan-file/frontier.js";
import type { WrittenPlacementPlan } from "./plan-file/plan-file.js";
import type { PlacementTradeFile } from "./plan-file/trade.js";
import type { PlacementComparison } from "./solve/compare.js";
import type { PreparedPlacement } from "./solve/prepared.js";

export interface TablePlacementComparison extends PlacementComparison, Comparison {
  readonly rows: PlacementComparison["rows"];
}

/** What table placement is made of. */
export interface PlacementTypes {
  readonly instance: TablePlacementInstance;
  readonly ready: PreparedPlacement;
  readonly plan: TablePlacementPlan;
  readonly written: WrittenPlacementPlan;
  readonly comparison: TablePlacementComparison;
  readonly decision: Placement;
  readonly methods: readonly [typeof EXACT_METHOD, ...typeof PLACEMENT_PUBLISHED];
}

/** A device for every table, or for the shards of one of its options (AutoShard, NeuroShard, TorchRec). */
export const tablePlacement: Problem<PlacementTypes> = {
  name: "table-placement",
  reader: tablePlacementReader,
  isOf: ({ problem, groups }) => problem === "table-placement" && groups === undefined,
  measure: "plain",
  simulation: "look-ups",
  methods: [EXACT_METHOD, ...PLACEMENT_PUBLISHED],
  statuses: PLACEMENT_STATUSES,
  async opened(instance) {
    return (await import("../../access/counted-tables.js")).withCounts(instance);
  },
  async solving() {
    const [solve, { evaluateTables: evaluate }, { ownPlacement: own }] = await Promise.all([
      import("./solve/plan.js"),
      import("./solve/evaluate.js"),
      import("./solve/own.js"),
    ]);
    const { preparePlacement: prepare, planPreparedPlacement, TABLE_PLACEMENT_STRATEGIES: strategies } = solve;
    return {
      prepare,
      plan: async (ready, options) => (await planPreparedPlacement(ready, options)) as TablePlacementPlan,
      evaluate,
      own,
      strategies,
    };
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
    const [{ tablePlacementPlanSchema: schema }, { verifyTablePlacementPlan: verify }] = await Promise.all([
      import("./plan-file/plan-file.js"),
      import("./verify.js"),
    ]);
    return { schema, verify };
  },
  async rerunning(extent) {
    return (await import("./solve/heuristic-runs.js")).placementReruns(extent);
  },
  async exporting() {
    const { exportPlacement: read, placementProgram } = await import("./export.js");
    const proved = async () => (await import("./proved.js")).provedPlacement;
    return { read, program: async (instance) => placementProgram(instance), proved };
  },
  async foreignModel({ torchrec }) {
    if (torchrec === null) return { named: [], assumed: [] };
    const { torchrecFacts } = await import("./show/torchrec-facts.js");
    return torchrecFacts(torchrec);
  },
  async knowing() {
    const { placementGoal: goal, placementFacts: facts } = await import("./facts.js");
    const { placementTiles: tiles } = await import("./tiles.js");
    return { goal, facts, tiles };
  },
  async showing() {
    const [{ showPlacement, withListedNames }, { showPlacementCompare }] = await Promise.all([
      import("./show/plan.js"),
      import("./show/compare.js"),
    ]);
    return {
      plan: showPlacement,
      shownOf: withListedNames,
      compare: showPlacementCompare,
      warnings: () => [],
      async details(plan, instance) {
        if (plan.devices === null) return null;
        const { showRankStatistics } = await import("./show/rank-statistics.js");
        return showRankStatistics(plan, (instance as TablePlacementInstance).torchrec);
      },
    };
  },
  async frontiers() {
    const [{ placementFrontier }, { placementTrade }, shown, traded] = await Promise.all([
      import("./frontier/frontier.js"),
      import("./frontier/trade.js"),
      import("./show/frontier.js"),
      import("./show/trade.js"),
    ]);
    return {
      // Goals in order are traded for one another; one alone for memory.
      frontier: (instance, options) =>
        (instance.goals?.length ?? 0) > 1 ? placementTrade(instance, options) : placementFrontier(instance, options),
      show: (file) =>
        isTrade(file) ? traded.showTrade(file) : shown.showPlacementFrontier(file as PlacementFrontierFile),
      csv: (file) =>
        isTrade(file) ? traded.tradeCsv(file) : shown.placementFrontierCsv(file as PlacementFrontierFile),
      outcome(file) {
        const known = file as PlacementFrontierFile | PlacementTradeFile;
        const isInfeasible =
          "optimal" in known ? known.optimal.every(({ status }) => status === "infeasible") : known.isInfeasible;
        return isInfeasible ? "infeasible" : known.isComplete ? "complete" : "open";
      },
    };
  },
  async explaining() {
    const [{ explainPlacement: explain }, { showExplanation }] = await Promise.all([
      import("./explain/explain.js"),
      import("./show/explanation.js"),
    ]);
    return { explain, show: (file) => showExplanation(file as PlacementExplanationFile) };
  },
  async reporting() {
    const [
      { placementCharts },
      { placementDifference: difference },
      { placementSection: section },
      { placementInstanceFacts },
      { torchrecFacts },
    ] = await Promise.all([
      import("./charts.js"),
      import("./report/difference.js"),
      import("./report/table-placement-section.js"),
      import("./facts.js"),
      import("./show/torchrec-facts.js"),
    ]);
    return {
      charts: placementCharts,
      difference,
      section: (report, id) => section(report as Parameters<typeof section>[0], id),
      instanceFacts: (instance) => [
        ...placementInstanceFacts(instance),
        ...(instance.torchrec === null ? [] : Object.values(torchrecFacts(instance.torchrec)).flat()),
      ],
    };
  },
};

function isTrade(file: object): file is PlacementTradeFile {
  return "kind" in file && file.kind === "trade";
}
