import { answerTexts, goalBound } from "../../../facts/facts.js";
import { paint, paragraph } from "../../../terminal/table.js";
import { answerIn, methodName } from "../../../text/optimality.js";
import { bytes, count, significant } from "../../../text/units.js";
import { showFacts } from "../../show/facts.js";
import { boundVerdict } from "../../show/proof.js";
import { showTable } from "../../show/table.js";
import { isShortOfBoth, lastGoal, rowTiersFacts } from "../facts.js";
import type { RowTiersPlan } from "../plan-file/plan-file.js";
import { conflictTable, tierTable } from "../tables.js";

/** A plan as a person reads it. */
export function showPlan(plan: RowTiersPlan): string {
  const title = `${paint.bold(plan.instance.name)}  ${paint.dim(`row tiers, ${methodName(plan.method)}`)}`;
  const facts = showFacts(rowTiersFacts(plan));
  const parts = plan.infeasibility === null ? [showTable(tierTable(plan)), facts] : [facts, ...showLeast(plan)];
  return `${[title, ...parts, showVerdict(plan)].join("\n\n")}\n`;
}

/** What each table needs at least, unless it is not the memory of the GPUs alone that is short. */
function showLeast({ infeasibility, memory }: RowTiersPlan): readonly string[] {
  if (infeasibility === null || isShortOfBoth(infeasibility.leastBytesPerGpu, memory)) return [];
  return [showTable(conflictTable(infeasibility))];
}

/** The one line that says what is known for certain, and how. */
function showVerdict(plan: RowTiersPlan): string {
  const { status, infeasibility, memory, proof, timing, request } = plan;
  if (status === "heuristic")
    return paragraph(`${paint.yellow("heuristic")}: within the budget in exact arithmetic; no bound was asked for`);
  const how = proof === null ? "" : howProved(plan, proof, timing.proveSeconds);
  if (infeasibility !== null) {
    const budgets = isShortOfBoth(infeasibility.leastBytesPerGpu, memory) ? "budget and the host memory" : "budget";
    return paragraph(`${paint.red("infeasible")}: no plan fits the ${budgets} — ${how}`);
  }
  const goal = lastGoal(plan);
  const among = (plan.stages?.length ?? 0) > 1 ? " among those that keep to the goals before" : "";
  const texts = answerTexts(goal, [`no plan${among} is better than `, goalBound(goal)], among);
  return paragraph(`${boundVerdict(answerIn(plan), texts, request.gap)} — ${how}`);
}

function howProved(
  { certificate }: RowTiersPlan,
  { classes, steps, branchings }: NonNullable<RowTiersPlan["proof"]>,
  seconds: number,
): string {
  const first = certificate?.steps[0];
  const multipliers =
    first === undefined || "branch" in first ? 0 : Object.values(Object.values(first)[0] ?? {}).length;
  const by =
    branchings > 0
      ? `${count(branchings)} ${branchings === 1 ? "branching" : "branchings"}`
      : steps === 1 && multipliers <= 1
        ? multipliers === 0
          ? "no multiplier needed"
          : "one multiplier"
        : `${count(steps)} ${steps === 1 ? "step" : "steps"}`;
  const rows = `${count(classes)} ${classes === 1 ? "class" : "classes"} of rows`;
  return `${by}, ${rows}, checked in exact arithmetic (${seconds === 0 ? "under 1" : significant(seconds * 1000, 3)} ms)`;
}

/** A budget above the memory that the GPU has. */
export function warningsOf({ memory }: RowTiersPlan): readonly string[] {
  const { budgetBytesPerGpu: budget, hbmBytesPerGpu: hbm } = memory;
  if (hbm === null || budget <= hbm) return [];
  return [`warning: the budget of ${bytes(budget)} per GPU is above the GPU's ${bytes(hbm)} (hbmBytesPerGpu)`];
}
