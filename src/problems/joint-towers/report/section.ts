import { type Html, html } from "../../../report/html.js";
import type { ReportOf } from "../../../report/input.js";
import { answerTexts, planNumber, SECONDS } from "../../../report/numbers.js";
import type { Section } from "../../../report/section.js";
import { verdictText } from "../../../report/verdict.js";
import { answerIn, standingOf, valueWords } from "../../../text/optimality.js";
import { count } from "../../../text/units.js";
import type { TowerCharts } from "../../tower-partition/report/input.js";
import { towersSection } from "../../tower-partition/report/tower-partition-section.js";
import type { JointPlan, JointTowersPlan } from "../plan-file/plan-file.js";
import { jointCharts, jointFacts, jointTable } from "./joint.js";

/** What a page says of towers chosen with their tables: of the partition, and of what is beside it. */
export function jointTowersSection(report: ReportOf<JointTowersPlan, TowerCharts>, id: string): Section {
  const { plan } = report;
  const { joint } = plan;
  return towersSection(report, id, {
    answer: joint.chosen !== null && joint.seconds.value !== null ? jointAnswer(plan, joint, joint.chosen) : null,
    facts: jointFacts(joint),
    tables: [jointTable(joint)],
    charts: jointCharts(joint, id),
  });
}

function jointAnswer(
  plan: JointTowersPlan,
  { seconds }: JointPlan,
  { towers, hostsPerTower }: NonNullable<JointPlan["chosen"]>,
): Html {
  const value = planNumber("joint.seconds.value", seconds.value ?? 0, SECONDS.text(seconds.value ?? 0));
  const begin = html`With ${count(towers)} ${towers === 1 ? "tower" : "towers"} of
${count(hostsPerTower)} ${hostsPerTower === 1 ? "host" : "hosts"}, every iteration waits ${value} for the embedding exchange`;
  const optimum = "of the best partitions into each number of towers, no placement waits less";
  const answer = answerIn(plan);
  const said = verdictText(valueWords(answer, answerTexts(SECONDS, seconds, optimum)), seconds, "joint.seconds");
  const among =
    standingOf(answer) === "optimal" ? "" : ", of all placements of the partitions into each number of towers";
  return html`${begin}; ${said}${among}.`;
}
