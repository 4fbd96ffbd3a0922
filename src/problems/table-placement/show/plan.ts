import { answerTexts, goalBound } from "../../../facts/facts.js";
import { paint, paragraph, table } from "../../../terminal/table.js";
import { answerIn, firstGoalWords, methodName } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { askedGapText, bytesInUnits, count } from "../../../text/units.js";
import { sentence, showFacts } from "../../show/facts.js";
import { boundVerdict, proofText, unknownVerdict } from "../../show/proof.js";
import { showTable } from "../../show/table.js";
import { amongText, placementFacts, placementGoal, stagesWords } from "../facts.js";
import type { TablePlacementPlan } from "../plan-file/plan-file.js";
import { costliest, deviceTable } from "../tables/devices.js";
import { groupTable } from "../tables/groups.js";

export { withListedNames } from "../tables/devices.js";

/** Tables of an infeasible instance listed by name. */
const MAX_NAMED = 12;

/** A table-placement plan as a person reads it. */
export function showPlacement(plan: TablePlacementPlan): string {
  const title = `${paint.bold(printable(plan.instance.name))}  ${paint.dim(`table placement${plan.groups === undefined ? "" : " in groups"}, ${methodName(plan.method)}`)}`;
  const facts = showFacts(placementFacts(plan));
  const groups = groupTable(plan);
  const parts =
    plan.infeasibility !== null
      ? [facts, showConflict(plan.infeasibility)]
      : plan.devices === null
        ? []
        : [showDevices(plan), facts];
  return `${[title, ...(groups === null ? [] : [showTable(groups)]), ...parts, paragraph(verdictOf(plan))].filter((part) => part !== "").join("\n\n")}\n`;
}

function showDevices(plan: TablePlacementPlan): string {
  const listed = costliest(plan.deviceCosts ?? []);
  if (listed === null) return showTable(deviceTable(plan));
  const number = count(plan.deviceCosts?.length ?? 0);
  const rest = `the costliest ${listed.length} of ${number} devices; all are in --json`;
  return `${showTable(deviceTable(plan))}\n  ${paint.dim(rest)}`;
}

/** The tables that do not fit, and why. */
function showConflict({ kind, conflict, explanation }: NonNullable<TablePlacementPlan["infeasibility"]>): string {
  const named = conflict.slice(0, MAX_NAMED).map((name) => [printable(name)]);
  if (conflict.length > named.length) named.push([`… ${count(conflict.length - named.length)} more, see --json`]);
  const too = conflict.length === 1 ? "the table that is too much" : "the tables that are too much together";
  const head = kind === "rule" ? "cannot be run" : too;
  return `${table([head], named, "l")}\n\n  ${printable(bytesInUnits(explanation))}`;
}

/** What is known for certain, and how. */
function verdictOf(plan: TablePlacementPlan): string {
  const { status, request, objective, second } = plan;
  if (status === "unknown") {
    const found =
      plan.devices === null
        ? "no plan was found within the limits, and no proof that there is none"
        : "no bound was proved before the search ended";
    return unknownVerdict(found, request);
  }
  if (status === "heuristic") {
    const stopped = plan.stopped ? "; its time was over before it ended" : "";
    return `${paint.yellow("heuristic")}: within all limits in exact arithmetic; no bound was asked for${stopped}`;
  }
  const how = plan.proof === null ? "" : proofText(plan.proof, plan.timing.proveSeconds);
  if (status === "infeasible")
    return `${paint.red("infeasible")}: no plan${amongText(plan)} is within the limits — ${how}`;
  if (plan.stages)
    return `${(status === "proved" ? paint.green : paint.yellow)(status)}: ${stagesWords(plan)} — ${how}`;
  const goal = placementGoal(plan);
  const among = amongText(plan);
  const texts = answerTexts(goal, ["no plan", among, " is better than ", goalBound(goal)], among);
  const isFirstProved = objective.gap !== null && objective.gap <= request.gap;
  if (status === "feasible" && second !== null && isFirstProved) {
    const first = sentence(firstGoalWords(answerIn(plan), texts));
    return `${paint.yellow("second goal not proved")} to the gap of ${askedGapText(request.gap)}; the first is: ${first} — ${how}`;
  }
  return `${boundVerdict(answerIn(plan), texts, request.gap)} — ${how}`;
}
