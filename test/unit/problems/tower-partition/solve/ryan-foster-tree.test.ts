import { expect, test } from "vitest";
import { Rational } from "../../../../../src/exact/rational.js";
import { clustersOf, numbersOf } from "../../../../../src/problems/tower-partition/solve/clusters.js";
import { clustersStep } from "../../../../../src/problems/tower-partition/solve/clusters-step.js";
import { ExactPricing, type PricedNode } from "../../../../../src/problems/tower-partition/solve/exact-pricing.js";
import { GroupingIncumbent } from "../../../../../src/problems/tower-partition/solve/incumbent.js";
import { priceNode } from "../../../../../src/problems/tower-partition/solve/price-node.js";
import { RyanFosterTree, type TreeNode } from "../../../../../src/problems/tower-partition/solve/ryan-foster-tree.js";
import { DualAscent } from "../../../../../src/problems/tower-partition/solve/semidefinite/dual-ascent.js";
import {
  type Relaxation,
  relaxationOf,
} from "../../../../../src/problems/tower-partition/solve/semidefinite/relaxation.js";
import type { Grouping } from "../../../../../src/program/grouping/grouping.js";
import { CertificateError } from "../../../../../src/proof/certificate.js";
import { checkCertificate, hashOf } from "../../../../../src/proof/check.js";
import type { PricedList } from "../../../../../src/proof/kernel/grouping/column-pool.js";
import {
  leftBySemidefinite,
  type SemidefiniteStep,
  semidefiniteBound,
} from "../../../../../src/proof/kernel/grouping/semidefinite.js";
import { Verdict } from "../../../../../src/proof/verdict.js";
import { Work } from "../../../../../src/search/work.js";
import { groupingCertificate } from "../../../../support/grouping-proof.js";
import { seededGrouping } from "../../../../support/tower-matrices.js";

const step = { halves: {} };
const proved = (claim: Rational | null) => ({ claim, step, checking: 1 });
const number = (value: number) => Rational.of(BigInt(value));

