import { known } from "../../text/known.js";
import { memoryPrice } from "../../text/memory-price.js";
import { answerIn, methodName } from "../../text/optimality.js";
import { aside, only, quantity, type Said, strong } from "../../text/said.js";
import { bytes, count, percent } from "../../text/units.js";
import { BYTES, plainUnit, SECONDS, type ValueUnit } from "../../text/value-unit.js";
import {
  besideBoundAt,
  boundFacts,
  bytesAt,
  claimFacts,
  clusterFact,
  type Fact,
  type Goal,
  goalBound,
  goalGap,
  goalValue,
  whyFact,
} from "../facts.js";
import { goalTile, proofTile, rivalTiles, type Tile } from "../tiles.js";
import type { RowTiersGoalName, RowTiersInstance, RowTiersObjective } from "./instance/instance.js";
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
  const total: Said = [
    quantity("moves.rows", rows, `${count(rows)} rows`),
    ", ",
    bytesAt("moves.bytesPerGpu", bytesPerGpu),
    ` received per GPU, from ${moves.plan}`,
  ];
  const assumed = knownBy.filter(({ by }) => by === "order").map(({ table }) => table);
  return [
    { name: "moved", said: total },
    ...each.map(({ table, from, to, rows: some, bytesPerGpu: own }, k): Fact => {
      const at = `moves.moves.${k}`;
      const amount = quantity(`${at}.rows`, some, `${count(some)} rows`);
      return { name: "", said: [`${table}: ${from} → ${to}, `, amount, ", ", bytesAt(`${at}.bytesPerGpu`, own)] };
    }),
    ...(assumed.length === 0
      ? []
      : [{ name: "", said: `assumed, as the instance says: rows of ${assumed.join(", ")} in the same order as then` }]),
  ];
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
    const own = quantity(k === 0 ? "objective.value" : `${path}.value`, value, unit.text(value));
    const isLast = k === stages.length - 1;
    const least: Said = isLast ? null : ["; least ", quantity(`${path}.best`, best, unit.text(best))];
    const later: Said = isLast ? null : [", at most ", quantity(`${path}.most`, most, unit.text(most)), " then"];
    return [
      {
        name: `${k + 1}. ${goalText(stage.minimize)}`,
        said: [strong(own), least, ", proved bound ", goalBound(goal), goalGap(goal), later],
      },
      { name: "", said: floor.words },
    ];
  });
}

/** What is known of a row-tiers plan, or of why there is none. */
export function rowTiersFacts(plan: RowTiersPlan): readonly Fact[] {
  const { objective, memory, prices, infeasibility, time, stages } = plan;
  if (infeasibility !== null) return infeasibilityFacts(infeasibility, memory);
  if (objective.value === null) return [];
  const goal = rowTiersGoal(plan);
  const what = only("terminal", aside(`(${rowTiersObjective(objective.kind)})`));
  const { host } = memory;
  return [
    ...(stages === undefined || time === undefined
      ? [{ name: "communication", said: [strong(goalValue(goal)), " per iteration", what] }, ...boundFacts(goal)]
      : [
          ...stageFacts(stages),
          {
            name: "communication",
            said: [
              strong(quantity("time.seconds", time.seconds, SECONDS.text(time.seconds))),
              " per iteration",
              only("terminal", aside(`(${rowTiersObjective(time.kind)})`)),
            ],
          },
        ]),
    { name: "memory", said: memoryText("memory", memory.bytesPerGpu ?? 0, memory.budgetBytesPerGpu, GPU) },
    ...(host === undefined
      ? []
      : [
          {
            name: "host memory",
            said: memoryText("memory.host", host.bytesPerNode ?? 0, host.budgetBytesPerNode, NODE),
          },
        ]),
    ...moveFacts(plan.moves ?? null),
    ...priceFacts("price of memory", "prices", prices.secondsPerGiBPerGpu, memory.budgetBytesPerGpu, GPU),
    ...priceFacts(
      "price of host memory",
      "prices.host",
      prices.host?.secondsPerGiBPerNode ?? null,
      host?.budgetBytesPerNode ?? 0,
      NODE,
    ),
    ...plan.baseline.map((each, k) => ({ name: methodTitle(each.method), said: baselineText(each, k, plan) })),
    ...claimFacts(plan.claim),
  ];
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
  const own = quantity(`${path}.value`, value, SECONDS.text(value));
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
  const there = (name: string, amount: number, of: string): Fact => {
    return { name, said: `${bytes(amount)} per ${of} (${count(Math.floor(amount))} B)`, on: "terminal" };
  };
  return [
    { name: "least memory of any plan", said: [needed, ` per GPU (${count(Math.ceil(least))} B)`] },
    there("budget", budget, "GPU"),
    ...(host === undefined ? [] : [there("host memory", host.budgetBytesPerNode, "node")]),
    ...(isShortOfBoth(least, memory)
      ? [{ name: "", said: "more of either would do: no plan keeps to both", on: "terminal" as const }]
      : []),
    whyFact(explanation),
  ];
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
  return [
    clusterFact(cluster),
    { name: "tables", said: `${count(tables.length)}, ${count(rows)} rows` },
    { name: "batch", said: `${count(training.batchPerGpu)} samples per GPU; ${copied}` },
    { name: "tiers", said: tiers.join(", ") },
    ...(granularity === 1 ? [] : [{ name: "granularity", said: `${count(granularity)} rows` }]),
  ];
}
