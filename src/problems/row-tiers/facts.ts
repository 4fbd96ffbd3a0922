import {
  amountAt,
  besideBoundAt,
  boundFacts,
  bytesAt,
  claimFacts,
  clusterFact,
  type Fact,
  fact,
  factsOf,
  type Goal,
  goalBound,
  goalGap,
  goalValue,
  whyFact,
} from "../../facts/facts.js";
import { goalTile, proofTile, rivalTiles, type Tile } from "../../facts/tiles.js";
import type { RowTiersGoalName, RowTiersInstance, RowTiersObjective } from "../../instance/types/row-tiers.js";
import { known } from "../../text/known.js";
import { memoryPrice } from "../../text/memory-price.js";
import { answerIn, methodName } from "../../text/optimality.js";
import { aside, only, quantity, type Said, strong } from "../../text/said.js";
import { bytes, count, percent } from "../../text/units.js";
import { BYTES, plainUnit, SECONDS, type ValueUnit } from "../../text/value-unit.js";
import type { PlanBaseline, PlanInfeasibility, PlanMoves, PlanStage, RowTiersPlan } from "./plan-file/plan-file.js";

const OBJECTIVES: Readonly<Record<RowTiersObjective, string>> = {
  serial: "serial: all collectives one after the other",
  exposed: "exposed: global collectives only, the others overlap",
  channels: "channels: the slower of network and NVLink",
};

/** An objective as people read it. */
export function rowTiersObjective(kind: string): string {
  return known(OBJECTIVES, kind) ?? goalText(kind);
}

const GOALS: Readonly<Record<RowTiersGoalName, string>> = {
  time: "communication",
  allToAllGlobal: "all-to-all, global",
  allToAllIntra: "all-to-all, in the node",
  allReduceGlobal: "all-reduce, global",
  allReduceCross: "all-reduce, across nodes",
  hostToDevice: "host link",
  memory: "memory per GPU",
  "host-memory": "host memory per node",
  "moved-rows": "moved rows",
  "moved-bytes": "moved bytes per GPU",
};

/** A goal as people read it. */
export function goalText(goal: string): string {
  return known(GOALS, goal) ?? goal;
}

export function goalValueUnit(unit: PlanStage["unit"]): ValueUnit {
  if (unit === "rows") return plainUnit("rows");
  return unit === "s" ? SECONDS : BYTES;
}

/** The seconds of communication in an iteration; of goals in order the first. */
export function rowTiersGoal({ objective: { value, bound, gap }, stages }: RowTiersPlan): Goal {
  const unit = goalValueUnit(stages?.[0]?.unit ?? "s");
  return { path: "objective", unit, value, bound, gap };
}

/** What moves from the plan before. */
function moveFacts(moves: PlanMoves | null): readonly Fact[] {
  if (moves === null) return [];
  const { rows, bytesPerGpu, moves: each, knownBy } = moves;
  const amountOf = (path: string, amount: number, own: number): Said => {
    return [quantity(`${path}.rows`, amount, `${count(amount)} rows`), ", ", bytesAt(`${path}.bytesPerGpu`, own)];
  };
  const assumed = knownBy.filter(({ by }) => by === "order").map(({ table }) => table);
  return factsOf(
    fact("moved", [amountOf("moves", rows, bytesPerGpu), ` received per GPU, from ${moves.plan}`]),
    each.map(({ table, from, to, ...own }, k) =>
      fact("", [`${table}: ${from} → ${to}, `, amountOf(`moves.moves.${k}`, own.rows, own.bytesPerGpu)]),
    ),
    assumed.length === 0
      ? null
      : fact("", `assumed, as the instance says: rows of ${assumed.join(", ")} in the same order as then`),
  );
}

/** What is known of the last goal, of which the earlier ones are limits. */
export function lastGoal(plan: RowTiersPlan): Goal {
  const last = plan.stages?.at(-1);
  if (last === undefined) return rowTiersGoal(plan);
  const { best: value, bound, gap, unit } = last;
  return { path: `stages.${(plan.stages?.length ?? 0) - 1}`, unit: goalValueUnit(unit), value, bound, gap };
}

