import type { Sharding } from "../../access/traffic/exchange.js";
import { flatSteps, type StepTraffic, spttSteps } from "../../cost/dmt/steps.js";
import { addBytes, type LinkBytes, type RankTraffic } from "../../cost/dmt/traffic.js";
import type { Workload } from "../../cost/dmt/workload.js";
import { InputError } from "../../errors/input-error.js";
import { Rational } from "../../exact/rational.js";
import type {
  TowerJoint,
  TowerModules,
  TowerPartitionInstance,
  TowerTable,
} from "../../instance/types/tower-partition.js";
import { type OpenInstance, planWithInstance } from "../../plan-file/original-plan.js";
import { jointTowersPlanSchema, type WrittenJointPlan } from "../../problems/joint-towers/plan-file/plan-file.js";
import { towerPartitionReader } from "../../problems/tower-partition/instance/reader.js";
import type { ExchangeProblem, ExchangeTower } from "../dataflow/exchange-problem.js";
import { misfitsOf, type StepBytes } from "../dataflow/layout.js";
import { type ExchangeSimulation, simulateExchange } from "../dataflow/simulate-exchange.js";

/** What is simulated of a plan: each number is the plan's, or this where that is larger. */
const MAX = { batch: 2, rows: 64, idsPerSample: 4 } as const;

/** Numbers that all ranks together look up, at most: about a gigabyte of arrays. */
const MAX_NUMBERS = 2 ** 23;

/** Multiplications of one pass through the tower modules, at most: the passes that are compared then take some seconds. */
const MAX_PRODUCTS = 2 ** 27;

/** Bytes of an id and of a bag's length. */
const WIRE = { idBytes: 8, lengthBytes: 4 } as const;

const LINKS = ["sameRank", "insideHost", "acrossHosts"] as const;

/** One kind of link in one step: bytes of all ranks together. */
export interface TowerStepComparison {
  readonly exchange: "flat" | "sptt";
  readonly pass: "forward" | "backward";
  readonly step: string;
  readonly link: (typeof LINKS)[number];
  readonly observed: number;
  readonly predicted: number;
  /** Every rank sent and received what the model says, to the byte. */
  readonly agrees: boolean;
}

/** What `simulate` prints of a tower plan with `--json`. */
export interface TowerSimulation {
  readonly shardproof: 1;
  readonly instance: { readonly name: string; readonly sha256: string };
  readonly plan: { readonly method: string; readonly digest: string };
  readonly world: {
    readonly ranks: number;
    readonly gpusPerHost: number;
    readonly towers: number;
    readonly hostsPerTower: number;
  };
  /** The size at which it was run, beside the instance's. */
  readonly scale: {
    readonly batchPerGpu: number;
    readonly ofBatchPerGpu: number;
    readonly mostRows: number;
    readonly mostIdsPerSample: number;
    /** Elements of a vector that a tower module puts out; `null` without modules. */
    readonly moduleWidth: number | null;
    readonly ofModuleWidth: number | null;
    readonly seed: number;
  };
  readonly check: Omit<ExchangeSimulation, "steps">;
  readonly steps: readonly TowerStepComparison[];
  readonly verdict: { readonly within: boolean; readonly comparisons: number; readonly outside: number };
}

/**
 * Runs the exchange of a tower plan on arrays, rank by rank, and puts the bytes that it moved beside the cost model's, which it
 * does not know. Batches, rows and ids per sample are smaller than the plan's (see `scale`); places of tables, towers and hosts
 * are the plan's.
 *
 * Throws `InputError` when the plan has no places of tables, was changed, the instance is another one, or the cluster is too large.
 */
