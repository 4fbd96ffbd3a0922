import { InputError } from "../../errors/input-error.js";
import { ELEMENT_BYTES } from "../../instance/data-type.js";
import type { PlacedDocument } from "../../instance/document.js";
import type {
  ShardingNeed,
  ShardingOption,
  TableFeatures,
  TablePlacementInstance,
} from "../../problems/table-placement/instance/instance.js";
import { allowedKernels, cannotBeTrained } from "../torchrec/enumerate.js";
import type { TorchrecPerf } from "../torchrec/perf/perf.js";
import type { TorchrecProblem, TorchrecTable } from "../torchrec/problem.js";
import { readPlacedTorchrecProblem } from "../torchrec/read-problem.js";
import { shardRuns } from "../torchrec/runs.js";
import type { ShardEstimate } from "../torchrec/shard-runs.js";
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
  return {
    hbmBytes: problem.devices.map(({ hbmBytes }) => whole(hbmBytes)),
    hostBytes: problem.devices.map(({ hostBytes }) => whole(hostBytes)),
    ssdBytes: problem.devices.map(({ ssdBytes }) => whole(ssdBytes)),
    leftOut: unevenRows(problem),
    tables: problem.tables.map((table, t): TableCosts => {
      const ofTable = optionsOf(file, () => tableVariants(problem, table, instance, tables[t]?.access));
      return {
        options: ofTable.map(shardingOption),
        features: featuresOf(table),
        phases: ofTable.map((variant) => inPhases(variant, problem.topology.worldSize)),
      };
    }),
  };
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

function shardingOption({ option, hot, cache }: TorchrecVariant): ShardingOption {
  return {
    shardingType: option.shardingType,
    kernel: option.kernel,
    partitionBy: option.partitionBy,
    shards: shardRuns(option).map(({ count, estimate }) => [count, needOf(estimate)]),
    ...(hot === undefined ? {} : { hot: { rows: hot.rows, share: hot.share, need: needOf(hot.estimate) } }),
    ...(cache === undefined ? {} : { cache }),
  };
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

/** In the order in which `totalPerf` adds them. */
function phasesOf(perf: TorchrecPerf): readonly number[] {
  return [perf.forwardCompute, perf.backwardCompute, perf.forwardComms, perf.backwardComms, perf.prefetchCompute];
}

function featuresOf({ rows, dim, elementBytes, features }: TorchrecTable): TableFeatures {
  const dataType = elementBytes === ELEMENT_BYTES.fp32 ? "fp32" : elementBytes === ELEMENT_BYTES.fp16 ? "fp16" : "int8";
  const poolingFactor = features.reduce((sum, { length, poolings }) => sum + length * poolings, 0);
  return { rows, dim, dataType, elementBytes, poolingFactor, accessBins: null };
}
