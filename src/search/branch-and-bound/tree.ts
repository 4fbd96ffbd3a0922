import { firstFrom } from "../../exact/first-from.js";
import { Rational } from "../../exact/rational.js";
import type { Step } from "../../proof/certificate.js";
import type { Multipliers } from "../../proof/kernel/bound.js";
import type { Box } from "../../proof/kernel/view.js";
import type { SearchSpace } from "./space.js";

/** New bounds of one column of the view. */
export interface Change {
  readonly column: number;
  readonly lower: Rational | null;
  readonly upper: Rational | null;
}

/** A relaxation's optimum that is branched on: the program's column, its value there, and the objective, where that is to be told. */
export interface Branched {
  readonly column: number;
  readonly value: number;
  readonly objective: number | undefined;
}

/** The half of a column that a child is, how far it is from its parent's optimum, and that one's objective. */
export interface Half {
  /** Among the program's columns. */
  readonly column: number;
  readonly half: "below" | "above";
  readonly distance: number;
  readonly objective: number;
}

/** A node of a branch-and-bound tree: what it changes in its parent's box, and how it was dealt with. */
export interface Node {
  readonly parent: Node | null;
  readonly depth: number;
  /** Order of creation: breaks ties, so that runs repeat. */
  readonly serial: number;
  readonly change: Change | null;
  /** Until its relaxation is solved, where its parent's optimum is known. */
  half: Half | null;
  /** Set once fixing has reduced the space: changes further down are changes of this one's box. */
  space: SearchSpace | null;
  /** What is proved of the node so far, by `multipliers`; `null` when nothing is. */
  bound: Rational | null;
  multipliers: Multipliers;
  /** Steps of the certificate that act on this node, before its children's. */
  readonly steps: Step[];
  children: readonly [Node, Node] | null;
  /** Children below which something is still open. */
  openChildren: number;
  /** Left the queue already. */
  taken: boolean;
  closed: boolean;
}

export function rootNode(space: SearchSpace | null, steps: readonly Step[] = []): Node {
  return {
    parent: null,
    depth: 0,
    serial: 0,
    change: null,
    half: null,
    space,
    bound: null,
    multipliers: new Map(),
    steps: [...steps],
    children: null,
    openChildren: 0,
    taken: false,
    closed: false,
  };
}

/** Splits a node at column ≤ at and column ≥ at + 1, whose serials follow; the half that is nearer to the optimum comes first. */
export function splitNode(
  parent: Node,
  serial: number,
  { lower, upper }: Box,
  { column, at, from }: { readonly column: number; readonly at: bigint; readonly from: Branched | null },
): readonly [first: Node, second: Node] {
  const value = Rational.of(at);
  const fraction = from === null ? 0 : from.value - Math.floor(from.value);
  const halfOf = (half: Half["half"], distance: number): Half | null =>
    from?.objective === undefined ? null : { column: from.column, half, distance, objective: from.objective };
  const below = { column, lower: lower[column] ?? null, upper: value };
  const above = { column, lower: value.add(Rational.one), upper: upper[column] ?? null };
  const children: readonly [Node, Node] = [
    childNode(parent, serial, below, halfOf("below", fraction)),
    childNode(parent, serial + 1, above, halfOf("above", 1 - fraction)),
  ];
  parent.children = children;
  parent.openChildren = 2;
  return fraction > 0.5 ? [children[1], children[0]] : children;
}

function childNode(parent: Node, serial: number, change: Change, half: Half | null): Node {
  return {
    ...rootNode(null),
    parent,
    depth: parent.depth + 1,
    serial,
    change,
    half,
    bound: parent.bound,
    multipliers: parent.multipliers,
  };
}

/** Marks a leaf as dealt with, and lets go of the spaces that no open node needs any more. */
export function closeNode(leaf: Node): void {
  leaf.closed = true;
  leaf.space = null;
  for (let node = leaf.parent; node !== null; node = node.parent) {
    node.openChildren--;
    if (node.openChildren > 0) return;
    node.space = null;
  }
}

/** The space of a node, with its box: that of the nearest reduced ancestor with all changes on the way down. */
export function spaceOf(node: Node): SearchSpace {
  const path: Node[] = [];
  let at = node;
  while (at.space === null) {
    path.push(at);
    at = at.parent as Node;
  }
  const { lower, upper } = at.space.box;
  const box: Box = { lower: lower.slice(), upper: upper.slice() };
  for (const { change } of path.reverse()) {
    const { column, lower, upper } = change as Change;
    box.lower[column] = lower;
    box.upper[column] = upper;
  }
  return at.space.within(box);
}

/** The steps of a tree in pre-order; `closeOpen` gives the step for a leaf that was not closed. */
export function stepsOf(root: Node, closeOpen: (leaf: Node) => Step): Step[] {
  const steps: Step[] = [];
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const step of node.steps) steps.push(step);
    if (node.children !== null) stack.push(node.children[1], node.children[0]);
    else if (!node.closed) steps.push(closeOpen(node));
  }
  return steps;
}

/** Open columns that all open nodes together may hold before the search turns depth-first: some 200 MB. */
const MAX_OPEN_COLUMNS = 200_000;

/**
 * The open nodes by proved bound (none first), then by age. While more than `mostOpen` are open, the newest comes first
 * instead: each holds a part of the program, and going down closes them.
 */
export class NodeQueue {
  readonly #mostOpen: number;
  /** The last one comes first. */
  readonly #nodes: Node[] = [];
  readonly #newest: Node[] = [];

  /** `columns`: of a node's box. */
  constructor(columns: number) {
    this.#mostOpen = Math.max(32, Math.floor(MAX_OPEN_COLUMNS / (1 + columns)));
  }

  get size(): number {
    return this.#nodes.length;
  }

  /** The nodes still in the queue, in no order. */
  get nodes(): readonly Node[] {
    return this.#nodes;
  }

  push(node: Node): void {
    node.taken = false;
    this.#newest.push(node);
    this.#nodes.splice(this.#placeOf(node), 0, node);
  }

  pop(): Node | undefined {
    let node = this.#nodes.at(-1);
    if (this.size > this.#mostOpen) {
      do node = this.#newest.pop();
      while (node?.taken === true);
    }
    if (node === undefined) return undefined;
    node.taken = true;
    this.#nodes.splice(this.#placeOf(node), 1);
    if (this.size === 0) this.#newest.length = 0;
    return node;
  }

  /** How many come after a node. */
  #placeOf(node: Node): number {
    return firstFrom(this.#nodes.length, (at) => !before(node, this.#nodes[at] as Node));
  }
}

function before(a: Node, b: Node): boolean {
  if (a.bound === null || b.bound === null) return a.bound === b.bound ? a.serial < b.serial : a.bound === null;
  const order = a.bound.compare(b.bound);
  return order !== 0 ? order < 0 : a.serial < b.serial;
}

/** The least of a bound and of what is proved of nodes; `null` where nothing is. */
export function leastBound(nodes: readonly Node[], bound: Rational | null): Rational | null {
  let least = bound;
  for (const node of nodes)
    if (node.bound !== null && (least === null || node.bound.compare(least) < 0)) least = node.bound;
  return least;
}
