import { InputError } from "../errors/input-error.js";
import { COLLECTIVES, type Collective } from "../instance/cluster.js";
import type { RowTiersInstance } from "../instance/types/row-tiers.js";
import type { WrittenPlan } from "../problems/row-tiers/plan-file/plan-file.js";
import { deviationOf, type Measured, type Sum } from "./deviation.js";
import type { Load } from "./loads.js";
import type { Observation } from "./observation.js";
import { CHANNELS, type Fleet, LOOKUP_PASSES, type Route } from "./routes.js";
import type { Comparison } from "./simulation.js";

type PlanTier = WrittenPlan["tables"][number]["tiers"][number];

/** What is compared: loads, seen in some traffic, with the plan that they come from. */
export interface Compared {
  readonly plan: WrittenPlan;
  readonly instance: RowTiersInstance;
  readonly fleet: Fleet;
  readonly loads: readonly Load[];
  /** Those of all tables. */
  readonly all: readonly Load[];
  readonly observation: Observation;
  readonly file: string;
}

const PASSES = { lookup: LOOKUP_PASSES, reduce: 1 } as const;

/** What the plan file states beside the numbers that are compared; a key of an object, or of one inside it. */
const NOT_COMPARED = [
  ...["status", "request", "objective.bound", "objective.gap", "exact", "prices", "baseline", "infeasibility", "claim"],
  "stages",
  ...["proof", "certificate", "timing"],
];

/** The numbers that depend on all tables. */
const OF_ALL_TABLES = ["objective.value", "collectives", "memory.bytesPerGpu", "memory.host.bytesPerNode"];

/**
 * Every number of the plan file that the traffic or the instance says something of, beside what was seen, and the keys of
 * those that nothing was said of. Of a log of one table nothing is said of the others, nor of the totals.
 */
export function comparisonsOf(compared: Compared): {
  readonly comparisons: readonly Comparison[];
  readonly notCompared: readonly string[];
} {
  const { loads, all, instance } = compared;
  const isWhole = loads.length === all.length;
  const others = instance.tables.flatMap(({ name }, table) =>
    loads.some((load) => load.table === table) ? [] : [`tables.${name}`],
  );
  return {
    comparisons: [
      ...instance.tables.flatMap((_, table) => tableComparisons(compared, table)),
      ...statedComparisons(compared),
      ...(isWhole ? planComparisons(compared) : []),
    ],
    notCompared: isWhole ? NOT_COMPARED : [...NOT_COMPARED, ...OF_ALL_TABLES, ...others],
  };
}

/** What a line is about; the whole plan where it says nothing else. */
type About = Partial<Pick<Comparison, "table" | "tier">>;

/** What makes a line of a number and what traffic says of it, or the instance alone. */
function linesOf({ loads, observation }: Compared, about: About = {}) {
  const line = (
    quantity: Comparison["quantity"],
    unit: Comparison["unit"],
    measured: Measured,
    collective: Collective | null = null,
  ): Comparison => ({
    ...{ quantity, table: null, tier: null, ...about, collective, unit },
    ...deviationOf(measured, observation),
  });
  const certain = (
    quantity: Comparison["quantity"],
    predicted: number,
    constant: number,
    unit: "bytes" | "rows" = "bytes",
  ) => line(quantity, unit, { predicted, constant, weights: loads.map(() => 0) });
  return { line, certain };
}

function tableComparisons(compared: Compared, table: number): Comparison[] {
  const { plan, instance, loads } = compared;
  const ofTable = loads.flatMap((load, index) => (load.table === table ? [index] : []));
  if (ofTable.length === 0) return [];
  const { name, rows } = instance.tables[table] as (typeof instance.tables)[number];
  return [
    linesOf(compared, { table: name }).certain("rows", plan.tables[table]?.rows ?? 0, rows, "rows"),
    ...ofTable.flatMap((index) => loadComparisons(compared, index)),
  ];
}

