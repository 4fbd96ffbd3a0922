import { answerTexts, goalValue } from "../../../facts/facts.js";
import type { ReportOf } from "../../../report/input.js";
import type { Section } from "../../../report/page-section.js";
import { answerIn, standingOf, valueWords } from "../../../text/optimality.js";
import type { Said } from "../../../text/said.js";
import { significant, some } from "../../../text/units.js";
import type { TowerCharts } from "../../tower-partition/report/input.js";
import { towersSection } from "../../tower-partition/report/tower-partition-section.js";
import { BEST_PARTITIONS, jointFacts, jointGoal, jointTiles } from "../facts.js";
import type { JointPlan, JointTowersPlan } from "../plan-file/plan-file.js";
import { rowTable } from "../tables.js";
import { jointCharts } from "./joint.js";

/** What a page says of towers chosen with their tables: of the partition, and of what is beside it. */
export function jointTowersSection(report: ReportOf<JointTowersPlan, TowerCharts>, id: string): Section {
  const { plan } = report;
  const { joint } = plan;
  return towersSection(report, id, {
    question: QUESTION,
    among: BEST_PARTITIONS,
    answer: joint.chosen !== null && joint.seconds.value !== null ? jointAnswer(plan, joint.chosen) : null,
    tiles: jointTiles(plan),
    facts: jointFacts(plan),
    tables: [rowTable(joint)],
    charts: jointCharts(joint, id),
  });
}

const QUESTION =
  "Asked: how many towers, on which hosts, and a place for each tower's tables, so that every iteration waits least for the embedding exchange, as bandwidths say.";

/** How many times faster than flat it is. */
function fasterText({ flat, seconds: { value } }: JointPlan): string {
  const other = flat.seconds.value;
  return other === null || value === null || value === 0
    ? ""
    : `, ${significant(other / value, 3)} times as fast as flat`;
}

function jointAnswer(plan: JointTowersPlan, { towers, hostsPerTower }: NonNullable<JointPlan["chosen"]>): Said {
  const goal = jointGoal(plan);
  const { joint } = plan;
  const where = `With ${some(towers, "tower")} of ${some(hostsPerTower, "host")}, every iteration waits `;
  const answer = answerIn(plan);
  const optimum = `${BEST_PARTITIONS.replace(/^, /, "")}, no placement waits less`;
  const said = valueWords(answer, answerTexts(goal, optimum));
  const among =
    standingOf(answer) === "optimal" ? "" : ", of all placements of the partitions into each number of towers";
  return [where, goalValue(goal), " for the embedding exchange", fasterText(joint), "; ", said, `${among}.`];
}
