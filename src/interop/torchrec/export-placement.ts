import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { tableShapes } from "../../cost/placement/table-shapes.js";
import { InputError } from "../../errors/input-error.js";
import type { ExportablePlacement } from "../../problems/table-placement/exportable.js";
import { planByModule } from "./by-module.js";
import type { SerializedSharding, SerializedShardingPlan } from "./sharding-plan.js";

/** A placement and what it is of; the file that it was read from does not matter. */
type Placed = Omit<ExportablePlacement, "digest">;

/**
 * A table-placement plan as TorchRec's `ShardingPlan._serialize()` has it: module path, table, and for each shard its
 * block of the table and its device; beside that, what the instance says of the table's cache and the like. A table called `sparse.ebc.t0` is the table `t0` of the module `sparse.ebc`; `module`
 * is the path of the module that all of them are in.
 *
 * Throws `InputError` for a table whose shards cannot be told: the instance does not have its rows and dim, or lists other
 * shards than TorchRec makes.
 */
export function shardingPlan({ instance, problem, placement }: Placed, module = ""): SerializedShardingPlan {
  const shapes = tableShapes(instance);
  const tables = problem.tables.map(({ name, options }, t): [string, SerializedSharding] => {
    const { option, devices } = placement.choices[t] as { option: number; devices: readonly number[] };
    const { shardingType, kernel } = options[option] as PlacementOption;
    const blocks = shapes.of(t, { shardingType, shardCount: devices.length });
    if (blocks === null) {
      const advice = "add its keys rows and dim to the instance and plan again";
      throw new InputError(
        `table ${name}: expected a table with rows and dim, because TorchRec's shards have offsets and sizes, received one without; ${advice}`,
        instance.file,
      );
    }
    const rowNodes = shapes.rowNodes({ shardingType, shardCount: devices.length });
    const sharding: SerializedSharding = {
      sharding_type: shardingType,
      compute_kernel: kernel,
      ranks: devices,
      shards:
        shardingType === "data_parallel"
          ? null
          : blocks.map(({ offsets, sizes }, k) => ({
              shard_offsets: offsets,
              shard_sizes: sizes,
              placement: shapes.placement(devices[k] as number),
            })),
      ...(rowNodes === 1 ? {} : { num_nodes: rowNodes }),
      ...shapes.runtime(t),
    };
    return [name, sharding];
  });
  return planByModule(tables, module);
}

/** What of a plan TorchRec cannot carry out, in words. */
export function shardingNotes({ instance, problem, placement }: Placed): readonly string[] {
  const shapes = tableShapes(instance);
  return problem.tables.flatMap(({ name, options }, t): string[] => {
    const { option } = placement.choices[t] as { option: number };
    if (options[option]?.shardingType !== "row_wise" || !shapes.hasUnevenRows(t)) return [];
    return [
      `${name}: its row_wise shards are cut by the memory of unlike devices, and TorchRec's training sends ids by even blocks: leave uneven_row_wise out to plan without them`,
    ];
  });
}
