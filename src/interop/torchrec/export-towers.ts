import { chosenOption, type PlacedTower, shardingOf } from "../../../models/joint-towers/workload.js";
import type { Sharding } from "../../access/traffic/exchange.js";
import { InputError } from "../../errors/input-error.js";
import type { TowerTable } from "../../instance/types/tower-partition.js";
import type { ExportableJoint } from "../exportable.js";
import { blockSizes } from "./blocks.js";
import { planByModule } from "./by-module.js";
import { type Block, onRanks, type ShardMetadata, WIDTH_STEP } from "./sharding.js";
import type { SerializedSharding, SerializedShardingPlan } from "./sharding-plan.js";

/** A tower plan for TorchRec, and what TorchRec does otherwise or has no word for, in words. */
export interface TowerShardingPlan extends SerializedShardingPlan {
  readonly notes: readonly string[];
}

/**
 * Where a joint plan has its tables, as TorchRec's `ShardingPlan._serialize()` has it: ranks are those of the whole cluster, host
 * by host, a tower's hosts in a row; names and `module` as in {@link planByModule}.
 *
 * In a tower of one host shards by columns and by rows are `table_column_wise` and `table_row_wise`, which stay in a host. In
 * a larger one they are `column_wise`, which may be anywhere, and `row_wise`, which TorchRec has over all ranks of a process
 * group only: where that is not the whole cluster, a note says so. Rows are in TorchRec's blocks, which differ from the plan's
 * even ones by a few rows.
 *
 * Throws `InputError` where these blocks put more on a GPU than its memory, or the plan has no places.
 */
export function towerShardingPlan(joint: ExportableJoint, module = ""): TowerShardingPlan {
  const towers = joint.placed();
  requirePlain(joint, towers);
  const placed = towers.flatMap((tower, index) => shardedTables(joint, tower, index));
  requireMemory(joint, placed);
  const inOrder = placed.toSorted((a, b) => a.feature - b.feature);
  const tables = inOrder.map(({ name, sharding }) => [name, sharding] as const);
  return { ...planByModule(tables, module), notes: notesOf(inOrder, joint) };
}

interface ShardedTable {
  readonly feature: number;
  readonly name: string;
  readonly table: TowerTable;
  readonly sharding: SerializedSharding;
}

function shardedTables(joint: ExportableJoint, placed: PlacedTower, tower: number): readonly ShardedTable[] {
  const { features, problem, placement } = placed;
  const { gpusPerNode } = joint.setting.cluster;
  const slots = joint.shape.hostsPerTower * gpusPerNode;
  return features.map((feature, k): ShardedTable => {
    const table = joint.setting.tables[feature] as TowerTable;
    const decided = shardingOf(problem, placement, k, table);
    const blocks = blocksOf(decided, table, tower * slots);
    const sharding: SerializedSharding = {
      sharding_type: typeOf(decided.kind, joint),
      compute_kernel: "fused",
      ...onRanks(blocks, gpusPerNode),
    };
    return { feature, name: problem.tables[k]?.name as string, table, sharding };
  });
}

function typeOf(kind: Sharding["kind"], { shape: { towers, hostsPerTower } }: ExportableJoint): string {
  if (kind === "table") return "table_wise";
  const type = kind === "columns" ? "column_wise" : "row_wise";
  return hostsPerTower === 1 && towers > 1 ? `table_${type}` : type;
}

/** `first`: the rank of its tower's first slot. */
function blocksOf(sharding: Sharding, { rows, dim }: TowerTable, first: number): readonly Block[] {
  switch (sharding.kind) {
    case "table":
      return [{ rank: first + sharding.slot, offsets: [0, 0], sizes: [rows, dim] }];
    case "columns": {
      let column = 0;
      return sharding.shards.map(({ slot, columns }): Block => {
        column += columns;
        return { rank: first + slot, offsets: [0, column - columns], sizes: [rows, columns] };
      });
    }
    case "rows": {
      const sizes = blockSizes(rows, sharding.shards.length);
      return sharding.shards.map(({ slot }, k): Block => {
        const before = Math.min(rows, k * (sizes[0] as number));
        return { rank: first + slot, offsets: [before, 0], sizes: [sizes[k] as number, dim] };
      });
    }
  }
}

