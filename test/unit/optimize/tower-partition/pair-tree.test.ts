import { expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { GroupingIncumbent } from "../../../../src/optimize/tower-partition/incumbent.js";
import { groupsOf, numbersOf } from "../../../../src/optimize/tower-partition/numbers.js";
import { PairTree, type TreeNode } from "../../../../src/optimize/tower-partition/pair-tree.js";
import { solveNode } from "../../../../src/optimize/tower-partition/solve-node.js";
import { hashOf } from "../../../../src/proof/check.js";
import { Verdict } from "../../../../src/proof/verdict.js";
import { seededGrouping } from "../../../support/tower-matrices.js";

const step = { halves: {} };
const proved = (claim: Rational | null) => ({ claim, step, checking: 1 });
const number = (value: number) => Rational.of(BigInt(value));

test("the least leaf is found, and the claim is the best of what nodes and their children prove", () => {
  const tree = new PairTree(seededGrouping("uniform", { features: 8, towers: 2 }, "pairwise", 1));
  const root = tree.roots[0] as TreeNode;
  expect(tree.claim).toBeUndefined();
  expect(tree.leastLeaf(number(10))).toBe(root);
  root.proof = proved(number(5));
  expect(tree.claim?.toNumber()).toBe(5);
  tree.split(root, [0, 1]);
  const [together, apart] = root.children as readonly [TreeNode, TreeNode];
  expect(tree.claim?.toNumber()).toBe(5);
  expect(tree.stepsFor(number(5))).toEqual([step]);
  apart.proof = proved(number(7));
  expect(tree.leastLeaf(number(10))).toBe(together);
  together.proof = proved(null);
  expect(tree.leastLeaf(number(10))).toBe(apart);
  expect(tree.leastLeaf(number(7))).toBeNull();
  expect(tree.claim?.toNumber()).toBe(7);
  expect(tree.stepsFor(number(7))).toEqual([{ pair: ["f0", "f1"] }, step, step]);
  apart.proof = proved(null);
  expect(tree.claim).toBeNull();
});

test("a tree that is branched by hand proves the same optimum", () => {
  const grouping = seededGrouping("uniform", { features: 15, towers: 4, sizeRatio: 2 }, "kmeans", 9);
  const incumbent = new GroupingIncumbent(grouping);
  incumbent.offer(Array.from({ length: 15 }, (_, item) => item % 4));
  const numbers = numbersOf(grouping);
  const tree = new PairTree(grouping);
  const prove = (leaf: TreeNode) => {
    const { proof, prices, pair } = solveNode(grouping, numbers, leaf.node, {
      ...{ incumbent, pool: [...groupsOf(numbers, incumbent.numbering as readonly number[])], seed: 0 },
      ...{ center: leaf.parent?.prices ?? null, gap: Rational.zero, shouldStop: () => false },
      deadline: performance.now() + 60_000,
    });
    Object.assign(leaf, { proof, prices, pair });
  };
  for (const root of tree.roots) {
    tree.split(root, [0, 1]);
    const [together, apart] = root.children as readonly [TreeNode, TreeNode];
    tree.split(together, [1, 2]);
    tree.split(apart, [0, 2]);
    for (const side of [together, apart]) for (const leaf of side.children as readonly TreeNode[]) prove(leaf);
  }
  const value = incumbent.value as Rational;
  expect(tree.stepsFor(value).length).toBe(7 * grouping.windows.length);
  const certificate = {
    format: "shardproof-certificate 1",
    program: hashOf(grouping),
    claim: { kind: "bound", bound: value.toString() },
    steps: tree.stepsFor(value),
  } as const;
  expect(Verdict.of(grouping, certificate, incumbent.numbering, Rational.zero).status).toBe("proved");
});
