import type { PlacementDelta } from "../../../models/table-placement/migration/delta.js";
import { InputError } from "../../errors/input-error.js";
import type { ExportablePlacement } from "../exportable.js";
import { requireRunnable } from "./broken-rules.js";
import { shardingPlan } from "./export-placement.js";
import type { SerializedSharding } from "./sharding-plan.js";

/**
 * What TorchRec's `DistributedModelParallel.reshard` takes: by path of the module the MiB that move, and of every table whose
 * shards change its new `ParameterSharding`, as `ShardingPlan._serialize()` has it.
 */
export interface ChangedShards {
  readonly changed_shard_to_params: Readonly<
    Record<string, readonly [dataVolume: number, changed: Readonly<Record<string, SerializedSharding>>]>
  >;
}

const MIB = 1024 * 1024;

/** What `reshard` can move (torchrec/distributed/sharding/dynamic_sharding.py, TorchRec 1.9). */
const MOVABLE: readonly string[] = ["table_wise", "column_wise"];

/**
 * The changed tables of a delta in TorchRec's form, and what of it TorchRec cannot carry out, in words: those tables are left
 * out. Throws `InputError` where the plans are for different numbers of ranks, TorchRec cannot run the new one, and as {@link shardingPlan} does.
 */
export function changedShards(
  old: ExportablePlacement,
  now: ExportablePlacement,
  delta: PlacementDelta,
  module = "",
): { readonly changes: ChangedShards; readonly notes: readonly string[] } {
  requireRunnable(now, now.instance.file);
  const [before, after] = [shardingPlan(old, module).plan, shardingPlan(now, module).plan];
  const ranks = [old, now].map(({ problem: { nodes, gpusPerNode } }) => nodes * gpusPerNode);
  if (ranks[0] !== ranks[1]) {
    throw new InputError(
      `expected plans for the same ranks, because TorchRec's reshard moves shards inside one process group, received plans for ${ranks[0]} and ${ranks[1]}; write a checkpoint, and load it under the new plan (export --to torchrec)`,
    );
  }
  const notes: string[] = [];
  const received = receivedByTable(delta);
  const changes = Object.entries(after).map(([path, tables]) => {
    const changed = Object.entries(tables).flatMap(([name, sharding]): [string, SerializedSharding][] => {
      const was = before[path]?.[name];
      if (was === undefined) {
        notes.push(`${name}: the old plan does not have it, and TorchRec's reshard adds no tables`);
        return [];
      }
      if (JSON.stringify(was) === JSON.stringify(sharding)) return [];
      const why = whyNot(was, sharding);
      if (why === null) return [[name, sharding]];
      notes.push(`${name}: ${why}`);
      return [];
    });
    const bytes = changed.reduce((sum, [name]) => sum + (received.get(fullName(path, name, module)) ?? 0), 0);
    return [path, [bytes / MIB, Object.fromEntries(changed)]] as const;
  });
  for (const name of delta.tables.dropped) {
    notes.push(`${name}: the new plan does not have it, and TorchRec's reshard drops no tables`);
  }
  return { changes: { changed_shard_to_params: Object.fromEntries(changes) }, notes };
}

function receivedByTable({ new: made, schedule }: PlacementDelta): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { moves } of schedule.steps) {
    for (const { new: index, links } of moves) {
      const shard = made[index] as PlacementDelta["new"][number];
      const bytes = shard.reads.reduce((sum, read, k) => (links[k] === "local" ? sum : sum + read.bytes), 0);
      sums.set(shard.table, (sums.get(shard.table) ?? 0) + bytes);
    }
  }
  return sums;
}

/** What the instance calls a table of a module: the path that all are in is none of its name. */
function fullName(path: string, name: string, module: string): string {
  const own = module === "" ? path : path.slice(module.length + 1);
  return own === "" ? name : `${own}.${name}`;
}

function whyNot(was: SerializedSharding, now: SerializedSharding): string | null {
  if (was.sharding_type !== now.sharding_type) {
    return `${was.sharding_type} becomes ${now.sharding_type}, and TorchRec's reshard changes no sharding types`;
  }
  if (!MOVABLE.includes(now.sharding_type)) {
    return `it is ${now.sharding_type}, and TorchRec's reshard moves table_wise and column_wise shards alone`;
  }
  if (was.compute_kernel !== now.compute_kernel) {
    return `${was.compute_kernel} becomes ${now.compute_kernel}, and TorchRec's reshard changes no kernels`;
  }
  const rowsOf = ({ shards }: SerializedSharding) => shards?.[0]?.shard_sizes[0];
  if (rowsOf(was) !== rowsOf(now)) return "it has other rows, and TorchRec's reshard changes no tables";
  return null;
}
