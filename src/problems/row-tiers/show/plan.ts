import { COLLECTIVES, type Collective } from "../../../instance/instance.js";
import { facts, nothing, paint, paragraph, table } from "../../../terminal/table.js";
import { memoryPrice } from "../../../text/memory-price.js";
import { besideBound, methodName } from "../../../text/optimality.js";
import {
  bytes,
  count,
  milliseconds,
  millisecondsBelow,
  percent,
  relativeGap,
  significant,
} from "../../../text/units.js";
import { boundVerdict } from "../../show/proof.js";
import type { PlanBaseline, PlanTable, PlanTier, RowTiersPlan } from "../plan-file/plan-file.js";

export const COLLECTIVE_HEADS: Readonly<Record<Collective, string>> = {
  allToAllGlobal: "a2a global",
  allToAllIntra: "a2a node",
  allReduceGlobal: "ar global",
  allReduceCross: "ar cross",
  hostToDevice: "host link",
};

const OBJECTIVES: Readonly<Record<RowTiersPlan["objective"]["kind"], string>> = {
  serial: "serial: all collectives one after the other",
  exposed: "exposed: global collectives only, the others overlap",
  channels: "channels: the slower of network and NVLink",
};

/** A plan as a person reads it. */
export function showPlan(plan: RowTiersPlan): string {
  const title = `${paint.bold(plan.instance.name)}  ${paint.dim(`row tiers, ${methodName(plan.method)}`)}`;
  const parts = plan.infeasibility === null ? [showTiers(plan), showFacts(plan)] : [showInfeasibility(plan)];
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

function showFacts(plan: RowTiersPlan): string {
  const { objective, memory, prices, claim } = plan;
  const value = objective.value ?? 0;
  const used = memory.budgetBytesPerGpu > 0 ? (memory.bytesPerGpu ?? 0) / memory.budgetBytesPerGpu : 1;
  const pairs: [string, string][] = [
    [
      "communication",
      `${paint.bold(milliseconds(value))} per iteration  ${paint.dim(`(${OBJECTIVES[objective.kind]})`)}`,
    ],
  ];
  if (objective.bound !== null) {
    const gap = `gap ${relativeGap(objective.gap ?? 0)}`;
    pairs.push(["proved bound", `${showBound(plan)}, ${gap}`]);
  }
  pairs.push([
    "memory",
    `${bytes(memory.bytesPerGpu ?? 0)} of ${bytes(memory.budgetBytesPerGpu)} per GPU (${percent(used)})`,
  ]);
  if (memory.host !== undefined) {
    const { bytesPerNode, budgetBytesPerNode } = memory.host;
    const share = percent((bytesPerNode ?? 0) / budgetBytesPerNode);
    pairs.push(["host memory", `${bytes(bytesPerNode ?? 0)} of ${bytes(budgetBytesPerNode)} per node (${share})`]);
  }
  if (prices.secondsPerGiBPerGpu !== null) {
    pairs.push(["price of memory", priceText(prices.secondsPerGiBPerGpu, memory.budgetBytesPerGpu, "GPU")]);
  }
  if (prices.host !== undefined && memory.host !== undefined) {
    const text = priceText(prices.host.secondsPerGiBPerNode, memory.host.budgetBytesPerNode, "node");
    pairs.push(["price of host memory", text]);
  }
  for (const baseline of plan.baseline) pairs.push([baselineName(baseline.method), baselineText(baseline, memory)]);
  if (claim !== null) {
    const mark = claim.agrees ? "" : paint.red("contradicts the proof: ");
    pairs.push([`solver ${claim.solver}`, `${mark}${claim.remark}`]);
  }
  return facts(pairs);
}

function priceText(secondsPerGiB: number, budgetBytes: number, of: "GPU" | "node"): string {
  if (secondsPerGiB === 0) return "none: more memory would not help";
  return `${memoryPrice(secondsPerGiB, budgetBytes)} per ${of}`;
}

function baselineName(method: string): string {
  return method.replace(/^flexshard-(\d)tier$/, "FlexShard $1-tier").replace(/^recshard-/, "RecShard-");
}

function baselineText(baseline: PlanBaseline, memory: RowTiersPlan["memory"]): string {
  if (baseline.value === null) return `does not apply: ${baseline.reason}`;
  const value = milliseconds(baseline.value);
  if (baseline.status === "over-budget" && (baseline.bytesPerGpu ?? 0) <= memory.budgetBytesPerGpu) {
    return `${value}, but over the host memory of a node`;
  }
  if (baseline.status === "over-budget") {
    return `${value}, but over the budget by ${bytes((baseline.bytesPerGpu ?? 0) - memory.budgetBytesPerGpu)} per GPU`;
  }
  const beside = besideBound(baseline.aboveBound);
  return beside === null ? value : `${value}, ${beside}`;
}

function showInfeasibility({ infeasibility, memory }: RowTiersPlan): string {
  if (infeasibility === null) return "";
  const { leastBytesPerGpu, tables } = infeasibility;
  const conflict = new Set(infeasibility.conflict);
  const pairs: [string, string][] = [
    [
      "least memory of any plan",
      `${paint.bold(bytes(leastBytesPerGpu))} per GPU (${count(Math.ceil(leastBytesPerGpu))} B)`,
    ],
    ["budget", `${bytes(memory.budgetBytesPerGpu)} per GPU (${count(Math.floor(memory.budgetBytesPerGpu))} B)`],
  ];
  if (memory.host !== undefined) {
    const { budgetBytesPerNode } = memory.host;
    pairs.push(["host memory", `${bytes(budgetBytesPerNode)} per node (${count(Math.floor(budgetBytesPerNode))} B)`]);
    if (leastBytesPerGpu <= memory.budgetBytesPerGpu) {
      pairs.push(["", "more of either would do: no plan keeps to both"]);
      return facts(pairs);
    }
  }
  return [
    facts(pairs),
    table(
      ["table", "least memory per GPU", ""],
      tables.map(({ name, leastBytesPerGpu: least }) => [
        name,
        bytes(least),
        conflict.has(name) ? (conflict.size === 1 ? "too much by itself" : "too much together") : "",
      ]),
      "lrl",
    ),
  ].join("\n\n");
}

function showBound({ objective: { value, bound } }: RowTiersPlan): string {
  if (bound === null) return "none";
  return bound === value ? milliseconds(bound) : millisecondsBelow(bound);
}

/** The one line that says what is known for certain, and how. */
function showVerdict(plan: RowTiersPlan): string {
  const { status, objective, proof, timing, request } = plan;
  if (status === "heuristic")
    return paragraph(`${paint.yellow("heuristic")}: within the budget in exact arithmetic; no bound was asked for`);
  const how = proof === null ? "" : howProved(plan, proof, timing.proveSeconds);
  if (status === "infeasible")
    return paragraph(`${paint.red("infeasible")}: no plan fits the ${budgetsOf(plan)} — ${how}`);
  const bound = showBound(plan);
  const texts = { value: milliseconds(objective.value ?? 0), bound, optimum: `no plan is better than ${bound}` };
  return paragraph(`${boundVerdict(plan, texts, request.gap.toExponential())} — ${how}`);
}

function budgetsOf({ infeasibility, memory }: RowTiersPlan): string {
  const isBoth = memory.host !== undefined && (infeasibility?.leastBytesPerGpu ?? 0) <= memory.budgetBytesPerGpu;
  return isBoth ? "budget and the host memory" : "budget";
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
