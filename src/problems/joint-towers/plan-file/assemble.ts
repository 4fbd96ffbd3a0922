import { secondsPerElement, slowestWire } from "../../../../models/joint-towers/element-seconds.js";
import { flatSeconds, flatSecondsOfLargest } from "../../../../models/joint-towers/seconds.js";
import { speedsOf, type TowerShape, worldOf } from "../../../../models/joint-towers/setting.js";
import { hasFreedoms } from "../../../../models/joint-towers/table-options.js";
import { chosenOption, type PlacedTower, workloadOf } from "../../../../models/joint-towers/workload.js";
import { evaluatePlacement } from "../../../../models/table-placement/evaluate.js";
import { hotCopies } from "../../../../models/table-placement/hot-rows.js";
import { coldName, hotName } from "../../../../models/table-placement/shard-names.js";
import { ranksPerTower, type Sharding } from "../../../access/traffic/exchange.js";
import { bandwidthAt, stepSeconds } from "../../../cost/dmt/collective-seconds.js";
import { flatSteps, type StepTraffic, spttSteps } from "../../../cost/dmt/steps.js";
import { busiest } from "../../../cost/dmt/traffic.js";
import { rankLoads } from "../../../cost/dmt/workload.js";
import { Rational } from "../../../exact/rational.js";
import type { TowerJoint, TowerPartitionInstance } from "../../../instance/types/tower-partition.js";
import { askedGap } from "../../../plan-file/asked-gap.js";
import { planDigest } from "../../../plan-file/canonical-json.js";
import type { PlanRequest, PlanTiming } from "../../../plan-file/envelope.js";
import { nearest } from "../../../plan-file/rounding.js";
import { relativeGap } from "../../../proof/verdict.js";
import { assembleTowerPlan } from "../../tower-partition/plan-file/assemble.js";
import type { BaselineTowers } from "../../tower-partition/plan-file/baseline.js";
import type { TowerStatus } from "../../tower-partition/plan-file/plan-file.js";
import type { JointFlat, JointPlan, JointStep, JointTable, JointTowersPlan } from "./plan-file.js";
import {
  describeJointPlacement,
  describeRow,
  describeSeconds,
  evaluateRow,
  type JointPlacementParts,
  type JointRowParts,
  type RowEvaluation,
} from "./row.js";

/** Everything that the plan file of a joint choice is computed from. */
export interface JointParts {
  readonly instance: TowerPartitionInstance;
  readonly joint: TowerJoint;
  readonly request: PlanRequest;
  /** Every (T, K), T falling. */
  readonly rows: readonly JointRowParts[];
  /** All tables on all GPUs. */
  readonly flat: JointPlacementParts;
  /** Published partitions beside the chosen one. */
  readonly baselines: readonly BaselineTowers[];
  readonly timing: PlanTiming;
}

/**
 * The plan file that follows from its parts; a pure function, so that a verifier can compute the file again. Throws as
 * {@link assembleTowerPlan} and {@link evaluateRow} do.
 */
export function assembleJointPlan(parts: JointParts): JointTowersPlan {
  const { instance, joint, request, timing } = parts;
  const rows = parts.rows.map((row) => evaluateRow(joint, row));
  const chosen = chosenRow(rows);
  const [first] = rows as [RowEvaluation];
  const about = chosen ?? first;
  const { digest: _, ...base } = assembleTowerPlan({
    instance: { ...instance, towers: about.parts.shape.towers },
    grouping: about.parts.grouping,
    method: "optimal",
    request,
    outcome: chosen?.parts.outcome ?? null,
    numbering: chosen?.parts.numbering ?? null,
    baselines: chosen === null ? [] : parts.baselines,
    relaxed: null,
    claim: null,
    timing,
  });
  const bound = leastBound(rows);
  const plan = {
    ...base,
    status: statusOf(rows, chosen, bound, askedGap(request.gap)),
    joint: describeJoint(parts, rows, chosen, bound),
  };
  return { ...plan, digest: planDigest(plan) };
}

/** The feasible row of the least seconds; of equals the first. */
export function chosenRow(rows: readonly RowEvaluation[]): RowEvaluation | null {
  return rows.reduce<RowEvaluation | null>((best, row) => {
    if (row.seconds === null) return best;
    return best?.seconds && best.seconds.exposed.compare(row.seconds.exposed) <= 0 ? best : row;
  }, null);
}

/**
 * No (T, K) is faster with its partition, or with any where its own is not proved; `null` where some row that is not
 * infeasible has no bound.
 */
function leastBound(rows: readonly RowEvaluation[]): Rational | null {
  const open = rows.filter(({ status }) => status !== "infeasible");
  const bounds = open.flatMap(({ bound }) => bound ?? []);
  if (bounds.length < open.length) return null;
  return bounds.reduce<Rational | null>((least, each) => (least && least.compare(each) <= 0 ? least : each), null);
}

