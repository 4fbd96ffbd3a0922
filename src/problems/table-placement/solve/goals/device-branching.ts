import type { DeviceBlocks } from "../../../../../models/table-placement/goal-program.js";
import { Rational } from "../../../../exact/rational.js";
import type { SearchSpace } from "../../../../search/branch-and-bound/space.js";
import type { DeviceNode } from "./device-generation.js";
import type { DeviceModel } from "./device-model.js";

/** A column of the program to branch on: at most `at`, or more. */
export interface BranchColumn {
  readonly column: number;
  readonly at: number;
}

/** What is no farther from an integer is one. */
export const WHOLE = 1e-5;

/** How much more options count than places: with an option both its places and those of the others are decided. */
const OPTION = 2;

/** What counts of a place where nothing is received: the part of a device that the shard fills, as a share of the greatest price. */
const UNMOVED = 1e-3;

/** Columns that count several alike shards come last: a half of theirs may say little of where shards are. */
const SEVERAL = 1e-3;

/** The program's columns that say which options tables take and where shards are. */
export class BranchColumns {
  readonly #blocks: DeviceBlocks;
  /** By row that places shards: the column of each device. */
  readonly #places = new Map<number, Map<number, number>>();

  constructor(blocks: DeviceBlocks) {
    this.#blocks = blocks;
    for (const { placeRow, device, column } of blocks.shards) {
      const own = this.#places.get(placeRow) ?? new Map<number, number>();
      own.set(device, column);
      this.#places.set(placeRow, own);
    }
  }

  /** The fractional column on which most hangs; `null` where there is none. */
  choose({ space, model, generated: { usage } }: DeviceNode): BranchColumn | null {
    if (usage === null) return null;
    const local = localOf(space);
    let best: BranchColumn | null = null;
    let most = 0;
    const look = (column: number | null, value: number, weight: number) => {
      const at = Math.floor(value);
      const distance = Math.min(value - at, at + 1 - value);
      const j = column === null ? undefined : local.get(column);
      if (distance <= WHOLE || j === undefined) return;
      const isOne = (space.box.upper[j] as Rational).equals(Rational.one);
      const score = distance * weight * (isOne ? 1 : SEVERAL);
      if (score > most) [best, most] = [{ column: column as number, at }, score];
    };
    const { kinds, tables } = model;
    const dearest = Math.max(1, ...kinds.flatMap(({ prices }) => [...prices.values()]));
    const received = kinds.map(({ prices }, kind) =>
      [...(usage.places[kind] as ReadonlyMap<number, number>)].reduce(
        (sum, [device, count]) => sum + count * (prices.get(device) ?? 0),
        0,
      ),
    );
    tables.forEach((options, t) => {
      const shares = usage.options[t] as readonly number[];
      const weights = options.map((wanted, o) => {
        const share = shares[o] as number;
        return share <= WHOLE ? 0 : wanted.reduce((sum, [kind]) => sum + (received[kind] as number), 0) / share;
      });
      const weight = OPTION * (Math.max(0, ...weights) + UNMOVED * dearest);
      options.forEach((wanted, o) => {
        look(this.#optionColumn(t, wanted, model.kinds), shares[o] as number, weight);
      });
    });
    kinds.forEach(({ row, prices }, kind) => {
      const weight = Math.max(...prices.values()) + UNMOVED * dearest;
      for (const [device, count] of usage.places[kind] as ReadonlyMap<number, number>) {
        look(this.#places.get(row)?.get(device) ?? null, count, weight);
      }
    });
    return best;
  }

  /** By column, what a usage has of it: options that tables take, and shards that devices hold, of which patterns may have too many. */
  *shares({ model: { kinds, tables }, generated: { usage } }: DeviceNode): Generator<readonly [number, number]> {
    if (usage === null) return;
    const wanted = new Float64Array(kinds.length);
    for (const [t, options] of tables.entries()) {
      for (const [o, own] of options.entries()) {
        const share = usage.options[t]?.[o] as number;
        const column = this.#optionColumn(t, own, kinds);
        if (column !== null) yield [column, share];
        for (const [kind, count] of own) wanted[kind] = (wanted[kind] as number) + share * count;
      }
    }
    for (const [kind, { row, prices }] of kinds.entries()) {
      let left = wanted[kind] as number;
      const there = [...(usage.places[kind] as ReadonlyMap<number, number>)];
      there.sort(([a, m], [b, n]) => n - m || (prices.get(a) as number) - (prices.get(b) as number));
      for (const [device, count] of there) {
        const share = Math.min(count, left);
        left -= share;
        const column = this.#places.get(row)?.get(device);
        if (column !== undefined) yield [column, share];
      }
    }
  }

  /** The point of a usage in which everything is whole; `null` where something is not, or has no place. */
  point({ space, model, generated: { usage } }: DeviceNode): readonly Rational[] | null {
    if (usage === null) return null;
    const local = localOf(space);
    const point = new Float64Array(space.view.columns.length);
    const wanted = model.kinds.map(() => 0);
    for (const [t, options] of model.tables.entries()) {
      for (const [o, own] of options.entries()) {
        const share = usage.options[t]?.[o] as number;
        if (Math.abs(share - Math.round(share)) > WHOLE) return null;
        if (Math.round(share) === 0) continue;
        const j = local.get(this.#optionColumn(t, own, model.kinds) ?? -1);
        if (j !== undefined) point[j] = 1;
        for (const [kind, count] of own) wanted[kind] = (wanted[kind] as number) + count;
      }
    }
    for (const [kind, { row }] of model.kinds.entries()) {
      for (const [device, share] of usage.places[kind] as ReadonlyMap<number, number>) {
        if (Math.abs(share - Math.round(share)) > WHOLE) return null;
        // Patterns may hold more than is wanted.
        const count = Math.min(Math.round(share), wanted[kind] as number);
        const j = local.get(this.#places.get(row)?.get(device) ?? -1);
        if (j === undefined) continue;
        point[j] = count;
        wanted[kind] = (wanted[kind] as number) - count;
      }
    }
    if (wanted.some((left) => left > 0)) return null;
    return space.expand(point);
  }

  /** `null` where the option is a table's only one. */
  #optionColumn(t: number, wanted: readonly (readonly [number, number])[], kinds: DeviceModel["kinds"]): number | null {
    const option = kinds[wanted[0]?.[0] ?? -1]?.option;
    const { options, chosen } = this.#blocks.tables[t] as DeviceBlocks["tables"][number];
    return chosen[options.findIndex((own) => own.option === option)] ?? null;
  }
}

/** By column of the program that is left in a space, its place there. */
export function localOf({ view }: SearchSpace): ReadonlyMap<number, number> {
  return new Map(view.columns.map((column, j) => [column, j]));
}
