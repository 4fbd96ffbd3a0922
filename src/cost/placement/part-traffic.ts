import type { ShardShape } from "../torchrec/shards.js";

/** Bytes by the link that they take: none but a device's own memory, inside a host, between hosts. */
export interface BytesByLink {
  readonly own: number;
  readonly inside: number;
  readonly between: number;
}

/** Rows of a table that are looked up as one, and how they are cut. */
export interface CutPart {
  readonly kind: "whole" | "hot" | "cold";
  /** Rows that are read more often than its first. */
  readonly first: number;
  readonly rows: number;
  readonly exchange: "none" | "all-to-all" | "grouped";
  readonly groupSize: number;
  /** Rows of each block. */
  readonly blocks: readonly number[];
  readonly shards: readonly { readonly block: number; readonly columns: number; readonly device: number }[];
  readonly bytes: { readonly id: number; readonly element: number; readonly betweenGroups: number };
  /** By feature: whether every bag has an output, also one without an id in the part. */
  readonly everyBag: readonly boolean[];
  readonly cachedRows: number | null;
}

/** What the cost model says of a part in an iteration, all devices together. */
export interface ModelledPart {
  readonly lookups: number;
  /** Rows that each of its shards looks up. */
  readonly lookupsOfShard: number;
  readonly ids: BytesByLink;
  readonly outputs: number | null;
  readonly vectors: BytesByLink | null;
  readonly misses: number | null;
}

type Cut = Pick<CutPart, "kind" | "first" | "rows" | "groupSize" | "bytes" | "everyBag" | "cachedRows"> & {
  readonly shardingType: string;
  readonly devices: readonly number[];
  readonly shapes: readonly ShardShape[];
};

/** A part of which TorchRec's shards have these shapes: blocks of columns outside, blocks of rows inside. */
export function cutPart({ shardingType, devices, shapes, ...part }: Cut): CutPart {
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
  { exchange, groupSize, blocks, shards, bytes }: CutPart,
  { devices, perHost }: { readonly devices: number; readonly perHost: number },
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
function amongAll(bytes: number, devices: number, perHost: number): BytesByLink {
  return {
    own: bytes / devices,
    inside: (bytes / devices) * (perHost - 1),
    between: (bytes / devices) * (devices - perHost),
  };
}
