import { withoutCopies } from "../../../models/table-placement/hot-rows.js";
import type { PlacementOption } from "../../../models/table-placement/problem.js";
import { coldName, hotName } from "../../../models/table-placement/shard-names.js";
import { notesOf } from "../../../models/table-placement/space.js";
import { tableShapes } from "../../cost/placement/table-shapes.js";
import type { RuntimeParameters } from "../../cost/torchrec/runtime-parameters.js";
import { InputError } from "../../errors/input-error.js";
import type { ChosenCache } from "../../instance/types/table-placement.js";
import type { ExportablePlacement } from "../exportable.js";
import { planByModule } from "./by-module.js";
import type { SerializedSharding, SerializedShardingPlan } from "./sharding-plan.js";

/** A placement and what it is of; the file that it was read from does not matter. */
type Placed = Omit<ExportablePlacement, "digest">;

/**
 * A table-placement plan as TorchRec's `ShardingPlan._serialize()` has it: module path, table, and for each shard its
 * block of the table and its device; beside that, what the instance says of the table's cache and the like. A table with hot
 * rows on every device is two: `NAME_hot`, data_parallel, and `NAME_cold`. A table called `sparse.ebc.t0` is the table `t0` of the module `sparse.ebc`; `module`
 * is the path of the module that all of them are in.
 *
 * Throws `InputError` for a table whose shards cannot be told: the instance does not have its rows and dim, or lists other
 * shards than TorchRec makes.
 */
export function shardingPlan({ instance, problem, placement }: Placed, module = ""): SerializedShardingPlan {
  const shapes = tableShapes(instance);
  const sharded = (
    t: number,
    name: string,
    { shardingType, kernel, cache }: Part,
    part: PlacedPart,
  ): SerializedSharding => {
    const as = { shardingType, shardCount: part.ranks.length, ...(part.rows === undefined ? {} : { rows: part.rows }) };
    const blocks = shapes.of(t, as);
    if (blocks === null) throw withoutShape(name, instance.file);
    const rowNodes = shapes.rowNodes(as);
    return {
      sharding_type: shardingType,
      compute_kernel: kernel,
      ranks: part.ranks,
      shards:
        shardingType === "data_parallel"
          ? null
          : blocks.map(({ offsets, sizes }, k) => ({
              shard_offsets: offsets,
              shard_sizes: sizes,
              placement: shapes.placement(part.ranks[k] as number),
            })),
      ...(rowNodes === 1 ? {} : { num_nodes: rowNodes }),
      ...withCache(shapes.runtime(t), cache),
    };
  };
  const tables = problem.tables.flatMap(({ name, options }, t): [string, SerializedSharding][] => {
    const { option, devices } = placement.choices[t] as { option: number; devices: readonly number[] };
    const own = options[option] as PlacementOption;
    const ranks = withoutCopies(own, devices);
    if (own.hot === undefined) return [[name, sharded(t, name, own, { ranks })]];
    // The module has two tables in its place: see the remap of the same plan.
    const rows = shapes.kept(t, null)?.rows;
    if (rows === undefined) throw withoutShape(name, instance.file);
    const hot = { shardingType: "data_parallel", kernel: "dense" };
    return [
      [hotName(name), sharded(t, name, hot, { ranks: devices.slice(ranks.length), rows: own.hot.rows })],
      [coldName(name), sharded(t, name, own, { ranks, rows: rows - own.hot.rows })],
    ];
  });
  return planByModule(tables, module);
}

type Part = Pick<PlacementOption, "shardingType" | "kernel" | "cache">;

/** Some rows of a table, all where it does not say, and the devices of their shards. */
interface PlacedPart {
  readonly ranks: readonly number[];
  readonly rows?: number;
}

function withoutShape(name: string, file: string): InputError {
  const advice = "add its keys rows and dim to the instance and plan again";
  return new InputError(
    `table ${name}: expected a table with rows and dim, because TorchRec's shards have offsets and sizes, received one without; ${advice}`,
    file,
  );
}

/** With the size of the cache that the plan chooses. */
function withCache(runtime: RuntimeParameters, cache: ChosenCache | undefined): RuntimeParameters {
  if (cache === undefined) return runtime;
  return { ...runtime, cache_params: { ...runtime.cache_params, load_factor: cache.loadFactor } };
}

/** What of a plan TorchRec cannot carry out, or does on a condition, in words. */
export function shardingNotes({ instance, problem, placement }: Placed): readonly string[] {
  const shapes = tableShapes(instance);
  const { notes = [] } = notesOf(problem, placement);
  const uneven = problem.tables.flatMap(({ name, options }, t): string[] => {
    const { option } = placement.choices[t] as { option: number };
    if (options[option]?.shardingType !== "row_wise" || !shapes.hasUnevenRows(t)) return [];
    return [
      `${name}: its row_wise shards are cut by the memory of unlike devices, and TorchRec's training sends ids by even blocks: leave uneven_row_wise out to plan without them`,
    ];
  });
  return [...uneven, ...notes];
}