export async function simulateTowers(
  json: Readonly<Record<string, unknown>>,
  { text, file, seed }: { readonly text: string; readonly file: string; readonly seed: number },
  openInstance: OpenInstance,
): Promise<TowerSimulation> {
  if (json.joint === undefined) {
    const advice = "give the instance the keys cluster, training and tables, and plan it again";
    throw new InputError(`expected a tower plan with places of tables, received one without; ${advice}`, file);
  }
  const source = { text, file, openInstance };
  const { plan, instance } = await planWithInstance(towerPartitionReader, jointTowersPlanSchema, source);
  const { joint: written } = plan;
  if (written.tables === null || written.chosen === null) {
    const message = `expected a tower plan with places of tables, received one of status ${plan.status}, which has none`;
    throw new InputError(message, file);
  }
  const free = written.tables.find(({ hotRows, cacheLoadFactor }) => (hotRows ?? cacheLoadFactor) !== undefined);
  if (free !== undefined) {
    const what = free.hotRows === undefined ? "a cache" : "hot rows on every GPU of its tower";
    const advice = "simulate a plan of the instance without splits and caches";
    throw new InputError(
      `expected tables that are whole, by columns or by rows, received ${free.name} with ${what}, which the exchange on arrays does not know; ${advice}`,
      file,
    );
  }
  const joint = instance.joint as TowerJoint;
  const { problem, moduleWidth } = exchangeOf(instance, joint, written, { file, seed });
  const { check, steps } = run(problem, file);
  const outside = steps.filter(({ agrees }) => !agrees).length;
  const { ranks, gpusPerHost, hostsPerTower } = problem;
  return {
    shardproof: 1,
    instance: { name: instance.name, sha256: instance.sha256 },
    plan: { method: plan.method, digest: plan.digest },
    world: { ranks, gpusPerHost, towers: problem.towers.length, hostsPerTower },
    scale: {
      ...{ batchPerGpu: problem.localBatch, ofBatchPerGpu: joint.batchPerGpu, seed },
      ...{
        mostRows: Math.max(...features(problem, "rows")),
        mostIdsPerSample: Math.max(...features(problem, "hotness")),
        ...{ moduleWidth, ofModuleWidth: joint.modules?.width ?? null },
      },
    },
    check,
    steps,
    verdict: { within: check.equal && outside === 0, comparisons: steps.length, outside },
  };
}

function features({ towers }: ExchangeProblem, what: "rows" | "hotness"): readonly number[] {
  return towers.flatMap((tower) => tower.features.map((feature) => feature[what]));
}

/** Both exchanges on arrays, beside the model. What does not fit together is wrong in the plan. */
function run(problem: ExchangeProblem, file: string) {
  const [misfit] = misfitsOf(problem);
  if (misfit !== undefined) throw new InputError(`the plan does not fit together: ${misfit}`, file);
  const { steps, ...check } = simulateExchange(problem);
  const workload: Workload = { ...problem, ...WIRE, elementBytes: problem.elementBytes as number, world: problem };
  return {
    check,
    steps: [...compared("flat", steps, flatSteps(workload)), ...compared("sptt", steps, spttSteps(workload))],
  };
}

function compared(
  exchange: "flat" | "sptt",
  moved: readonly StepBytes[],
  modelled: readonly StepTraffic[],
): TowerStepComparison[] {
  return modelled.flatMap(({ pass, step, traffic }) => {
    const observed = moved.find(
      (one) => one.exchange === exchange && one.pass === pass && one.step === step,
    ) as StepBytes;
    const predicted = addBytes(traffic.map(({ sent }) => sent));
    return LINKS.map((link) => ({
      ...{ exchange, pass, step, link },
      observed: observed.total[link],
      predicted: predicted[link].toNumber(),
      agrees: traffic.every((rank, k) => isAlike(rank, observed, k, link)),
    }));
  });
}

function isAlike({ sent, received }: RankTraffic, observed: StepBytes, rank: number, link: keyof LinkBytes): boolean {
  return (
    sent[link].equals(Rational.fromNumber(observed.sent[rank]?.[link] as number)) &&
    received[link].equals(Rational.fromNumber(observed.received[rank]?.[link] as number))
  );
}