/** TorchRec's data_parallel is over all ranks of a process group, and a tower's hot rows are on its own GPUs alone. */
function requirePlain({ file }: ExportableJoint, towers: readonly PlacedTower[]): void {
  for (const { problem, placement } of towers) {
    for (const [k, { name }] of problem.tables.entries()) {
      const { hot, cache } = chosenOption(problem, placement, k);
      if (hot === undefined && cache === undefined) continue;
      const what = hot === undefined ? "a cache" : "hot rows on every GPU of its tower";
      throw new InputError(
        `expected tables that are whole, by columns or by rows, received ${name} with ${what}, for which no sharding plan of towers is written; plan without splits and caches`,
        file,
      );
    }
  }
}

/** The plan keeps to the memory; TorchRec's blocks of rows may be beyond it by a few rows. */
function requireMemory({ setting, file }: ExportableJoint, placed: readonly ShardedTable[]): void {
  const { nodes, gpusPerNode, hbmBytesPerGpu } = setting.cluster;
  if (hbmBytesPerGpu === null) return;
  const bytes = new Array<number>(nodes * gpusPerNode).fill(0);
  for (const { sharding, table } of placed) {
    for (const [k, { shard_sizes }] of shardsOf(sharding).entries()) {
      const rank = sharding.ranks[k] as number;
      bytes[rank] = (bytes[rank] as number) + shard_sizes[0] * shard_sizes[1] * table.elementBytes;
    }
  }
  const fullest = bytes.reduce((most, each, rank) => (each > (bytes[most] as number) ? rank : most), 0);
  const over = Math.ceil((bytes[fullest] as number) - hbmBytesPerGpu);
  if (over <= 0) return;
  const advice = `lower hbmBytesPerGpu by ${over} and plan again`;
  throw new InputError(
    `expected at most ${hbmBytesPerGpu} bytes on each GPU with rows in TorchRec's blocks, received ${bytes[fullest]} on GPU ${fullest}; ${advice}`,
    file,
  );
}

function notesOf(tables: readonly ShardedTable[], { shape }: ExportableJoint): readonly string[] {
  const uneven = tables.flatMap(({ name, sharding }) => {
    const widths = new Set(shardsOf(sharding).map(({ shard_sizes }) => shard_sizes[1]));
    return [...widths].some((width) => width % WIDTH_STEP !== 0) ? [`${name} (${[...widths].join(", ")})`] : [];
  });
  const widths = `FBGEMM's kernels want widths that are multiples of ${WIDTH_STEP}, unlike those of`;
  return [
    ...(uneven.length === 0 ? [] : [`${widths} ${uneven.join(", ")}`]),
    ...tables.flatMap((table) => notesOnRows(table, shape.towers)),
  ];
}

function notesOnRows({ name, sharding }: ShardedTable, towers: number): readonly string[] {
  const { sharding_type, ranks } = sharding;
  const shards = shardsOf(sharding);
  const held = shards.filter(({ shard_sizes }) => shard_sizes[0] > 0).length;
  const group = `row_wise is over all ranks of a process group: shard its tower in one of ranks ${ranks[0]} to ${ranks.at(-1)}`;
  return [
    ...(sharding_type === "row_wise" && towers > 1 ? [`${name}: ${group}`] : []),
    ...(held < shards.length ? [`${name}: TorchRec's blocks put its rows on ${held} of ${shards.length} GPUs`] : []),
  ];
}

/** Tables of towers are never `data_parallel`, which has none. */
function shardsOf({ shards }: SerializedSharding): readonly ShardMetadata[] {
  return shards ?? [];
}
