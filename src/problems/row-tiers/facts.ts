import { known } from "../../text/known.js";
import { memoryPrice } from "../../text/memory-price.js";
import { methodName } from "../../text/optimality.js";
import { aside, only, quantity, type Said, strong } from "../../text/said.js";
import { bytes, count, percent } from "../../text/units.js";
import { SECONDS } from "../../text/value-unit.js";
import {
  besideBoundAt,
  boundFacts,
  bytesAt,
  claimFacts,
  clusterFact,
  type Fact,
  type Goal,
  goalValue,
  whyFact,
} from "../facts.js";
import type { RowTiersInstance, RowTiersObjective } from "./instance/instance.js";
import type { PlanBaseline, PlanInfeasibility, RowTiersPlan } from "./plan-file/plan-file.js";

const OBJECTIVES: Readonly<Record<RowTiersObjective, string>> = {
  serial: "serial: all collectives one after the other",
  exposed: "exposed: global collectives only, the others overlap",
  channels: "channels: the slower of network and NVLink",
};

/** An objective as people read it. */
export function rowTiersObjective(kind: string): string {
  return known(OBJECTIVES, kind) ?? kind;
}

/** The seconds of communication in an iteration. */
export function rowTiersGoal({ objective: { value, bound, gap } }: RowTiersPlan): Goal {
  return { path: "objective", unit: SECONDS, value, bound, gap };
}

/** What is known of a row-tiers plan, or of why there is none. */
export function rowTiersFacts(plan: RowTiersPlan): readonly Fact[] {
  const { objective, memory, prices, infeasibility } = plan;
  if (infeasibility !== null) return infeasibilityFacts(infeasibility, memory);
  if (objective.value === null) return [];
  const goal = rowTiersGoal(plan);
  const what = only("terminal", aside(`(${rowTiersObjective(objective.kind)})`));
  const { host } = memory;
  return [
    { name: "communication", said: [strong(goalValue(goal)), " per iteration", what] },
    ...boundFacts(goal),
    { name: "memory", said: memoryText("memory", memory.bytesPerGpu ?? 0, memory.budgetBytesPerGpu, GPU) },
    ...(host === undefined
      ? []
      : [
          {
            name: "host memory",
            said: memoryText("memory.host", host.bytesPerNode ?? 0, host.budgetBytesPerNode, NODE),
          },
        ]),
    ...priceFacts("price of memory", "prices", prices.secondsPerGiBPerGpu, memory.budgetBytesPerGpu, GPU),
    ...priceFacts(
      "price of host memory",
      "prices.host",
      prices.host?.secondsPerGiBPerNode ?? null,
      host?.budgetBytesPerNode ?? 0,
      NODE,
    ),
    ...plan.baseline.map((each, k) => ({ name: methodTitle(each.method), said: baselineText(each, k, memory) })),
    ...claimFacts(plan.claim),
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

function baselineText(baseline: PlanBaseline, k: number, memory: RowTiersPlan["memory"]): Said {
  const { value, status, aboveBound, reason } = baseline;
  if (value === null) return `does not apply: ${reason}`;
  const path = `baseline.${k}`;
  const own = quantity(`${path}.value`, value, SECONDS.text(value));
  if (status !== "over-budget") return [own, besideBoundAt(`${path}.aboveBound`, aboveBound)];
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