/** The plan's exchange, scaled down: its batch, its rows, its ids per sample, and modules too wide to multiply out. */
function exchangeOf(
  { features: names }: TowerPartitionInstance,
  { cluster, tables, batchPerGpu, wireElementBytes, modules }: TowerJoint,
  { chosen, tables: placed }: WrittenJointPlan,
  { file, seed }: { readonly file: string; readonly seed: number },
): { readonly problem: ExchangeProblem; readonly moduleWidth: number | null } {
  const { towers: count, hostsPerTower } = chosen as NonNullable<WrittenJointPlan["chosen"]>;
  const slots = hostsPerTower * cluster.gpusPerNode;
  const towers: ExchangeTower["features"][number][][] = Array.from({ length: count }, () => []);
  // A row-wise table has a row for each of its shards, and every row is read equally often in this many samples.
  const isByRows = placed?.some(({ shardingType }) => shardingType === "row_wise") === true;
  const localBatch = isByRows ? slots : Math.min(batchPerGpu, MAX.batch);
  for (const { name, tower, shardingType, ranks, sizes } of placed ?? []) {
    const table = tables[names.indexOf(name)];
    if (table === undefined || towers[tower] === undefined) {
      throw new InputError(`the plan does not fit together: table ${JSON.stringify(name)} of tower ${tower}`, file);
    }
    const own = ranks.map((rank) => rank - tower * slots);
    towers[tower].push(scaled(table, shardingType, own, sizes));
  }
  const numbers = cluster.nodes * cluster.gpusPerNode * localBatch * tables.reduce((sum, { dim }) => sum + dim, 0);
  if (numbers > MAX_NUMBERS) {
    throw new InputError(
      `expected an exchange of at most ${MAX_NUMBERS} numbers to simulate, received one of ${numbers} (${localBatch} samples on each GPU); plan a smaller cluster to check it`,
      file,
    );
  }
  const samples = cluster.nodes * cluster.gpusPerNode * localBatch;
  const moduleWidth = modules === null ? null : simulatedWidth(modules, towers, samples, file);
  const problem = {
    ranks: cluster.nodes * cluster.gpusPerNode,
    ...{ gpusPerHost: cluster.gpusPerNode, hostsPerTower, localBatch, seed, elementBytes: wireElementBytes, ...WIRE },
    towers: towers.map((here) => ({
      features: here,
      ...(modules && moduleWidth ? { outputDim: moduleWidth * vectorsOf(modules, here) } : {}),
    })),
  };
  return { problem, moduleWidth };
}

type Features = ExchangeTower["features"];

/** Vectors that a tower's module puts out. */
function vectorsOf({ perFeature, perTower }: TowerModules, features: Features): number {
  return perFeature * features.length + perTower;
}

/** The modules' width, or the largest with which `samples` samples are multiplied out in the time there is. */
function simulatedWidth(modules: TowerModules, towers: readonly Features[], samples: number, file: string): number {
  const inputs = (features: Features) => features.reduce((sum, { dim }) => sum + dim, 0);
  const products = samples * towers.reduce((sum, here) => sum + inputs(here) * vectorsOf(modules, here), 0);
  if (products <= MAX_PRODUCTS) return Math.min(modules.width, Math.floor(MAX_PRODUCTS / products));
  throw new InputError(
    `expected tower modules of at most ${MAX_PRODUCTS} multiplications to simulate, received ${products} with vectors of one element; plan a smaller cluster to check it`,
    file,
  );
}

function scaled(
  { rows, dim, poolingFactor }: TowerTable,
  shardingType: string,
  slots: readonly number[],
  sizes: readonly number[],
): ExchangeTower["features"][number] {
  const hotness = Math.min(Math.ceil(poolingFactor), MAX.idsPerSample);
  if (shardingType === "row_wise") {
    return {
      dim,
      hotness,
      rows: slots.length,
      sharding: { kind: "rows", shards: slots.map((slot) => ({ slot, rows: 1 })) },
    };
  }
  const sharding: Sharding =
    shardingType === "column_wise"
      ? { kind: "columns", shards: slots.map((slot, k) => ({ slot, columns: sizes[k] as number })) }
      : { kind: "table", slot: slots[0] as number };
  return { dim, hotness, rows: Math.min(rows, MAX.rows), sharding };
}