/**
 * What is known of the whole choice. `proved`: the chosen partition is the best of its number of towers, and no (T, K)
 * is faster than the chosen one by more than the gap that was asked for. `infeasible`: of every (T, K) it is proved
 * that no partition has a place.
 */
function statusOf(
  rows: readonly RowEvaluation[],
  chosen: RowEvaluation | null,
  bound: Rational | null,
  gap: Rational,
): TowerStatus {
  if (rows.every(({ status }) => status === "infeasible")) return "infeasible";
  const value = chosen?.seconds?.exposed;
  if (value === undefined || bound === null) return "unknown";
  const partition = chosen?.parts.outcome?.verdict.status ?? "unknown";
  return partition === "proved" && relativeGap(value, bound).compare(gap) <= 0 ? partition : "feasible";
}

function describeJoint(
  { joint, instance, flat }: JointParts,
  rows: readonly RowEvaluation[],
  chosen: RowEvaluation | null,
  bound: Rational | null,
): JointPlan {
  const evaluations = chosen?.placed?.map(({ problem, placement }) => evaluatePlacement(problem, placement)) ?? null;
  return {
    chosen: chosen?.parts.shape ?? null,
    seconds: describeSeconds(chosen?.seconds?.exposed ?? null, bound),
    memory: { hbmBytesPerGpu: joint.cluster.hbmBytesPerGpu },
    flat: describeFlat(joint, rows, flat),
    steps: chosen === null ? null : describeSteps(joint, chosen),
    devices: chosen === null ? null : shardsByDevice(instance.features, chosen),
    deviceBytes: evaluations?.flatMap(({ hbmBytes }) => hbmBytes) ?? null,
    deviceElements: chosen?.workload ? rankLoads(chosen.workload).map(({ elements }) => elements) : null,
    ...(joint.caches === undefined
      ? {}
      : { deviceHostBytes: evaluations?.flatMap(({ hostBytes }) => hostBytes) ?? null }),
    tables: chosen === null ? null : tablesOf(instance.features, chosen),
    rows: rows.map((row) => describeRow(row, row === chosen)),
  };
}

function describeFlat(joint: TowerJoint, rows: readonly RowEvaluation[], flat: JointPlacementParts): JointFlat {
  const { problem, placement, outcome } = flat;
  const isARow = rows.some(({ parts }) => parts.shape.towers === 1 && parts.placements.length > 0);
  const features = joint.tables.map((_, feature) => feature);
  const shape = { towers: 1, hostsPerTower: joint.cluster.nodes };
  // Without modules: the flat exchange has no towers.
  const workload =
    placement === null ? null : workloadOf({ ...joint, modules: null }, shape, [{ features, problem, placement }]);
  const seconds = workload === null ? null : flatSeconds(joint, workload);
  const value = placement === null ? null : evaluatePlacement(problem, placement);
  const exposed = value && hasFreedoms(joint) ? flatSecondsOfLargest(joint, value.objective) : seconds?.exposed;
  const bound = outcome?.verdict.bound ?? null;
  return {
    status: outcome?.verdict.status ?? "unknown",
    seconds: describeSeconds(exposed ?? null, bound === null ? null : flatSecondsOfLargest(joint, bound)),
    idSeconds: seconds === null ? null : nearest(seconds.ids),
    largestBytes: value && Math.max(...value.hbmBytes),
    steps:
      workload === null || placement === null
        ? null
        : withMemorySteps(joint, shape, flatSteps(workload).map(describedBy(joint)), [
            { features, problem, placement },
          ]),
    placement: isARow ? null : describeJointPlacement(flat),
  };
}

function describeSteps(joint: TowerJoint, { parts, workload, placed }: RowEvaluation): readonly JointStep[] | null {
  if (workload === null || placed === null) return null;
  return withMemorySteps(joint, parts.shape, spttSteps(workload).map(describedBy(joint)), placed);
}

function describedBy(joint: TowerJoint): (step: StepTraffic) => JointStep {
  const speeds = speedsOf(joint);
  return (step) => ({
    pass: step.pass,
    step: step.step,
    world: step.world,
    insideHostBytes: nearest(busiest(step.traffic, "insideHost")),
    acrossHostsBytes: nearest(busiest(step.traffic, "acrossHosts")),
    seconds: nearest(stepSeconds(step, speeds)),
  });
}

