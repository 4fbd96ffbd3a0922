import { expect, test } from "vitest";
import {
  closedBy,
  openNodes,
  type TreeNode,
} from "../../../../../../src/problems/table-placement/solve/base-tree/tree-node.js";

/** A leaf, or a node split at limit 10, its half to look at first given first. */
function tree(name: string, halves?: readonly [TreeNode, TreeNode], isLowFirst = true): TreeNode & { name: string } {
  const [first, second] = halves ?? [];
  const split = {
    ...{ step: { propagate: {} }, isLowFirst },
    ...(isLowFirst ? { low: first, high: second } : { low: second, high: first }),
  };
  return {
    ...{ name, node: {}, before: [], narrowings: [], after: [], closing: null },
    ...{ split: halves === undefined ? null : split, openAt: halves === undefined ? Number.POSITIVE_INFINITY : 10 },
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

test("at the limit of its splits a tree is gone on with where it was left, deepest first", () => {
  const { root } = path(5);
  expect(namesOf(openNodes(root, 10))).toEqual(["leaf 5", "leaf 4", "leaf 3", "leaf 2", "leaf 1"]);
});

test("at a lower limit nodes that are split are looked at again, where half of what was open is left", () => {
  const { root, nodes } = path(16);
  expect(namesOf(openNodes(root, 9)).at(-1)).toBe("node of 8");
  expect(openNodes(root, 9)).toHaveLength(9);
  // Open as well: the next one is that with half of it; those with fewer than three are not worth it.
  const node8 = nodes[7] as TreeNode;
  node8.openAt = 9;
  expect(namesOf(openNodes(node8, 9)).at(-1)).toBe("node of 4");
  (nodes[3] as TreeNode).openAt = 9;
  expect(namesOf(openNodes(root, 9)).at(-1)).toBe("leaf 1");
  expect(openNodes(root, 9)).toHaveLength(16);
});

test("a node that is closed closes what is below it, at its limit and lower ones", () => {
  const { root, nodes } = path(16);
  (nodes[7] as TreeNode).closing = closedBy(9, []);
  // Of the eight leaves that are left half are below one node.
  const left = ["leaf 16", "leaf 15", "leaf 14", "leaf 13", "node of 12"];
  expect(namesOf(openNodes(root, 9))).toEqual(left);
  expect(namesOf(openNodes(root, 8))).toEqual(left);
  expect(openNodes(root, 10)).toHaveLength(16);
});
