import { type TableShapes, tableShapes } from "../../src/cost/placement/table-shapes.js";
import type { ShardShape } from "../../src/cost/torchrec/shards.js";
import type { TableMemory } from "../../src/cost/torchrec/storage/kept.js";
import { InputError } from "../../src/errors/input-error.js";
import type { MovesFrom, TablePlacementInstance, WrittenChoice } from "../../src/instance/types/table-placement.js";
import { type HeldPart, type HeldTable, incomingOf, type KeptBytes } from "./moved-bytes.js";
import type { Incoming, PlacementOption } from "./problem.js";

/** A table's shards under an option, and where the table is now, in one frame of rows and columns. */
export interface HeldLayout {
  /** The part of the table that each shard has. */
  readonly shards: readonly ShardShape[];
  /** Where the option's kernel keeps them. */
  readonly memory: TableMemory;
  readonly kept: KeptBytes;
  /** `null`: the table is new. */
  readonly now: NowHeld | null;
  /** The instance does not say how the table is cut: its shards are counted whole, in a frame of their own bytes. */
  readonly isWhole: boolean;
}

export interface NowHeld {
  readonly rows: number;
  readonly dim: number;
  readonly parts: readonly KeptPart[];
}

export interface KeptPart extends HeldPart {
  /** `null`: it is somewhere, and no device can be said to hold a part of a new shard with it. */
  readonly memory: TableMemory | null;
}

/** How the options of an instance's tables (by index) lie to where its tables are now. */
export type HeldLayouts = (table: number, option: PlacementOption) => HeldLayout;

/** Throws `InputError` where the TorchRec problem of the instance, or of the plan that it moves from, is none. */
export function heldLayouts(instance: TablePlacementInstance, from: MovesFrom): HeldLayouts {
  const shapes = tableShapes(instance);
  const old = from.instance ?? instance;
  const oldShapes = old === instance ? shapes : tableShapes(old);
  const oldIndex = new Map(old.tables.map(({ name }, t) => [name, t]));
  const held = instance.tables.map(({ name }, t): { now: NowHeld | null; kept: KeptBytes } | null => {
    const written = from.choices.get(name);
    const kept = shapes.kept(t, from.optimizer);
    if (kept === null) return null;
    if (written === undefined) return { now: null, kept };
    const before = oldIndex.get(name) as number;
    const extent = oldShapes.kept(before, from.optimizer);
    const parts = cut(oldShapes, before, written.shardingType, written.ranks.length);
    if (extent === null || parts === null) return null;
    const memory = oldShapes.memory(written.kernel);
    const place = (part: ShardShape, k: number) => ({
      ...part,
      memory,
      device: from.ranks[written.ranks[k] as number] as number,
    });
    return { now: { rows: extent.rows, dim: extent.dim, parts: parts.map(place) }, kept };
  });
  return (t, option) => {
    const { shardingType, kernel } = option;
    const memory = shapes.memory(kernel);
    const known = held[t] ?? null;
    const shards = known && cut(shapes, t, shardingType, option.shards.length);
    if (known !== null && shards !== null) return { ...known, shards, memory, isWhole: false };
    const written = from.choices.get(instance.tables[t]?.name as string);
    const before = written && { ...written, memory: oldShapes.memory(written.kernel) };
    return { ...wholeShards(option, before, from), memory, isWhole: true };
  };
}

/** What each shard of an option would have to bring to its device. */
export function incomingOfLayout({ shards, memory, kept, now }: HeldLayout): readonly Incoming[] {
  if (now === null) return shards.map(() => ({ bytes: 0, held: [] }));
  const here: HeldTable = { ...now, parts: now.parts.filter((part) => part.memory === memory) };
  return shards.map((shard) => incomingOf(shard, here, kept));
}

/** `null` where it cannot be told: the instance lists other shards than TorchRec makes, or no rows and dim. */
function cut(shapes: TableShapes, t: number, shardingType: string, shardCount: number): readonly ShardShape[] | null {
  try {
    return shapes.of(t, { shardingType, shardCount });
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/**
 * Shards as a line of their bytes, one after the other. A device holds one that is cut alike and has the same number, and all
 * of them where it has the whole table; of anything else it is not known which part of a shard it is.
 */
function wholeShards(
  { shardingType, shards }: PlacementOption,
  before: (WrittenChoice & { readonly memory: TableMemory }) | undefined,
  { ranks }: MovesFrom,
): Pick<HeldLayout, "shards" | "kept" | "now"> {
  let end = 0;
  const line = shards.map(({ hbmBytes, hostBytes, ssdBytes = 0 }): ShardShape => {
    const bytes = shardingType === "data_parallel" && end > 0 ? 0 : hbmBytes + hostBytes + ssdBytes;
    end += bytes;
    return { offsets: [end - bytes, 0], sizes: [bytes, 1] };
  });
  const whole: ShardShape = { offsets: [0, 0], sizes: [end, 1] };
  const copies = shardingType === "data_parallel" ? shards.map(() => whole) : line;
  const kept = { cellBytes: 1, rowBytes: 0 };
  if (before === undefined) return { shards: copies, kept, now: null };
  const count = before.ranks.length;
  const isWhole = count === 1 || before.shardingType === "data_parallel";
  const isAlike = before.shardingType === shardingType && count === shards.length;
  const even = (k: number): ShardShape => {
    const [from, to] = [Math.floor((end * k) / count), Math.floor((end * (k + 1)) / count)];
    return { offsets: [from, 0], sizes: [to - from, 1] };
  };
  const parts = before.ranks.map((rank, k): KeptPart => {
    const part = isWhole ? whole : isAlike ? (line[k] as ShardShape) : even(k);
    const memory = isWhole || isAlike ? before.memory : null;
    return { ...part, memory, device: ranks[rank] as number };
  });
  return { shards: copies, kept, now: { rows: end, dim: 1, parts } };
}
