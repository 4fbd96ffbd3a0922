import type { SizeWindow } from "../../../program/grouping/grouping.js";

/** Two elements. */
export type ElementPair = readonly [number, number];

/**
 * A part of a grouping's labelings: sizes within one window, pairs of elements in one cluster, pairs in different
 * clusters.
 */
export interface GroupingNode {
  readonly window: SizeWindow;
  readonly together: readonly ElementPair[];
  readonly apart: readonly ElementPair[];
}

/** Elements that must be together, as one; and which of these cannot be in one cluster. */
export interface Units {
  /** A division of the elements: rising in each unit, units in the order of their first elements. */
  readonly members: readonly (readonly number[])[];
  /** 1 at `u · units + v` where units u and v are apart. */
  readonly apart: Uint8Array;
  /** Elements that must be together are also to be apart: the node is empty. */
  readonly contradictory: boolean;
}

/** The units of a node with `elements` elements. */
export function unitsOf(elements: number, { together, apart }: GroupingNode): Units {
  const home = Int32Array.from({ length: elements }, (_, element) => element);
  const rootOf = (element: number): number => {
    let root = element;
    while (home[root] !== root) root = home[root] as number;
    return root;
  };
  for (const [i, j] of together) {
    const [a, b] = [rootOf(i), rootOf(j)];
    home[Math.max(a, b)] = Math.min(a, b);
  }
  const unitOf = new Int32Array(elements);
  const members: number[][] = [];
  for (let element = 0; element < elements; element++) {
    const root = rootOf(element);
    // A root is the first element of its unit.
    if (root === element) unitOf[element] = members.push([]) - 1;
    else unitOf[element] = unitOf[root] as number;
    (members[unitOf[element] as number] as number[]).push(element);
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