test("the least leaf is found, and the claim is the best of what nodes and their children prove", () => {
  const tree = new RyanFosterTree(seededGrouping("uniform", { features: 8, towers: 2 }, "pairwise", 1));
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

test("a tree that is branched by hand proves the same optimum", async () => {
  const grouping = seededGrouping("uniform", { features: 15, towers: 4, sizeRatio: 2 }, "kmeans", 9);
  const incumbent = new GroupingIncumbent(grouping);
  incumbent.offer(Array.from({ length: 15 }, (_, element) => element % 4));
  const numbers = numbersOf(grouping);
  const tree = new RyanFosterTree(grouping);
  const prove = async (leaf: TreeNode) => {
    const pool = [...clustersOf(numbers, incumbent.labels as readonly number[])];
    const { proof, pair } = await priceNode(grouping, numbers, leaf.node, {
      ...{ list: null, incumbent, pool, gap: Rational.zero, shouldStop: () => false },
      ...{ work: new Work(), deadline: 60_000, isTrial: false, without: new Set<string>() },
    });
    Object.assign(leaf, { proof, pair });
  };
  for (const root of tree.roots) {
    tree.split(root, [0, 1]);
    const [together, apart] = root.children as readonly [TreeNode, TreeNode];
    tree.split(together, [1, 2]);
    tree.split(apart, [0, 2]);
    for (const side of [together, apart]) for (const leaf of side.children as readonly TreeNode[]) await prove(leaf);
  }
  const value = incumbent.value as Rational;
  expect(tree.stepsFor(value).length).toBe(7 * grouping.windows.length);
  const certificate = {
    format: "shardproof-certificate 1",
    program: hashOf(grouping),
    claim: { kind: "bound", bound: value.toString() },
    steps: tree.stepsFor(value),
  } as const;
  expect(Verdict.of(grouping, certificate, incumbent.labels, Rational.zero).status).toBe("proved");
});

test("listed clusters are branched in one step, which proves the optimum and every lesser claim, and no more", async () => {
  let split = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const grouping = seededGrouping("uniform", { features: 12, towers: 3 }, "pairwise", seed);
    const incumbent = new GroupingIncumbent(grouping);
    incumbent.offer(Array.from({ length: 12 }, (_, element) => element % 3));
    const numbers = numbersOf(grouping);
    const tree = new RyanFosterTree(grouping);
    const root = tree.roots[0] as TreeNode;
    const work = new Work();
    const zero = { elements: new Float64Array(12), sets: [] };
    const priced = new ExactPricing(grouping, numbers, root.node).dual(zero, [], { work }) as PricedNode;
    const list = priced.left(incumbent.value as Rational, {}) as PricedList;
    const named = clustersStep(grouping, priced.duals);
    Object.assign(root, { list, proof: { claim: priced.bound, step: named, checking: 1 } });
    const prove = async (leaf: TreeNode) => {
      const pool = [...clustersOf(numbers, incumbent.labels as readonly number[])];
      const { proof, list } = await priceNode(grouping, numbers, leaf.node, {
        ...{ list: leaf.list, incumbent, pool, gap: Rational.zero, shouldStop: () => false },
        ...{ work, deadline: 60_000, isTrial: false, without: new Set<string>() },
      });
      Object.assign(leaf, { proof, list });
    };
    tree.split(root, [0, 1]);
    const [together, apart] = root.children as readonly [TreeNode, TreeNode];
    tree.split(apart, [2, 3]);
    for (const leaf of [together, ...(apart.children as readonly TreeNode[])]) await prove(leaf);
    const value = incumbent.value as Rational;
    expect(tree.claim?.compare(value)).toBeGreaterThanOrEqual(0);
    const steps = tree.stepsFor(value);
    expect(steps.length).toBe(1);
    if (JSON.stringify(steps).includes("split")) split++;
    for (const claim of [value, value.multiply(Rational.parse("0.9")), priced.bound as Rational]) {
      expect(checkCertificate(grouping, groupingCertificate(grouping, claim, steps)).bound).toEqual(claim);
    }
    const beyond = groupingCertificate(grouping, value.add(Rational.parse("0.001")), steps);
    expect(() => checkCertificate(grouping, beyond)).toThrow(CertificateError);
  }
  expect(split).toBe(6);
});

test("what a semidefinite bound leaves open is proved after it, unless the claim needs no more than the bound", () => {
  // Items a to d, pairs ab 0, ac 2, bc 3, ad 4, bd 5, cd 6: {ab, cd} is worth 6, the others 7.
  const four: Grouping = {
    ...{ name: "four", elements: ["a", "b", "c", "d"], clusters: 2, share: "whole", load: null },
    ...{ windows: [{ least: 2, most: 2 }], pairs: [0, 2, 3, 4, 5, 6].map(number) },
  };
  const tree = new RyanFosterTree(four);
  const root = tree.roots[0] as TreeNode;
  const whole = root.node;
  const semidefinite: SemidefiniteStep = {
    semidefinite: { bits: 1, rows: [0, 0, 0, 0], cuts: [], factor: [[0], [0, 0], [0, 0, 0], [0, 0, 0, 0]] },
  };
  const bounded = semidefiniteBound(four, whole, semidefinite);
  const left = leftBySemidefinite(four, whole, bounded, number(6));
  expect(left?.apart).toEqual([[2, 3]]);
  const ascent = new DualAscent(relaxationOf(four, whole) as Relaxation);
  tree.tighten(root, {
    ...{ step: semidefinite, proved: bounded, whole, left, bound: number(0), claim: number(6), checking: 3 },
    continuation: { ascent, pair: null },
  });
  expect(tree.claim?.toNumber()).toBe(0);
  expect(tree.leastLeaf(number(6))).toBe(root);
  expect(root.node).toBe(left);
  // With c and d apart nothing is below 7, but that says nothing of what the bound took away.
  root.proof = proved(number(7));
  expect(tree.claim?.toNumber()).toBe(6);
  expect(tree.checking).toBe(4);
  for (const [claim, steps] of [
    [0, [semidefinite]],
    [6, [semidefinite, step]],
  ] as const) {
    expect(tree.stepsFor(number(claim))).toEqual(steps);
    const certificate = groupingCertificate(four, number(claim), tree.stepsFor(number(claim)));
    expect(checkCertificate(four, certificate).bound?.toNumber()).toBe(claim);
  }
});
