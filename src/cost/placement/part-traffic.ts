import type { LinkAmounts, PlacedFleet, PlacedPart, PredictedPart } from "../../access/placed-table.js";
import type { ShardShape } from "../torchrec/shards.js";

/** What the cost model says of a part in an iteration, all devices together. */
export interface ModelledPart extends PredictedPart {
  /** Rows that each of its shards looks up. */
  readonly lookupsOfShard: number;
}

type Cut = Pick<PlacedPart, "kind" | "first" | "rows" | "groupSize" | "bytes" | "everyBag" | "cachedRows"> & {
  readonly shardingType: string;
  readonly devices: readonly number[];
  readonly shapes: readonly ShardShape[];
};

/** A part of which TorchRec's shards have these shapes: blocks of columns outside, blocks of rows inside. */
export function cutPart({ shardingType, devices, shapes, ...part }: Cut): PlacedPart {
  const isCopied = shardingType === "data_parallel";
  const rowBlocks = shapes.filter(({ offsets }) => offsets[1] === shapes[0]?.offsets[1]).map(({ sizes }) => sizes[0]);
  const blocks = isCopied ? [part.rows] : rowBlocks;
  const isGrouped = shardingType === "table_row_wise" || shardingType === "grid_shard";
  return {
    ...part,
    exchange: isCopied ? "none" : isGrouped ? "grouped" : "all-to-all",
    blocks,
    shards: shapes.map(({ sizes }, k) => ({
      block: k % blocks.length,
      columns: sizes[1],
      device: devices[k] as number,
    })),
  };
}

/** Of one device's samples: ids, and outputs where the cost model knows them; and what is fetched of the whole batch. */
interface Quantities {
  readonly inputs: number;
  readonly outputs: number | null;
  readonly isPooled: boolean;
  readonly misses: number | null;
}

/** Look-ups divide evenly among the blocks; what a shard gets and sends is every device's alike. */
export function modelledPart(
  { exchange, groupSize, blocks, shards, bytes }: PlacedPart,
  { devices, perHost }: PlacedFleet,
  { inputs, outputs, isPooled, misses }: Quantities,
): ModelledPart {
  const lookups = inputs * devices;
  const lookupsOfShard = (exchange === "none" ? inputs : lookups) / blocks.length;
  const nothing = { own: 0, inside: 0, between: 0 };
  if (exchange === "none") {
    return { lookups, lookupsOfShard, ids: nothing, outputs: null, vectors: null, misses };
  }
  const ids = amongAll(shards.length * lookupsOfShard * bytes.id, devices, perHost);
  const made = { lookups, lookupsOfShard, ids, misses };
  if (outputs === null) return { ...made, outputs, vectors: null };
  const columns = shards.reduce((sum, shard) => sum + shard.columns, 0);
  const ofShard = isPooled ? outputs : outputs / blocks.length;
  const sent = columns * devices * ofShard * bytes.element;
  if (exchange === "all-to-all") {
    return { ...made, outputs: outputs * devices, vectors: amongAll(sent, devices, perHost) };
  }
  const inGroup = amongAll(sent, groupSize, Math.min(perHost, groupSize));
  const groups = Math.max(1, Math.floor(devices / groupSize));
  const onwards = groups === 1 ? 0 : columns * outputs * groups * bytes.betweenGroups;
  return {
    ...made,
    outputs: outputs * devices,
    vectors: {
      own: inGroup.own + onwards / groups,
      inside: inGroup.inside,
      between: inGroup.between + (onwards / groups) * (groups - 1),
    },
  };
}

/** Bytes that a device exchanges with all of so many devices alike, itself among them. */
function amongAll(bytes: number, devices: number, perHost: number): LinkAmounts {
  return {
    own: bytes / devices,
    inside: (bytes / devices) * (perHost - 1),
    between: (bytes / devices) * (devices - perHost),
  };
}
