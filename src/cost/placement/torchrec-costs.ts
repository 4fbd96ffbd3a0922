import { InputError } from "../../errors/input-error.js";
import { ELEMENT_BYTES } from "../../instance/data-type.js";
import type { PlacedDocument } from "../../instance/document.js";
import type {
  ShardingNeed,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../instance/types/table-placement.js";
import { allowedKernels, cannotBeTrained } from "../torchrec/enumerate.js";
import type { TorchrecProblem, TorchrecTable } from "../torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../torchrec/read-problem.js";
import {
  brokenRules,
  needsDistinctRanks,
  RUN_RULES,
  type RuledOption,
  type RunRule,
  runConditions,
} from "../torchrec/run-rules.js";
import { phasesOf, type ShardEstimate, shardRuns } from "../torchrec/shard-runs.js";
import { uncountedBytes } from "../torchrec/storage/estimate.js";
import { withReplicas } from "./group-replicas.js";
import type { InstanceCosts, LeftOut, TableCosts } from "./instance-costs.js";
import { type TorchrecVariant, tableVariants } from "./torchrec-variants.js";

/**
 * Every sharding type × kernel that TorchRec enumerates for each table, with the milliseconds and bytes of its cost model
 * (src/cost/torchrec). Devices have what the instance's cluster says, or TorchRec's own account of them.
 *
 * Throws `InputError` where the problem is none of TorchRec's.
 */
export function torchrecCosts(instance: TablePlacementInstance): InstanceCosts {
  const { torchrec, file, tables } = instance;
  const problem = withReplicas(readPlacedTorchrecProblem(torchrec as PlacedDocument), instance.group);
  const whole = (bytes: number) => Math.min(Math.floor(bytes), Number.MAX_SAFE_INTEGER);
  const ruled = problem.tables.map((table, t) => {
    const variants = optionsOf(file, () => tableVariants(problem, table, instance, tables[t]?.access));
    return runnable(problem, table, variants);
  });
  return {
    hbmBytes: problem.devices.map(({ hbmBytes }) => whole(hbmBytes)),
    hostBytes: problem.devices.map(({ hostBytes }) => whole(hostBytes)),
    ssdBytes: problem.devices.map(({ ssdBytes }) => whole(ssdBytes)),
    ...(problem.isRunnable && ruled.every(({ asPriced }) => !asPriced) ? {} : { runnable: false }),
    leftOut: [...unevenRows(problem), ...brokenBy(problem, ruled)],
    tables: problem.tables.map((table, t): TableCosts => {
      const { variants, refused, asPriced } = ruled[t] as RuledVariants;
      return {
        options: variants.map((variant) => shardingOption(variant, problem, table, asPriced)),
        features: featuresOf(table),
        phases: variants.map((variant) => inPhases(variant, problem.topology.worldSize)),
        ...(refused === null ? {} : { refused }),
      };
    }),
  };
}

/** The options of a table that can be run. */
interface RuledVariants {
  /** Where none can, those that only FBGEMM's kernels refuse, or all. */
  readonly variants: readonly TorchrecVariant[];
  /** Why none can; `null`: one can. */
  readonly refused: string | null;
  /** Whether they are those that kernels refuse. */
  readonly asPriced: boolean;
  /** Of those that cannot, the rule that each breaks first. */
  readonly broken: readonly RunRule[];
}

function runnable(problem: TorchrecProblem, table: TorchrecTable, variants: readonly TorchrecVariant[]): RuledVariants {
  if (!problem.isRunnable) return { variants, refused: null, broken: [], asPriced: false };
  const all = variants.map(({ option, cache }) => {
    const { shardingType, kernel } = option;
    return brokenRules(problem, table, { shardingType, kernel, loadFactor: cache?.loadFactor });
  });
  const can = variants.filter((_, o) => all[o]?.length === 0);
  const byKernels = variants.filter((_, o) => all[o]?.every(({ rule }) => rule.ofKernels === true));
  const asPriced = can.length === 0 && byKernels.length > 0;
  const kept = asPriced ? byKernels : can;
  const broken = variants.flatMap((variant, o) => (kept.includes(variant) ? [] : (all[o]?.[0]?.rule ?? [])));
  if (kept.length > 0) return { variants: kept, refused: null, broken, asPriced };
  const ways = [...new Set(all.map(([one]) => one?.how))];
  return { variants, refused: ways.join("; "), broken, asPriced };
}

/** What the rules left out, rule by rule. */
function brokenBy({ tables }: TorchrecProblem, ruled: readonly RuledVariants[]): readonly LeftOut[] {
  return RUN_RULES.flatMap((rule) => {
    const counts = ruled.map(({ broken }) => broken.filter((one) => one === rule).length);
    const options = counts.reduce((sum, count) => sum + count, 0);
    const named = tables.flatMap(({ name }, t) => (counts[t] === 0 ? [] : [name]));
    return options === 0 ? [] : [{ options, tables: named, reason: rule.reason, rule: rule.name }];
  });
}

function unevenRows(problem: TorchrecProblem): readonly LeftOut[] {
  const tables = problem.tables.filter((table) => cannotBeTrained(problem, table));
  if (tables.length === 0) return [];
  const options = tables.reduce((sum, table) => sum + allowedKernels(problem, table, "row_wise").length, 0);
  const reason = "row_wise, which TorchRec cuts unevenly where devices differ in memory, and cannot train then";
  return [{ options, tables: tables.map(({ name }) => name), reason }];
}

/** Gives the file to messages that name the table alone. */
function optionsOf<Options>(file: string, make: () => Options): Options {
  try {
    return make();
  } catch (error) {
    if (error instanceof InputError && error.file === undefined) throw new InputError(error.message, file);
    throw error;
  }
}

function shardingOption(
  { option, hot, cache }: TorchrecVariant,
  problem: TorchrecProblem,
  table: TorchrecTable,
  asPriced: boolean,
): ShardingOption {
  const broken = asPriced ? brokenRules(problem, table, option) : [];
  const notes = [
    ...broken.map(
      ({ how }) => `${how}: nothing of the table can be run, and it is placed as TorchRec's estimators price it`,
    ),
    ...optionNotes(problem, table, option),
  ];
  return {
    shardingType: option.shardingType,
    kernel: option.kernel,
    partitionBy: option.partitionBy,
    shards: shardRuns(option).map(({ count, estimate }) => [count, needOf(estimate)]),
    ...(hot === undefined ? {} : { hot: { rows: hot.rows, share: hot.share, need: needOf(hot.estimate) } }),
    ...(cache === undefined ? {} : { cache }),
    ...(problem.isRunnable && needsDistinctRanks(option) ? { distinctDevices: true } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** What whoever takes an option has to know beside its costs and bytes, in words that follow the table's name. */
export function optionNotes(problem: TorchrecProblem, table: TorchrecTable, option: RuledOption): readonly string[] {
  const uncounted = uncountedBytes(problem, table, option.kernel);
  const conditions = runConditions(problem, table, option);
  if (uncounted === null) return conditions;
  const { bytes, memory } = uncounted;
  const gigabytes = (value: number) => `${Number((value / 1e9).toPrecision(4))} GB`;
  const there = problem.devices.reduce((sum, own) => sum + (memory === "host" ? own.hostBytes : own.ssdBytes), 0);
  const where = memory === "host" ? "host memory" : "SSDs";
  return [
    ...conditions,
    `its rows with ${option.kernel} come to ${gigabytes(bytes)} of the ${gigabytes(there)} of ${where}, and TorchRec's planner counts 0 of them; torchrec: {countVirtual: true} counts them`,
  ];
}

function needOf({ cost, hbmBytes, hostBytes, ssdBytes }: ShardEstimate): ShardingNeed {
  return { cost, hbmBytes, hostBytes, ...(ssdBytes === 0 ? {} : { ssdBytes }) };
}

/** By shard, copies of hot rows last; neighbours that are alike share theirs. */
function inPhases({ option, hot }: TorchrecVariant, ranks: number): readonly (readonly number[])[] {
  const copies = hot === undefined ? [] : [{ count: ranks, estimate: hot.estimate }];
  return [...option.estimates, ...copies].flatMap(({ count, estimate: { perf } }) =>
    new Array<readonly number[]>(count).fill(phasesOf(perf)),
  );
}

function featuresOf({ rows, dim, elementBytes, features }: TorchrecTable): TableFeatures {
  const dataType = elementBytes === ELEMENT_BYTES.fp32 ? "fp32" : elementBytes === ELEMENT_BYTES.fp16 ? "fp16" : "int8";
  const poolingFactor = features.reduce((sum, { length, poolings }) => sum + length * poolings, 0);
  return { rows, dim, dataType, elementBytes, poolingFactor, accessBins: null };
}
