import type { ShardColumn } from "../option-site.js";

/** A column that counts shards, with the part that they are. */
export interface PartColumn extends ShardColumn {
  readonly part: number;
}
