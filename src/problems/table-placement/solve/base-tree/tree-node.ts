import type { Step } from "../../../../proof/certificate.js";
import type { Room } from "../core/pattern-lp.js";
import type { BaseBound } from "./base-bound.js";
import type { BaseModel } from "./base-model.js";
import type { BaseBoundCapacity, BaseProof } from "./base-proof.js";
import type { BaseNode } from "./node.js";

/** A node of the tree. What closes it and how it is split are kept side by side: one may serve some limits, one others. */
export interface TreeNode {
  node: BaseNode;
  /** Steps that decide what follows from the split above. */
  readonly before: readonly Step[];
  /** What bounds of the node left out of it. */
  narrowings: readonly Shown[];
  /** Steps that close the other halves of such decisions, when all of the node is closed. */
  readonly after: readonly Step[];
  closing: Shown | null;
  split: Halves | null;
}

export interface Halves {
  readonly step: Step;
  readonly low: TreeNode;
  readonly high: TreeNode;
  /** The half that is looked at first: that of the greater bound, which refutes soonest. */
  readonly isLowFirst: boolean;
}

/** Shows what has nothing below a limit, and so below every lower one: all of a node, or what it is narrowed by. */
export interface Shown {
  readonly limit: number;
  /** Its steps in a proof of a limit that is no higher. */
  steps(proof: BaseProof, limit: number): readonly Step[];
}

export function closedBy(limit: number, steps: readonly Step[]): Shown {
  return { limit, steps: () => steps };
}

/** The part of the margin above a limit that proofs of devices get. */
const SLACK_SHARE = 0.9;
const MAX_SLACK = 0.02;

/**
 * Closed by a bound that is above the limit and a part of it, or narrowed by one and reduced costs that come to that much, with the
 * capacities that it was found with; written when it is known which limit is proved.
 */
export function shownByBound(
  how: "close" | "narrow",
  model: BaseModel,
  limit: number,
  node: BaseNode,
  { value, duals, fillings }: BaseBound,
  capacityOf: BaseBoundCapacity,
  part: number,
): Shown {
  const capacities = model.groups.map((_, g) => capacityOf(g));
  const bound = { value, duals, fillings: fillings.map(({ most }) => ({ most, parts: [] })) };
  const above = (proved: number) => (how === "close" ? value - proved * (1 + part) : limit * (1 + part) - proved);
  return {
    limit,
    steps: (proof, proved) =>
      proof[how](node, bound, (g) => capacities[g] as Room, slackOf(model, above(proved), proved)),
  };
}

/** What a device's proof may leave of what a bound is above a limit. */
function slackOf({ groups }: BaseModel, above: number, limit: number): number {
  const devices = groups.reduce((sum, group) => sum + group.devices.length, 0);
  return Math.min(MAX_SLACK * limit, (SLACK_SHARE * above) / devices);
}

/** Nodes that nothing closes at a limit and that are not split yet; the last one is the first to look at, as when they were split. */
export function openLeaves(root: TreeNode, limit: number): TreeNode[] {
  const { split } = root;
  if (isClosed(root, limit)) return [];
  if (split === null) return [root];
  const halves = split.isLowFirst ? [split.high, split.low] : [split.low, split.high];
  return halves.flatMap((half) => openLeaves(half, limit));
}

/** The same tree, to be gone on with on its own. */
export function copyOf({ split, ...node }: TreeNode): TreeNode {
  return { ...node, split: split === null ? null : { ...split, low: copyOf(split.low), high: copyOf(split.high) } };
}

/** How many bounds a proof of a limit has so far. */
export function boundCount({ split, ...root }: TreeNode, limit: number): number {
  const own = root.narrowings.length;
  if (isClosed(root, limit)) return own + 1;
  return split === null ? own : own + boundCount(split.low, limit) + boundCount(split.high, limit);
}

/**
 * The steps of a tree that is closed at a limit. Pre-order: a node's own steps, the half below, the half above; then
 * what closes the decisions before it.
 */
export function stepsOf(root: TreeNode, proof: BaseProof, limit: number): Step[] {
  const { before, after, narrowings, closing, split } = root;
  const narrowed = narrowings.flatMap((narrowing) => narrowing.steps(proof, limit));
  const closed = isClosed(root, limit) ? (closing as Shown).steps(proof, limit) : [];
  const isSplit = split !== null && !isClosed(root, limit);
  const halves = isSplit ? [split.step, ...stepsOf(split.low, proof, limit), ...stepsOf(split.high, proof, limit)] : [];
  return [...before, ...narrowed, ...closed, ...halves, ...after];
}

function isClosed({ closing }: Pick<TreeNode, "closing">, limit: number): boolean {
  return closing !== null && closing.limit >= limit;
}
