import { expect, test } from "vitest";
import {
  closedBy,
  openLeaves,
  type TreeNode,
} from "../../../../../../src/problems/table-placement/solve/base-tree/tree-node.js";

/** A leaf, or a node that is split, its half to look at first given first. */
function tree(name: string, halves?: readonly [TreeNode, TreeNode], isLowFirst = true): TreeNode & { name: string } {
  const [first, second] = halves ?? [];
  const split = {
    ...{ step: { propagate: {} }, isLowFirst },
    ...(isLowFirst ? { low: first, high: second } : { low: second, high: first }),
  };
  return {
    ...{ name, node: {}, before: [], narrowings: [], after: [], closing: null },
    split: halves === undefined ? null : split,
  } as unknown as TreeNode & { name: string };
}

const namesOf = (nodes: readonly TreeNode[]) => nodes.map((node) => (node as TreeNode & { name: string }).name);

/** One path, as depth first leaves it: at every node the half looked at first is split again, the other one is open. */
function path(leaves: number): { readonly root: TreeNode; readonly nodes: readonly TreeNode[] } {
  let node: TreeNode = tree("leaf 1");
  const nodes = [node];
  for (let open = 2; open <= leaves; open++) {
    node = tree(`node of ${open}`, [node, tree(`leaf ${open}`)], open % 2 === 0);
    nodes.push(node);
  }
  return { root: node, nodes };
}

test("a tree is gone on with where it was left, deepest first", () => {
  const { root } = path(5);
  expect(namesOf(openLeaves(root, 10))).toEqual(["leaf 5", "leaf 4", "leaf 3", "leaf 2", "leaf 1"]);
});

test("a node that is closed closes what is below it, at its limit and lower ones", () => {
  const { root, nodes } = path(6);
  (nodes[3] as TreeNode).closing = closedBy(9, []);
  expect(namesOf(openLeaves(root, 9))).toEqual(["leaf 6", "leaf 5"]);
  expect(namesOf(openLeaves(root, 8))).toEqual(["leaf 6", "leaf 5"]);
  expect(openLeaves(root, 10)).toHaveLength(6);
});
