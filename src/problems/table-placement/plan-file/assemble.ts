import { evaluatePlacement, type PlacementEvaluation } from "../../../../models/table-placement/evaluate.js";
import { withoutCopies } from "../../../../models/table-placement/hot-rows.js";
import type {
  Placement,
  PlacementOption,
  PlacementProblem,
  PlacementTable,
  StageGoal,
} from "../../../../models/table-placement/problem.js";
import { namesOfShards } from "../../../../models/table-placement/shard-names.js";
import { shardRunsOf } from "../../../../models/table-placement/shard-runs.js";
import { notesOf, spaceOf } from "../../../../models/table-placement/space.js";
import { stagesOf } from "../../../../models/table-placement/stages.js";
import { DoubleSum } from "../../../exact/double-sum.js";
import type { Rational } from "../../../exact/rational.js";
import { given } from "../../../input/given.js";
import { PHASES, type PhaseName, type TablePlacementInstance } from "../../../instance/types/table-placement.js";
import {
  describeClaim,
  feasibleEvaluation,
  planHead,
  requireVerdictOf,
  roundedValue,
} from "../../../plan-file/assembled.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import type { PlanClaim, PlanRequest, PlanTiming } from "../../../plan-file/envelope.js";
import { nearest } from "../../../plan-file/rounding.js";
import { describePlacementBaseline } from "./baseline.js";
import { type HeldParts, holdPlacements } from "./hold-placements.js";
import { describePlacementInfeasibility } from "./infeasibility.js";
import { describeMigration } from "./migration.js";
import type {
  PlacementPlanTable,
  PlacementSecond,
  PlacementStage,
  PlacementStatus,
  TablePlacementPlan,
} from "./plan-file.js";
import { describePrices } from "./prices.js";
import { certified, proofOf } from "./proof-on.js";
import { describeSecond } from "./second.js";
import { describeStages, goalUnit } from "./stages.js";

/** Everything that a plan file is computed from. */
export interface PlacementParts extends HeldParts {
  readonly instance: TablePlacementInstance;
  readonly method: string;
  readonly request: PlanRequest;
  /** Where the instance is infeasible: a placement that breaks the devices' memory and nothing else, if one is known. */
  readonly relaxed: Placement | null;
  /** Where the problem is one of several of which one is chosen: what is proved of all of them. Absent: it is alone. */
  readonly ofAll?: BoundOfAll;
  readonly claim: Omit<PlanClaim, "agrees" | "remark"> | null;
  /** A heuristic's time was over, or somebody stopped the search, before it ended; default false. */
  readonly isStopped?: boolean;
  readonly timing: PlanTiming;
}

/** The least bound of several problems, and how far the best placement is from it. */
export interface BoundOfAll {
  readonly status: PlacementStatus;
  readonly bound: Rational | null;
  readonly gap: Rational | null;
}

/**
 * The plan file that follows from its parts; a pure function, so that a verifier can compute the file again.
 *
 * Throws `ContradictionError` where a plan at hand is better than what was proved, `ObjectiveMismatchError` when the
 * evaluation and the verdict disagree about the objective, `RangeError` when a placement is none of the problem's or breaks its limits, `InputError` when a result is beyond the range of
 * doubles.
 */
export function assemblePlacementPlan(parts: PlacementParts): TablePlacementPlan {
  const { instance, problem, placement, outcome, evaluate = evaluatePlacement } = parts;
  holdPlacements(parts);
  const evaluation = placement === null ? null : feasibleEvaluation(evaluate(problem, placement));
  const value = evaluation?.objective ?? null;
  const verdict = outcome?.verdict ?? null;
  requireVerdictOf(value, outcome, placement);
  const { bound, gap } = parts.ofAll ?? { bound: verdict?.bound ?? null, gap: verdict?.gap ?? null };
  const second = evaluation === null ? null : describeSecond(parts, evaluation);
  const migration = placement === null ? null : describeMigration(instance, problem, placement);
  const stages =
    problem.stages === undefined
      ? undefined
      : evaluation && describeStages(problem, instance.costUnit, parts.stages ?? [], evaluation);
  const [{ minimize }] = stagesOf(problem);
  const objective = {
    kind: objectiveKind(minimize),
    unit: goalUnit(minimize, instance.costUnit),
    ...roundedValue(value, bound, gap),
  };
  const unit = objective.unit === null ? "" : ` ${objective.unit}`;
  const tables =
    placement === null ? [] : problem.tables.map((table, t) => describeTable(table, choiceOf(placement, t)));
  const first = verdict?.status ?? (parts.method === "optimal" ? "unknown" : "heuristic");
  const status = parts.ofAll?.status ?? (stages ? statusOfStages(first, stages) : statusOf(first, second));
  const plan: Omit<TablePlacementPlan, "digest"> = {
    ...planHead("table-placement", status, parts),
    ...spaceOf(problem),
    objective,
    second,
    ...(stages === undefined ? {} : { stages }),
    phases: evaluation === null ? null : phasesOf(evaluation),
    moves: evaluation === null ? null : movesOf(problem, evaluation),
    ...(migration === null ? {} : { migration }),
    exact: {
      value: value?.toString() ?? null,
      bound: bound?.toString() ?? null,
      deviceCosts: evaluation?.deviceCosts.map((cost) => cost.toString()) ?? null,
    },
    devices: placement === null ? null : shardNames(problem, placement),
    choices: placement === null ? null : choicesOf(problem, tables),
    deviceCosts: evaluation?.deviceCosts.map(nearest) ?? null,
    deviceBytes: evaluation?.hbmBytes ?? null,
    memory: memoryOf(instance, problem, evaluation),
    tables,
    ...notesOf(problem, placement),
    baseline: parts.baselines.map((baseline) => describePlacementBaseline(evaluate, problem, bound, baseline)),
    infeasibility: verdict?.status === "infeasible" ? describePlacementInfeasibility(problem, parts.relaxed) : null,
    prices: parts.prices && value !== null ? describePrices(problem, nearest(value), parts.prices) : null,
    proof: outcome === null ? null : proofOf(outcome),
    ...certified(outcome),
    claim: describeClaim(parts.claim, objective, unit),
    timing: parts.timing,
  };
  return { ...plan, digest: planDigest(plan) };
}