/** Every goal in order: what it comes to by itself, how good that is, what the plan makes of it, and why it is no less. */
function stageFacts(stages: readonly PlanStage[]): readonly Fact[] {
  return stages.flatMap((stage, k): Fact[] => {
    const path = `stages.${k}`;
    const unit = goalValueUnit(stage.unit);
    const { value, best, bound, gap, most, floor } = stage;
    const goal: Goal = { path, unit, value: best, bound, gap };
    // What the plan has of the first goal is its objective.
    const own = strong(amountAt(k === 0 ? "objective.value" : `${path}.value`, value, unit));
    const isLast = k === stages.length - 1;
    const least: Said = isLast ? null : ["; least ", amountAt(`${path}.best`, best, unit)];
    const later: Said = isLast ? null : [", at most ", amountAt(`${path}.most`, most, unit), " then"];
    const said = [own, least, ", proved bound ", goalBound(goal), goalGap(goal), later];
    return [fact(`${k + 1}. ${goalText(stage.minimize)}`, said), fact("", floor.words)];
  });
}

/** What is known of a row-tiers plan, or of why there is none. */
export function rowTiersFacts(plan: RowTiersPlan): readonly Fact[] {
  const { objective, memory, prices, infeasibility, time, stages } = plan;
  if (infeasibility !== null) return infeasibilityFacts(infeasibility, memory);
  if (objective.value === null) return [];
  const goal = rowTiersGoal(plan);
  const communication = (value: Said, kind: string) =>
    fact("communication", [strong(value), " per iteration", only("terminal", aside(`(${rowTiersObjective(kind)})`))]);
  const { host } = memory;
  const hostPrice = prices.host?.secondsPerGiBPerNode ?? null;
  return factsOf(
    ...(stages === undefined || time === undefined
      ? [communication(goalValue(goal), objective.kind), boundFacts(goal)]
      : [stageFacts(stages), communication(amountAt("time.seconds", time.seconds, SECONDS), time.kind)]),
    fact("memory", memoryText("memory", memory.bytesPerGpu ?? 0, memory.budgetBytesPerGpu, GPU)),
    host === undefined
      ? null
      : fact("host memory", memoryText("memory.host", host.bytesPerNode ?? 0, host.budgetBytesPerNode, NODE)),
    moveFacts(plan.moves ?? null),
    priceFacts("price of memory", "prices", prices.secondsPerGiBPerGpu, memory.budgetBytesPerGpu, GPU),
    priceFacts("price of host memory", "prices.host", hostPrice, host?.budgetBytesPerNode ?? 0, NODE),
    plan.baseline.map((each, k) => fact(methodTitle(each.method), baselineText(each, k, plan))),
    claimFacts(plan.claim),
  );
}

/** What is said of a row-tiers plan in large type. */
export function rowTiersTiles(plan: RowTiersPlan): readonly Tile[] {
  const { objective, memory, baseline, infeasibility } = plan;
  const goal = rowTiersGoal(plan);
  const proof = proofTile(answerIn(plan), goal);
  const budget = bytesAt("memory.budgetBytesPerGpu", memory.budgetBytesPerGpu);
  if (infeasibility !== null) {
    const least = bytesAt("infeasibility.leastBytesPerGpu", infeasibility.leastBytesPerGpu);
    return [proof, { name: "least memory of any plan", value: least, beside: ["per GPU, of ", budget, " allowed"] }];
  }
  if (objective.value === null) return [proof];
  const share = memory.budgetBytesPerGpu > 0 ? percent((memory.bytesPerGpu ?? 0) / memory.budgetBytesPerGpu) : "all";
  const used = bytesAt("memory.bytesPerGpu", memory.bytesPerGpu ?? 0);
  return [
    goalTile(goal, "communication per iteration"),
    ...rivalTiles(goal, baseline, "baseline", methodTitle),
    proof,
    { name: "memory per GPU", value: used, beside: [`${share} of the budget of `, budget] },
  ];
}

