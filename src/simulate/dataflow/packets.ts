import { type Block, blockElements } from "./blocks.js";
import type { Run } from "./run.js";
import type { Shard } from "./shards.js";
import type { Packet } from "./wire.js";

/** Vectors on their way. */
export function packetOf({ elementBytes }: Run, block: Block): Packet<Block> {
  return { content: block, bytes: blockElements(block) * elementBytes };
}

/** A shard's array in a block that its owner made, which has one per shard that it holds. */
export function partOf({ byRank }: Run, block: Block, shard: Shard): Float32Array {
  return block[(byRank[shard.owner] as readonly Shard[]).indexOf(shard)] as Float32Array;
}

/** Bytes of the vectors of some blocks. */
export function bytesOf(run: Run, blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + packetOf(run, block).bytes, 0);
}
