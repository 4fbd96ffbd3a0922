import type { SizeWindow } from "../../../../program/grouping/grouping.js";
import type { GroupList } from "../../../../proof/kernel/grouping/column-pool.js";
import type { ShouldStop } from "../../../../search/work.js";
import type { DescentProblem } from "../../methods/descent/limits.js";
import type { Group } from "../clusters.js";
import type { SearchPrices } from "../dual-values.js";
import { ListColumns } from "./list-columns.js";
import { priceOnList } from "./list-prices.js";

/** Groups that the fractional partition uses so much are taken together. */
const WHOLE = 0.99;

export interface ListDiveOptions {
  readonly window: SizeWindow;
  readonly start: SearchPrices;
  readonly groups: readonly Group[];
  /** A partition is of use only below this. */
  readonly cutoff: number;
  readonly shouldStop: ShouldStop;
}

/**
 * Builds a partition out of listed groups: takes the group that the fractional partition uses most, solves the program over
 * the groups that share no item with it, and so on. `null` where that comes to nothing below the cutoff.
 */
export function diveInList(
  numbers: DescentProblem,
  list: GroupList,
  { window, start, groups: known, cutoff, shouldStop }: ListDiveOptions,
): readonly (readonly number[])[] | null {
  let left = list;
  let [prices, groups] = [start, known];
  const taken = new Map<string, Group["items"]>();
  for (;;) {
    const priced = priceOnList(numbers, new ListColumns(numbers, left), {
      ...{ window, start: prices, groups, cutoff, shouldStop },
    });
    if (!priced.isSolved || priced.bound >= cutoff) return null;
    const before = taken.size;
    for (const { group, times } of priced.usage) {
      if (taken.size > before && times < WHOLE) break;
      taken.set(group.items.join(), group.items);
    }
    if (taken.size === before || priced.usage.every(({ times }) => times > WHOLE)) {
      return priced.usage.map(({ group }) => group.items);
    }
    const home = homesOf(numbers.items, [...taken.values()]);
    left = beside(left, home);
    groups = priced.groups.filter(({ items }) => isBeside(items, 0, items.length, home));
    prices = priced.best;
  }
}

/** By item: the number of the group taken that has it, −1 where none does. */
function homesOf(items: number, taken: readonly Group["items"][]): Int32Array {
  const home = new Int32Array(items).fill(-1);
  taken.forEach((group, g) => {
    for (const item of group) home[item] = g;
  });
  return home;
}

/** The groups taken, and those that share no item with them. */
function beside(list: GroupList, home: Int32Array): GroupList {
  return list
    .map(({ size, items }) => {
      const kept: number[] = [];
      for (let from = 0; from < items.length; from += size) {
        if (!isBeside(items, from, from + size, home)) continue;
        for (let at = from; at < from + size; at++) kept.push(items[at] as number);
      }
      return { size, items: Uint16Array.from(kept) };
    })
    .filter(({ items }) => items.length > 0);
}

/** Whether all items of a group have one home, or none; homes of other groups than those taken are not met. */
function isBeside(items: ArrayLike<number>, from: number, to: number, home: Int32Array): boolean {
  const first = home[items[from] as number];
  for (let at = from + 1; at < to; at++) if (home[items[at] as number] !== first) return false;
  return true;
}
