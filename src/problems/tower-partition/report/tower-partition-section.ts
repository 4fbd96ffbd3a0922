import { answerTexts, type Fact, goalValue } from "../../../facts/facts.js";
import type { PlanTable } from "../../../facts/plan-table.js";
import type { Tile } from "../../../facts/tiles.js";
import type { Chart } from "../../../report/chart.js";
import type { Section } from "../../../report/page-section.js";
import { askedFacts } from "../../../report/section.js";
import { valueCharts } from "../../../report/value-chart.js";
import { answerIn, valueWords } from "../../../text/optimality.js";
import type { Said } from "../../../text/said.js";
import { count, some } from "../../../text/units.js";
import { towerFacts, towerGoal, towerObjective, towerTiles } from "../facts.js";
import type { TowerPartitionPlan } from "../plan-file/plan-file.js";
import { towerTable } from "../tables.js";
import type { TowersReport } from "./input.js";
import { interactionCharts, towerBars } from "./tower-charts.js";

/** What a page says beside a partition, where more than that was chosen. */
export interface Beside {
  /** In place of the partition's own. */
  readonly question?: Said;
  readonly answer: Said;
  readonly among?: string;
  readonly tiles?: readonly Tile[];
  readonly facts: readonly Fact[];
  readonly tables: readonly PlanTable[];
  readonly charts: readonly Chart[];
}

const NOTHING: Beside = { answer: null, facts: [], tables: [], charts: [] };

/** What a page says of a tower partition. `id` begins the names of its charts. */
export function towersSection(report: TowersReport, id: string, beside = NOTHING): Section {
  const { plan, charts } = report;
  const { kind, strategy } = plan.objective;
  const isCoherent = strategy === "coherent";
  const own = charts === null ? [] : interactionCharts(plan, charts, id);
  return {
    question: beside.question ?? questionOf(plan),
    answer: beside.answer ?? answerOf(plan),
    ...(beside.among === undefined ? {} : { among: beside.among }),
    tiles: beside.tiles ?? towerTiles(plan),
    asked: [
      {
        name: "minimised",
        said: `the ${towerObjective(kind)}, with ${isCoherent ? "1 − interaction" : "interaction"} for distance`,
      },
      { name: "sizes", said: sizesOf(plan.limits.sizes) },
      ...askedFacts(report),
    ],
    facts: towerFacts(plan, beside.facts),
    tables: [...beside.tables, ...(plan.towers === null ? [] : [towerTable(plan)])],
    charts: [
      ...beside.charts,
      ...own,
      ...valueCharts(plan, `the ${towerObjective(kind)}`, towerGoal(plan).unit, charts?.notRun, id),
      ...towerBars(plan, id),
    ],
    leading: beside.charts.length > 0 ? 1 : own.length,
  };
}

function sizesOf(windows: TowerPartitionPlan["limits"]["sizes"]): string {
  if (windows.length === 0) return "no sizes fit";
  const texts = windows.map(([least, most]) => (least === most ? `${least}` : `${least} to ${most}`));
  const shown = texts.length > 4 ? [...texts.slice(0, 3), "…", texts.at(-1)] : texts;
  return `${shown.join(", or ")} features per tower`;
}

function questionOf({ objective, towers, sizes }: TowerPartitionPlan): string {
  const features = (sizes ?? []).reduce((sum, size) => sum + size, 0);
  const what = features === 0 ? "every feature" : `each of ${some(features, "feature")}`;
  const where = towers === null ? "a tower" : `one of ${some(towers.length, "tower")}`;
  const together = objective.strategy === "coherent" ? "together" : "apart";
  return `Asked: ${where} for ${what}, with those that interact ${together}: the least ${towerObjective(objective.kind)}, within sizes and load of towers.`;
}

function answerOf(plan: TowerPartitionPlan): Said {
  const { objective, status, towers, sizes } = plan;
  if (objective.value === null || towers === null) {
    if (status === "infeasible") return "No partition is within the limits.";
    return "No partition was found within the limits of the search, and none was ruled out.";
  }
  const features = (sizes ?? []).reduce((sum, size) => sum + size, 0);
  const goal = towerGoal(plan);
  const what =
    objective.kind === "pairwise" ? "The distances inside towers come" : "The sum of squares in towers comes";
  const where = ` with ${count(features)} features in ${some(towers.length, "tower")}; `;
  const said = valueWords(answerIn(plan), answerTexts(goal, "no partition within the limits comes to less"));
  return [`${what} to `, goalValue(goal), where, said, "."];
}
