import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import type { ShardColumn } from "../../../../../models/table-placement/option-site.js";
import type { Rational } from "../../../../exact/rational.js";
import type { Program } from "../../../../program/program.js";
import type { Box } from "../../../../proof/kernel/view.js";
import { SearchSpace } from "../../../../search/branch-and-bound/space.js";

/** How much of a table is on some devices: options that are there as a whole may be exchanged for others that are. */
type Presence = "none" | "part" | "whole";

/**
 * The placements that differ from a point on some devices alone: tables elsewhere keep their shards, tables there as a whole may
 * take any option that is there as a whole, and of others the shards there may change places. Shards that are on every
 * device come and go with their option.
 */
export class Neighbourhood {
  readonly #space: SearchSpace;
  readonly #blocks: DeviceBlocks;
  readonly #isWorthwhile: (shard: ShardColumn) => boolean;
  /** Places where a shard is in any case, if its option is chosen. */
  readonly #isForced: (shard: ShardColumn) => boolean;

  /** `isWorthwhile`: where a shard may be beside where it is. */
  constructor(program: Program, blocks: DeviceBlocks, isWorthwhile: (shard: ShardColumn) => boolean) {
    this.#space = SearchSpace.of(program);
    this.#blocks = blocks;
    this.#isWorthwhile = isWorthwhile;
    const places = new Map<number, number>();
    for (const { placeRow } of blocks.shards) places.set(placeRow, (places.get(placeRow) ?? 0) + 1);
    this.#isForced = ({ placeRow }) => places.get(placeRow) === 1;
  }

  around(point: readonly Rational[], devices: ReadonlySet<number>): SearchSpace {
    const { tables, shards, sides } = this.#blocks;
    const { lower, upper } = { lower: this.#space.box.lower.slice(), upper: this.#space.box.upper.slice() };
    const isThere = (column: number) => point[column]?.sign() !== 0;
    const isFixed = new Set<number>();
    const fix = (column: number) => {
      isFixed.add(column);
      [lower[column], upper[column]] = [point[column] as Rational, point[column] as Rational];
    };
    const presence = this.#presence(isThere, devices);
    const options = new Map(shards.filter(({ column }) => isThere(column)).map(({ table, option }) => [table, option]));
    const stays = (shard: ShardColumn) => {
      if (presence[shard.table] === "none") return true;
      if (presence[shard.table] === "part" && options.get(shard.table) !== shard.option) return true;
      if (this.#isForced(shard)) return presence[shard.table] !== "whole";
      return !devices.has(shard.device) || !(isThere(shard.column) || this.#isWorthwhile(shard));
    };
    for (const [t, { chosen, options: own }] of tables.entries()) {
      if (presence[t] === "whole") continue;
      for (const column of chosen) if (column !== null) fix(column);
      for (const { nodeChoices } of own) for (const column of nodeChoices) fix(column);
    }
    for (const shard of shards) if (stays(shard)) fix(shard.column);
    for (const { column, follows } of sides) if (follows.every((other) => isFixed.has(other))) fix(column);
    return this.#space.within({ lower, upper } as Box).reduced();
  }

  #presence(isThere: (column: number) => boolean, devices: ReadonlySet<number>): readonly Presence[] {
    const inside = this.#blocks.tables.map(() => 0);
    const outside = inside.slice();
    for (const shard of this.#blocks.shards) {
      if (!isThere(shard.column) || this.#isForced(shard)) continue;
      const counted = devices.has(shard.device) ? inside : outside;
      counted[shard.table] = (counted[shard.table] as number) + 1;
    }
    return outside.map((there, t) => (there === 0 ? "whole" : inside[t] === 0 ? "none" : "part"));
  }
}
