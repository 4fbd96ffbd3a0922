import type { SizeWindow } from "../../../program/grouping/grouping.js";

/** Two items. */
export type ItemPair = readonly [number, number];

/** A part of a grouping's numberings: sizes within one window, pairs of items in one group, pairs in different groups. */
export interface GroupingNode {
  readonly window: SizeWindow;
  readonly together: readonly ItemPair[];
  readonly apart: readonly ItemPair[];
}

/** Items that must be together, as one; and which of these cannot be in one group. */
export interface Units {
  /** A division of the items: rising in each unit, units in the order of their first items. */
  readonly members: readonly (readonly number[])[];
  /** 1 at `u · units + v` where units u and v are apart. */
  readonly apart: Uint8Array;
  /** Items that must be together are also to be apart: the node is empty. */
  readonly contradictory: boolean;
}

/** The units of a node with `items` items. */
export function unitsOf(items: number, { together, apart }: GroupingNode): Units {
  const home = Int32Array.from({ length: items }, (_, item) => item);
  const rootOf = (item: number): number => {
    let root = item;
    while (home[root] !== root) root = home[root] as number;
    return root;
  };
  for (const [i, j] of together) {
    const [a, b] = [rootOf(i), rootOf(j)];
    home[Math.max(a, b)] = Math.min(a, b);
  }
  const unitOf = new Int32Array(items);
  const members: number[][] = [];
  for (let item = 0; item < items; item++) {
    const root = rootOf(item);
    // A root is the first item of its unit.
    if (root === item) unitOf[item] = members.push([]) - 1;
    else unitOf[item] = unitOf[root] as number;
    (members[unitOf[item] as number] as number[]).push(item);
  }
  const conflicts = new Uint8Array(members.length ** 2);
  let contradictory = false;
  for (const [i, j] of apart) {
    const [u, v] = [unitOf[i] as number, unitOf[j] as number];
    if (u === v) contradictory = true;
    conflicts[u * members.length + v] = 1;
    conflicts[v * members.length + u] = 1;
  }
  return { members, apart: conflicts, contradictory };
}