/** What the plan repeats of the instance. */
function statedComparisons(compared: Compared): Comparison[] {
  const { plan, instance } = compared;
  const { memory } = plan;
  const { hbmBytesPerGpu, hostBytesPerNode } = instance.cluster;
  const { certain } = linesOf(compared);
  const line = (quantity: Comparison["quantity"], written: number | null, value: number | undefined) =>
    written === null && value === undefined ? [] : [certain(quantity, written ?? 0, value ?? 0)];
  return [
    ...line("budget", memory.budgetBytesPerGpu, budgetBytes(compared)),
    ...line("GPU memory", memory.hbmBytesPerGpu, hbmBytesPerGpu),
    ...(memory.host === undefined ? [] : line("host budget", memory.host.budgetBytesPerNode, hostBytesPerNode)),
  ];
}

/** Bytes per GPU that the instance allows. */
function budgetBytes({ instance: { budget, training }, all, fleet }: Compared): number {
  if (budget.kind === "bytesPerGpu") return budget.bytes;
  let sum = 0;
  // What the sum has lost of its terms, of which there may be many thousands.
  let lost = 0;
  for (const { dim, elementBytes, parts } of all) {
    for (const { rows, appearances } of parts) {
      const perRow = 1 / fleet.gpus + LOOKUP_PASSES * training.batchPerGpu * appearances;
      const term = rows * dim * elementBytes * perRow - lost;
      const next = sum + term;
      lost = next - sum - term;
      sum = next;
    }
  }
  return sum + (budget.kind === "extraBytesPerGpu" ? budget.bytes : 0);
}

/** Memory of a load that does not depend on the traffic, per GPU. */
export function staticBytes({ rows, dim, elementBytes, size, route }: Load, replicaMemoryFactor: number): number {
  if (route.memory === "host") return 0;
  return ((rows * dim * elementBytes) / size) * (route.reduce === null ? 1 : replicaMemoryFactor);
}

/** Host memory of a load, per node. */
export function hostBytes({ rows, dim, elementBytes, route }: Load, { nodes }: Fleet): number {
  return route.memory === "host" ? (rows * dim * elementBytes) / nodes : 0;
}

function loadComparisons(compared: Compared, index: number): Comparison[] {
  const { instance, fleet, loads } = compared;
  const load = loads[index] as Load;
  const { tableName: table, tier, rows, dim, elementBytes, route } = load;
  const written = tierIn(compared, load);
  const only = (weight: number) => loads.map((_, other) => (other === index ? weight : 0));
  const ofTable = loads.map((other) => (other.table === load.table ? 1 : 0));
  const { line, certain } = linesOf(compared, { table, tier });
  const { batchPerGpu, replicaMemoryFactor } = instance.training;
  const bytesPerGpu = (dim * elementBytes) / fleet.gpus;
  const collectives = COLLECTIVES.filter(
    (collective) => collective in written.collectives || Object.values(route).includes(collective),
  );
  return [
    certain("rows", written.rows, rows, "rows"),
    certain("parameters", written.parameterBytes, rows * dim * elementBytes),
    line("reads", "bytes", { predicted: batchPerGpu * written.readBytesPerSample, weights: only(bytesPerGpu) }),
    line("access share", "share", { predicted: written.accessShare, weights: only(1), over: ofTable }),
    ...collectives.map((collective) => {
      const predicted = (written.collectives[collective] ?? 0) * bandwidthOf(compared, collective);
      const weights = only(lookupPasses(route, collective) * bytesPerGpu);
      return line("collective", "bytes", { predicted, constant: reducedBytes(load, collective), weights }, collective);
    }),
    line("memory", "bytes", {
      predicted: written.memoryBytesPerGpu,
      constant: staticBytes(load, replicaMemoryFactor),
      weights: only(bytesPerGpu * (route.sendBuffer ? 2 : 1)),
    }),
    ...(route.memory === "host" ? [certain("host memory", written.hostBytesPerNode ?? 0, hostBytes(load, fleet))] : []),
  ];
}

