import { answerTexts, goalBound } from "../../../facts/facts.js";
import { nothing, paint, paragraph, table } from "../../../terminal/table.js";
import { answerIn, methodName } from "../../../text/optimality.js";
import { printable } from "../../../text/printable.js";
import { showFacts } from "../../show/facts.js";
import { boundVerdict, proofText, unknownVerdict } from "../../show/proof.js";
import { showTable } from "../../show/table.js";
import { towerFacts, towerGoal } from "../facts.js";
import type { TowerPartitionPlan } from "../plan-file/plan-file.js";
import { towerTable } from "../tables.js";

/** Features of an infeasible instance listed by name. */
const MAX_NAMED = 12;

/** A tower-partition plan as a person reads it. */
export function showTowers(plan: TowerPartitionPlan): string {
  const { kind, strategy } = plan.objective;
  const what = paint.dim(`tower partition, ${strategy}, ${kind}, ${methodName(plan.method)}`);
  const title = `${paint.bold(printable(plan.instance.name))}  ${what}`;
  const facts = showFacts(towerFacts(plan));
  const parts =
    plan.infeasibility !== null
      ? [facts, showConflict(plan.infeasibility)]
      : plan.towers === null
        ? []
        : [showTable(towerTable(plan)), facts];
  return `${[title, ...parts, showVerdict(plan)].filter((part) => part !== "").join("\n\n")}\n`;
}

/** The features that do not fit, unless it is all of them, and why. */
function showConflict({ conflict, explanation, kind }: NonNullable<TowerPartitionPlan["infeasibility"]>): string {
  const isOfAll = kind === "towers" || kind === "sizes" || kind === "arrangement";
  const named = conflict.slice(0, MAX_NAMED).map((name) => [printable(name)]);
  if (conflict.length > named.length) named.push([`… ${conflict.length - named.length} more, see --json`]);
  const head = conflict.length === 1 ? "the feature" : "the features";
  return [...(isOfAll ? [] : [table([head], named, "l")]), `  ${printable(explanation)}`].join("\n\n");
}

/** What is known for certain, and how. */
function showVerdict(plan: TowerPartitionPlan): string {
  return paragraph(verdictOf(plan));
}

function verdictOf(plan: TowerPartitionPlan): string {
  const { status, request, proof, timing } = plan;
  if (status === "unknown") {
    const found = plan.towers === null ? "no partition was found" : "no bound was proved";
    return unknownVerdict(`${found} before the search ended`, request);
  }
  if (status === "heuristic") {
    const stopped = plan.stopped ? "; its time was over before it ended" : "";
    return `${paint.yellow("heuristic")}: within all limits in exact arithmetic; no bound was asked for${stopped}`;
  }
  const how = proof === null ? nothing() : proofText(proof, timing.proveSeconds);
  if (status === "infeasible") return `${paint.red("infeasible")}: no partition is within the limits — ${how}`;
  const goal = towerGoal(plan);
  const texts = answerTexts(goal, ["no partition is better than ", goalBound(goal)]);
  return `${boundVerdict(answerIn(plan), texts, request.gap)} — ${how}`;
}
