import { COLLECTIVES, type Collective } from "../../../instance/cluster.js";
import { nothing, paint, paragraph, table } from "../../../terminal/table.js";
import { methodName } from "../../../text/optimality.js";
import { bytes, count, percent, significant } from "../../../text/units.js";
import { answerTexts, goalBound } from "../../facts.js";
import { showFacts } from "../../show/facts.js";
import { boundVerdict } from "../../show/proof.js";
import { isShortOfBoth, rowTiersFacts, rowTiersGoal } from "../facts.js";
import type { PlanTable, PlanTier, RowTiersPlan } from "../plan-file/plan-file.js";

export const COLLECTIVE_HEADS: Readonly<Record<Collective, string>> = {
  allToAllGlobal: "a2a global",
  allToAllIntra: "a2a node",
  allReduceGlobal: "ar global",
  allReduceCross: "ar cross",
  hostToDevice: "host link",
};

/** A plan as a person reads it. */
export function showPlan(plan: RowTiersPlan): string {
  const title = `${paint.bold(plan.instance.name)}  ${paint.dim(`row tiers, ${methodName(plan.method)}`)}`;
  const facts = showFacts(rowTiersFacts(plan));
  const parts = plan.infeasibility === null ? [showTiers(plan), facts] : [facts, ...showLeast(plan)];
  return `${[title, ...parts, showVerdict(plan)].join("\n\n")}\n`;
}

function showTiers(plan: RowTiersPlan): string {
  const used = COLLECTIVES.filter((collective) =>
    plan.tables.some(({ tiers }) => tiers.some((tier) => (tier.collectives[collective] ?? 0) > 0)),
  );
  const head = ["table", "tier", "rows", "of rows", "of accesses", "memory per GPU"].concat(
    used.map((collective) => `${COLLECTIVE_HEADS[collective]} ms`),
  );
  const rows = plan.tables.flatMap((planTable) => tableRows(planTable, used));
  if (plan.tables.length > 1) {
    const totals = used.map((collective) => significant((plan.collectives?.[collective] ?? 0) * 1000, 4));
    rows.push(["all", "", "", "", "", bytes(plan.memory.bytesPerGpu ?? 0), ...totals].map((text) => paint.bold(text)));
  }
  return table(head, rows, `llrrrr${"r".repeat(used.length)}`);
}

function tableRows(planTable: PlanTable, used: readonly Collective[]): string[][] {
  const tiers = planTable.tiers.filter((tier) => tier.rows > 0);
  return tiers.map((tier: PlanTier, index) => [
    index === 0 ? planTable.name : "",
    tier.tier,
    count(tier.rows),
    percent(tier.rows / planTable.rows),
    percent(tier.accessShare),
    bytes(tier.memoryBytesPerGpu),
    ...used.map((collective) => {
      const seconds = tier.collectives[collective];
      return seconds === undefined ? nothing() : significant(seconds * 1000, 4);
    }),
  ]);
}

/** What each table needs at least, unless it is not the memory of the GPUs alone that is short. */
function showLeast({ infeasibility, memory }: RowTiersPlan): readonly string[] {
  if (infeasibility === null || isShortOfBoth(infeasibility.leastBytesPerGpu, memory)) return [];
  const conflict = new Set(infeasibility.conflict);
  const rows = infeasibility.tables.map(({ name, leastBytesPerGpu: least }) => [
    name,
    bytes(least),
    conflict.has(name) ? (conflict.size === 1 ? "too much by itself" : "too much together") : "",
  ]);
  return [table(["table", "least memory per GPU", ""], rows, "lrl")];
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
  const goal = rowTiersGoal(plan);
  const texts = answerTexts(goal, ["no plan is better than ", goalBound(goal)]);
  return paragraph(`${boundVerdict(plan, texts, request.gap.toExponential())} — ${how}`);
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