function planComparisons(compared: Compared): Comparison[] {
  const { plan, instance, fleet, loads } = compared;
  const { line, certain } = linesOf(compared);
  const weightsOf = (factor: (load: Load) => number) =>
    loads.map((load) => (factor(load) * (load.dim * load.elementBytes)) / fleet.gpus);
  /** Seconds of each collective that carries anything. */
  const seconds = new Map<Collective, Sum>();
  const lines = COLLECTIVES.flatMap((collective): Comparison[] => {
    const predicted = plan.collectives?.[collective] ?? 0;
    const users = loads.filter((load) => uses(load, collective));
    if (users.length === 0 && predicted === 0) return [];
    const bandwidth = bandwidthOf(compared, collective);
    const passes = users.some(({ route }) => lookupPasses(route, collective) > 0) ? PASSES.lookup : PASSES.reduce;
    const latency = users.length === 0 ? 0 : instance.cluster.latency[collective] * passes;
    const reduced = loads.reduce((sum, load) => sum + reducedBytes(load, collective), 0);
    const sum = {
      constant: latency + reduced / bandwidth,
      weights: weightsOf(({ route }) => lookupPasses(route, collective) / bandwidth),
    };
    seconds.set(collective, sum);
    return [line("collective", "seconds", { predicted, ...sum }, collective)];
  });
  const channels = CHANNELS[instance.objective].map((channel) =>
    total(
      channel.flatMap((collective) => seconds.get(collective) ?? []),
      loads.length,
    ),
  );
  lines.push(
    line("objective", "seconds", { predicted: plan.time?.seconds ?? plan.objective.value ?? 0, largestOf: channels }),
    line("memory", "bytes", {
      predicted: plan.memory.bytesPerGpu ?? 0,
      constant: loads.reduce((sum, load) => sum + staticBytes(load, instance.training.replicaMemoryFactor), 0),
      weights: weightsOf(({ route }) => (route.sendBuffer ? 2 : 1)),
    }),
  );
  if (loads.some(({ route }) => route.memory === "host") || plan.memory.host !== undefined) {
    const constant = loads.reduce((sum, load) => sum + hostBytes(load, fleet), 0);
    lines.push(certain("host memory", plan.memory.host?.bytesPerNode ?? 0, constant));
  }
  const isGlobal = ({ route }: Load) => route.lookup === "allToAllGlobal";
  const reads = loads.map((load) => tierIn(compared, load).readBytesPerSample);
  const all = reads.reduce((sum, bytes) => sum + bytes, 0);
  if (all > 0) {
    const taken = reads.reduce((sum, bytes, index) => sum + (isGlobal(loads[index] as Load) ? 0 : bytes), 0);
    const measured = {
      predicted: taken / all,
      weights: weightsOf((load) => (isGlobal(load) ? 0 : 1)),
      over: weightsOf(() => 1),
    };
    lines.push(line("reduction", "share", measured, "allToAllGlobal"));
  }
  return lines;
}

/** The sum of some sums of lookups of so many loads. */
function total(sums: readonly Sum[], loads: number): Sum {
  return {
    constant: sums.reduce((most, { constant = 0 }) => most + constant, 0),
    weights: Array.from({ length: loads }, (_, k) =>
      sums.reduce((most, { weights }) => most + (weights[k] as number), 0),
    ),
  };
}

function tierIn({ plan, file }: Compared, { table, tableName, tier }: Load): PlanTier {
  const written = plan.tables[table]?.tiers.find((entry) => entry.tier === tier);
  if (written !== undefined) return written;
  throw new InputError(`expected numbers of the tier ${tier} of table "${tableName}", received none`, file);
}

function bandwidthOf({ instance, file }: Compared, collective: Collective): number {
  const bandwidth = instance.cluster.bandwidth[collective];
  if (bandwidth !== undefined) return bandwidth;
  const advice = "the plan's seconds of it cannot be turned into bytes";
  throw new InputError(`expected the instance to have cluster.bandwidth.${collective}, received none; ${advice}`, file);
}

/** How often an iteration moves a looked-up row by the collective. */
function lookupPasses({ fetch, lookup }: Route, collective: Collective): number {
  return lookup === collective || fetch === collective ? PASSES.lookup : 0;
}

/** What a GPU puts into the all-reduce. */
function reducedBytes({ route, rows, dim, elementBytes, size }: Load, collective: Collective): number {
  return route.reduce === collective ? (rows * dim * elementBytes * PASSES.reduce) / size : 0;
}

function uses({ route, rows, parts }: Load, collective: Collective): boolean {
  if (route.reduce === collective) return rows > 0;
  return lookupPasses(route, collective) > 0 && parts.some(({ appearances }) => appearances > 0);
}