function tablesOf(names: readonly string[], { workload, towers, placed }: RowEvaluation): readonly JointTable[] | null {
  if (workload === null || placed === null) return null;
  const slots = ranksPerTower(workload.world);
  const tables = workload.towers.flatMap(({ features }, tower) =>
    features.map(({ dim, sharding }, k) => {
      const feature = towers[tower]?.[k] as number;
      const { shardingType, shards } = shardsOf(sharding, dim);
      const ranks = shards.map(({ slot }) => tower * slots + slot);
      const { problem, placement } = placed[tower] as PlacedTower;
      const { hot, cache } = chosenOption(problem, placement, k);
      const table = {
        name: names[feature] as string,
        tower,
        shardingType,
        ranks,
        sizes: shards.map(({ size }) => size),
        ...(hot === undefined ? {} : { hotRows: hot.rows }),
        ...(cache === undefined ? {} : { cacheLoadFactor: cache.loadFactor }),
      };
      return { feature, table };
    }),
  );
  return tables.sort((a, b) => a.feature - b.feature).map(({ table }) => table);
}

function shardsOf(sharding: Sharding, dim: number) {
  switch (sharding.kind) {
    case "table":
      return { shardingType: "table_wise", shards: [{ slot: sharding.slot, size: dim }] };
    case "columns":
      return {
        shardingType: "column_wise",
        shards: sharding.shards.map(({ slot, columns }) => ({ slot, size: columns })),
      };
    case "rows":
      return { shardingType: "row_wise", shards: sharding.shards.map(({ slot, rows }) => ({ slot, size: rows })) };
  }
}

/** The shards on each GPU of the cluster, in the order of the features. */
function shardsByDevice(features: readonly string[], row: RowEvaluation): readonly (readonly string[])[] | null {
  const tables = tablesOf(features, row);
  if (tables === null || row.workload === null) return null;
  const { world } = row.workload;
  const slots = ranksPerTower(world);
  const names: string[][] = Array.from({ length: world.ranks }, () => []);
  for (const { name, ranks, tower, hotRows } of tables) {
    const own = hotRows === undefined ? name : coldName(name);
    for (const [k, rank] of ranks.entries()) names[rank]?.push(ranks.length === 1 ? own : `${own}#${k}`);
    if (hotRows === undefined) continue;
    for (let slot = 0; slot < slots; slot++) names[tower * slots + slot]?.push(hotName(name));
  }
  return names;
}

/** The steps of an exchange with those that caches and hot rows add: misses are read before vectors are sent, copies synchronised last. */
function withMemorySteps(
  joint: TowerJoint,
  shape: TowerShape,
  steps: readonly JointStep[],
  placed: readonly PlacedTower[],
): readonly JointStep[] {
  const [ids, ...others] = steps as [JointStep, ...JointStep[]];
  return [ids, ...fetchStep(joint, shape, placed), ...others, ...syncStep(joint, shape, placed)];
}

function fetchStep(joint: TowerJoint, shape: TowerShape, placed: readonly PlacedTower[]): readonly JointStep[] {
  const { host } = joint.cluster;
  if (joint.caches === undefined || host === undefined) return [];
  const fetched = placed.map(({ problem, placement }) => {
    return evaluatePlacement(problem, placement).phaseMaxima?.[1]?.largest ?? Rational.zero;
  });
  const most = fetched.reduce((largest, each) => (each.compare(largest) > 0 ? each : largest), Rational.zero);
  const seconds = most.multiply(secondsPerElement(joint, shape));
  const bytes = seconds.multiply(Rational.fromNumber(host.bytesPerSecond));
  return [
    {
      ...{ pass: "forward", step: "b", world: 1, insideHostBytes: 0, acrossHostsBytes: 0 },
      hostMemoryBytes: nearest(bytes),
      seconds: nearest(seconds),
    },
  ];
}

function syncStep(joint: TowerJoint, shape: TowerShape, placed: readonly PlacedTower[]): readonly JointStep[] {
  const world = ranksPerTower(worldOf(joint, shape));
  if (joint.hotRows === undefined || world === 1) return [];
  const copied = placed.map(({ features, problem, placement }) =>
    features.reduce((sum, _, k) => sum + (hotCopies(chosenOption(problem, placement, k))[0]?.hbmBytes ?? 0), 0),
  );
  const most = Rational.fromNumber(copied.reduce((largest, each) => Math.max(largest, each), 0));
  // A ring all-reduce sends and receives so much of what it adds up.
  const bytes = most.multiply(Rational.of(2n * BigInt(world - 1), BigInt(world)));
  const wire = slowestWire(joint, shape);
  const seconds = bytes.divide(bandwidthAt(speedsOf(joint)[wire].bandwidth, world));
  const sent = nearest(bytes);
  return [
    {
      ...{ pass: "backward", step: "sync", world },
      insideHostBytes: wire === "insideHost" ? sent : 0,
      acrossHostsBytes: wire === "acrossHosts" ? sent : 0,
      seconds: nearest(seconds),
    },
  ];
}
