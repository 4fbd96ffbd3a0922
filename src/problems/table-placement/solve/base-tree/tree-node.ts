import type { Step } from "../../../../proof/certificate.js";
import type { BaseBound } from "./base-bound.js";
import type { BaseModel } from "./base-model.js";
import type { BaseProof } from "./base-proof.js";
import type { BaseNode } from "./node.js";

/** A node of the tree. What closes it and how it is split are kept side by side: one may serve some limits, one others. */
export interface TreeNode {
  readonly node: BaseNode;
  /** Steps that decide what follows from the split above. */
  readonly before: readonly Step[];
  /** Steps that close the other halves of such decisions, when all of the node is closed. */
  readonly after: readonly Step[];
  closing: Closing | null;
  split: Halves | null;
}

export interface Halves {
  readonly step: Step;
  readonly low: TreeNode;
  readonly high: TreeNode;
  /** The half that is looked at first: that of the greater bound, which refutes soonest. */
  readonly isLowFirst: boolean;
}

/** Shows that a node has nothing below a limit, and so below every lower one. */
export interface Closing {
  readonly limit: number;
  /** Its steps in a proof of a limit that is no higher. */
  steps(proof: BaseProof, limit: number): readonly Step[];
}

export function closedBy(limit: number, steps: readonly Step[]): Closing {
  return { limit, steps: () => steps };
}

/** The part of the margin above a limit that proofs of devices get. */
const SLACK_SHARE = 0.9;
const MAX_SLACK = 0.02;

/** Closed by a bound above the limit; it is written when it is known which limit is proved. */
export function closedByBound(
  model: BaseModel,
  limit: number,
  node: BaseNode,
  { value, duals, fillings }: BaseBound,
  capacityOf: (group: number) => { readonly cost: number; readonly hbm: number },
  margin: number,
): Closing {
  const capacities = model.groups.map((_, g) => capacityOf(g));
  const bound = { value, duals, fillings: fillings.map(({ most }) => ({ most, parts: [] })) };
  const devices = model.groups.reduce((sum, group) => sum + group.devices.length, 0);
  return {
    limit,
    steps: (proof, proved) => {
      const slack = Math.min(MAX_SLACK * proved, (SLACK_SHARE * (value - proved * (1 + margin))) / devices);
      return proof.close(node, bound, (g) => capacities[g] as (typeof capacities)[number], slack);
    },
  };
}

/** Nodes that nothing closes at a limit and that are not split yet; the last one is the first to look at. */
export function openLeaves(root: TreeNode, limit: number): TreeNode[] {
  const open: TreeNode[] = [];
  const stack = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isClosed(next, limit)) continue;
    if (next.split === null) open.push(next);
    else {
      const { low, high, isLowFirst } = next.split;
      stack.push(...(isLowFirst ? [low, high] : [high, low]));
    }
  }
  return open.reverse();
}

/** The same tree, to be gone on with on its own. */
export function copyOf({ split, ...node }: TreeNode): TreeNode {
  return { ...node, split: split === null ? null : { ...split, low: copyOf(split.low), high: copyOf(split.high) } };
}

/** How many nodes' closings a proof of a limit has so far. */
export function closedCount(root: TreeNode, limit: number): number {
  let count = 0;
  const stack = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (isClosed(next, limit)) count++;
    else if (next.split !== null) stack.push(next.split.low, next.split.high);
  }
  return count;
}

/**
 * The steps of a tree that is closed at a limit. Pre-order: a node's own steps, the half below, the half above; then
 * what closes the decisions before it.
 */
export function stepsOf(root: TreeNode, proof: BaseProof, limit: number): Step[] {
  const steps: Step[] = [];
  const stack: (TreeNode | readonly Step[])[] = [root];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!("node" in next)) {
      steps.push(...next);
      continue;
    }
    const { before, after, closing, split } = next;
    steps.push(...before);
    stack.push(after);
    if (isClosed(next, limit)) steps.push(...(closing as Closing).steps(proof, limit));
    else if (split !== null) {
      steps.push(split.step);
      stack.push(split.high, split.low);
    }
  }
  return steps;
}

function isClosed({ closing }: TreeNode, limit: number): boolean {
  return closing !== null && closing.limit >= limit;
}