/** The names of methods as people write them. */
export function methodTitle(method: string): string {
  return methodName(method)
    .replace(/^flexshard-(\d)tier$/, "FlexShard $1-tier")
    .replace(/^recshard-like$/, "RecShard-like");
}

/** What a budget is for: in the names of the file's fields, and in sentences. */
const GPU = ["Gpu", "GPU"] as const;
const NODE = ["Node", "node"] as const;

function memoryText(path: string, used: number, budget: number, [field, of]: readonly [string, string]): Said {
  const share = percent(budget > 0 ? used / budget : 1);
  const [own, limit] = [bytesAt(`${path}.bytesPer${field}`, used), bytesAt(`${path}.budgetBytesPer${field}`, budget)];
  return [own, " of ", limit, ` per ${of} (${share})`];
}

function priceFacts(
  name: string,
  path: string,
  secondsPerGiB: number | null,
  budgetBytes: number,
  [field, of]: readonly [string, string],
): readonly Fact[] {
  if (secondsPerGiB === null) return [];
  const at = (text: string) => quantity(`${path}.secondsPerGiBPer${field}`, secondsPerGiB, text);
  if (secondsPerGiB === 0) return [{ name, said: [at("none"), ": more memory would not help"] }];
  return [{ name, said: [at(memoryPrice(secondsPerGiB, budgetBytes)), ` per ${of}`] }];
}

function baselineText(baseline: PlanBaseline, k: number, { memory, stages }: RowTiersPlan): Said {
  const { value, status, aboveBound, reason } = baseline;
  if (value === null) return `does not apply: ${reason}`;
  const path = `baseline.${k}`;
  const own = amountAt(`${path}.value`, value, SECONDS);
  const isFirstOfSeveral = (stages?.length ?? 1) > 1;
  if (status !== "over-budget") return [own, besideBoundAt(`${path}.aboveBound`, aboveBound, isFirstOfSeveral)];
  const used = baseline.bytesPerGpu ?? 0;
  const over = used - memory.budgetBytesPerGpu;
  if (over <= 0) return [own, ", but over the host memory of a node"];
  const needed = only("page", ": needs ", bytesAt(`${path}.bytesPerGpu`, used), " per GPU");
  return [own, ", but over the budget", only("terminal", ` by ${bytes(over)} per GPU`), needed];
}

function infeasibilityFacts(
  { leastBytesPerGpu: least, explanation }: PlanInfeasibility,
  memory: RowTiersPlan["memory"],
): readonly Fact[] {
  const { budgetBytesPerGpu: budget, host } = memory;
  const needed = strong(bytesAt("infeasibility.leastBytesPerGpu", least));
  const there = (name: string, amount: number, of: string) =>
    fact(name, `${bytes(amount)} per ${of} (${count(Math.floor(amount))} B)`, "terminal");
  return factsOf(
    fact("least memory of any plan", [needed, ` per GPU (${count(Math.ceil(least))} B)`]),
    there("budget", budget, "GPU"),
    host === undefined ? null : there("host memory", host.budgetBytesPerNode, "node"),
    isShortOfBoth(least, memory) ? fact("", "more of either would do: no plan keeps to both", "terminal") : null,
    whyFact(explanation),
  );
}

/** Whether the GPUs alone would hold a plan, and the hosts beside them do not. */
export function isShortOfBoth(least: number, { budgetBytesPerGpu, host }: RowTiersPlan["memory"]): boolean {
  return host !== undefined && least <= budgetBytesPerGpu;
}

/** What an instance says of itself: its size, and what it asks for. */
export function rowTiersInstanceFacts(instance: RowTiersInstance): readonly Fact[] {
  const { cluster, training, tables, tiers, granularity } = instance;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const copied = `a copied parameter takes ${training.replicaMemoryFactor} times its size`;
  return factsOf(
    clusterFact(cluster),
    fact("tables", `${count(tables.length)}, ${count(rows)} rows`),
    fact("batch", `${count(training.batchPerGpu)} samples per GPU; ${copied}`),
    fact("tiers", tiers.join(", ")),
    granularity === 1 ? null : fact("granularity", `${count(granularity)} rows`),
  );
}
