import { paint, paragraph } from "../../../terminal/table.js";
import { answerIn, standingWords } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { count, some } from "../../../text/units.js";
import { plainUnit } from "../../../text/value-unit.js";
import { showFacts } from "../../show/facts.js";
import { showTable } from "../../show/table.js";
import { amongText, goalName } from "../facts.js";
import type { PlacementExplanation } from "../plan-file/explanation.js";
import { costliest } from "../tables/devices.js";
import { explainedTables, filledDevices, tablesLeftOut } from "../tables/explanation.js";
import { explanationFacts } from "../tables/explanation-facts.js";

/** An explanation as a person reads it. */
export function showExplanation(explanation: PlacementExplanation): string {
  const { instance, plan, tables, devices, timing } = explanation;
  const { objective } = plan;
  const standing = printable(standingWords(answerIn(plan)));
  const title = `${paint.bold(printable(instance.name))}  ${paint.dim(`table placement, why this plan`)}`;
  const isProved = tables.some(({ without }) => without.kind === "bound" || without.kind === "none");
  const left = tablesLeftOut(explanation);
  const listed = costliest(devices.map(({ cost }) => cost));
  const parts = [
    title,
    showTable(explainedTables(explanation)) +
      note(
        left === 0 ? null : `${some(left, "table")} more, whose choice is not shown to cost more; all are in --json`,
      ),
    showTable(filledDevices(explanation)) +
      note(listed && `the costliest ${listed.length} of ${count(devices.length)} devices; all are in --json`),
    showFacts(explanationFacts(explanation)),
    paragraph(
      `${goalName(objective.kind)} ${plainUnit(objective.unit).text(objective.value ?? 0)}, ${standing}${amongText(plan)}; ` +
        `${isProved ? "what plans without an option cost at least is checked in exact arithmetic" : "nothing is proved of plans without an option"} (${timing.totalSeconds.toFixed(2)} s)`,
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

function note(text: string | null): string {
  return text === null ? "" : `\n  ${paint.dim(text)}`;
}