function choiceOf({ choices }: Placement, table: number): Placement["choices"][number] {
  return choices[table] as Placement["choices"][number];
}

/** The shards on each device, in the order of the tables. */
function shardNames({ tables, nodes, gpusPerNode }: PlacementProblem, placement: Placement): string[][] {
  const names: string[][] = Array.from({ length: nodes * gpusPerNode }, () => []);
  for (const [t, { name, options }] of tables.entries()) {
    const { option, devices } = choiceOf(placement, t);
    const own = namesOfShards(name, options[option] as PlacementOption);
    for (const [k, device] of devices.entries()) names[device]?.push(own[k] as string);
  }
  return names;
}

function choicesOf(problem: PlacementProblem, tables: readonly PlacementPlanTable[]): TablePlacementPlan["choices"] {
  return Object.fromEntries(
    tables.map(({ name, option, shardingType, kernel, ranks, hotRows, cacheLoadFactor }, t) => {
      const own = problem.tables[t]?.options[option] as PlacementOption;
      return [name, { shardingType, kernel, ranks: withoutCopies(own, ranks), ...given({ hotRows, cacheLoadFactor }) }];
    }),
  );
}

function describeTable({ name, options }: PlacementTable, choice: Placement["choices"][number]): PlacementPlanTable {
  const { option, devices: ranks } = choice;
  const own = options[option] as PlacementOption;
  const { shardingType, kernel, hot, cache } = own;
  const cost = new DoubleSum();
  const bytes = { hbm: 0, host: 0, ssd: 0 };
  for (const { need, count } of shardRunsOf(own)) {
    cost.add(need.cost, count);
    bytes.hbm += count * need.hbmBytes;
    bytes.host += count * need.hostBytes;
    bytes.ssd += count * (need.ssdBytes ?? 0);
  }
  return {
    name,
    option,
    shardingType,
    kernel,
    ranks,
    cost: nearest(cost.total()),
    hbmBytes: bytes.hbm,
    hostBytes: bytes.host,
    ...(bytes.ssd === 0 ? {} : { ssdBytes: bytes.ssd }),
    ...(hot === undefined ? {} : { hotRows: hot.rows, hotShare: hot.share }),
    ...(cache === undefined ? {} : { cacheLoadFactor: cache.loadFactor, missRate: cache.missRate }),
  };
}

function memoryOf(
  { cluster, costModel }: TablePlacementInstance,
  { hbmBytes, hostBytes, hostIsPooled, ssdBytes }: PlacementProblem,
  evaluation: PlacementEvaluation | null,
): TablePlacementPlan["memory"] {
  const isLimited = cluster.hbmBytesPerGpu !== null || costModel.kind === "torchrec";
  return {
    hbmBytesPerGpu: isLimited ? hbmBytes : null,
    hostBytesPerGpu: hostBytes,
    hostIsPooled,
    deviceHostBytes: evaluation?.hostBytes.some((bytes) => bytes > 0) ? evaluation.hostBytes : null,
    ...(ssdBytes === undefined ? {} : { ssdBytesPerGpu: ssdBytes }),
    ...(evaluation?.ssdBytes.some((bytes) => bytes > 0) ? { deviceSsdBytes: evaluation.ssdBytes } : {}),
  };
}

/** The first goal as plan files have it. */
export function objectiveKind(goal: StageGoal): TablePlacementPlan["objective"]["kind"] {
  if (goal === "largest-cost") return "largest-device-cost";
  return goal === "phases" ? "sum-of-phase-maxima" : goal;
}

/** What was asked for is proved where every stage is; the first goal itself may be as far off as is allowed. */
function statusOfStages(first: PlacementStatus, stages: readonly PlacementStage[]): PlacementStatus {
  if (first !== "proved" && first !== "feasible") return first;
  return stages.every(({ status }) => status === "proved") ? "proved" : "feasible";
}

/** What was asked for is proved where both goals are. */
function statusOf(first: PlacementStatus, second: PlacementSecond | null): PlacementStatus {
  return first === "proved" && second !== null && second.status !== "proved" ? "feasible" : first;
}

function phasesOf({ phaseMaxima }: PlacementEvaluation): TablePlacementPlan["phases"] {
  if (phaseMaxima === null) return null;
  return phaseMaxima.map(({ largest, device }, k) => ({
    phase: PHASES[k] as PhaseName,
    cost: nearest(largest),
    device,
  }));
}

function movesOf({ tables, stay }: PlacementProblem, { moved }: PlacementEvaluation): TablePlacementPlan["moves"] {
  if (stay === undefined || moved === null) return null;
  return { mostMoved: stay.mostMoved, moved: moved.map((t) => (tables[t] as PlacementTable).name) };
}
