import { expect, test } from "vitest";
import { Rational } from "../../../../../../src/exact/rational.js";
import { numbersOf } from "../../../../../../src/problems/tower-partition/solve/clusters.js";
import { GroupingIncumbent } from "../../../../../../src/problems/tower-partition/solve/incumbent.js";
import { RyanFosterTree } from "../../../../../../src/problems/tower-partition/solve/ryan-foster-tree.js";
import {
  branchingPair,
  type SemidefiniteRequest,
  semidefiniteProof,
} from "../../../../../../src/problems/tower-partition/solve/semidefinite/semidefinite-proof.js";
import { descents } from "../../../../../../src/problems/tower-partition/solve/starts.js";
import type { Grouping, SizeWindow } from "../../../../../../src/program/grouping/grouping.js";
import { CertificateError } from "../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import type { GroupingNode } from "../../../../../../src/proof/kernel/grouping/node.js";
import { Work } from "../../../../../../src/search/work.js";
import { testInTurn } from "../../../../../support/draws.js";
import { groupingCertificate } from "../../../../../support/grouping-proof.js";
import { seededGrouping } from "../../../../../support/tower-matrices.js";

const rootOf = ({ windows }: Grouping): GroupingNode => ({
  ...{ window: windows[0] as SizeWindow, together: [], apart: [] },
});

/** A symmetric matrix from what is below the diagonal, ones on it. */
function matrixOf(rows: readonly (readonly number[])[]): Float64Array {
  const n = rows.length + 1;
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.max(Math.floor(at / n), at % n), Math.min(Math.floor(at / n), at % n)];
    return i === j ? 1 : (rows[i - 1]?.[j] as number);
  });
}

test("the pair is one that the matrix is not sure of, of which the rows differ most, and that the node leaves open", () => {
  const root = { window: { least: 2, most: 2 }, together: [], apart: [] };
  // Rows 0 and 2 differ by 0.6, 0.4 and 0.4, 0.4; rows 1 and 3 by as little as 0.2.
  const matrix = matrixOf([[0.5], [0.4, 0.1], [0.1, 0.4, 0.5]]);
  expect(branchingPair(matrix, 4, root)).toEqual([0, 2]);
  expect(branchingPair(matrix, 4, { ...root, apart: [[0, 2]] })).toEqual([1, 3]);
  // 0 with 2, and 2 with 3, is 0 with 3.
  expect(branchingPair(matrix, 4, { ...root, together: [[0, 2]], apart: [[1, 3]] })).toEqual([0, 1]);
  const sure = matrixOf([[0.9], [0.05, 0.02], [0, 0.01, 1]]);
  expect(branchingPair(sure, 4, root)).toEqual([0, 1]);
  const all = {
    ...root,
    together: [
      [0, 1],
      [2, 3],
    ] as const,
    apart: [[0, 2]] as const,
  };
  expect(branchingPair(matrix, 4, all)).toBeNull();
});

test.each([
  ["pairwise", 1],
  ["kmeans", 1],
  ["kmeans", 1.5],
] as const)(
  "children are bounded higher than their parent, where that has ended: %s, ratio %d",
  (objective, sizeRatio) => {
    const grouping = seededGrouping("uniform", { features: 25, towers: 3, sizeRatio }, objective, 4);
    const root = rootOf(grouping);
    const request: SemidefiniteRequest = { work: new Work(), seed: 1, incumbent: () => null };
    let stop = 0;
    const parent = semidefiniteProof(grouping, root, { ...request, shouldStop: () => ++stop > 600 });
    if (parent === null) throw new Error("a bound was expected");
    const { pair } = parent.continuation;
    if (pair === null) throw new Error("a pair was expected");
    for (const node of [
      { ...root, together: [pair] },
      { ...root, apart: [pair] },
    ]) {
      let asked = 0;
      const child = semidefiniteProof(grouping, node, {
        ...request,
        parent: parent.continuation,
        shouldStop: () => ++asked > 400,
      });
      expect(child?.bound.compare(parent.bound)).toBeGreaterThan(0);
      // It did not take what it began with along.
      expect(child?.continuation.ascent).not.toBe(parent.continuation.ascent);
    }
  },
);

testInTurn("a tree of semidefinite bounds alone proves an optimum, and its certificate says no more", () => {
  const grouping = seededGrouping("uniform", { features: 30, towers: 3 }, "pairwise", 2);
  const incumbent = new GroupingIncumbent(grouping);
  const limits = { restarts: 30, children: 60, seed: 0, shouldStop: () => false };
  for (const { labels } of descents(numbersOf(grouping), rootOf(grouping).window, limits)) incumbent.offer(labels);
  const value = incumbent.value as Rational;
  const tree = new RyanFosterTree(grouping);
  for (let leaf = tree.leastLeaf(value); leaf !== null; leaf = tree.leastLeaf(value)) {
    if (leaf.pair !== null) {
      tree.split(leaf, leaf.pair);
      continue;
    }
    const whole = leaf.node;
    const relaxed = semidefiniteProof(grouping, whole, {
      ...{ work: new Work(), seed: 0, incumbent: () => value },
      ...(leaf.parent?.continuation == null ? {} : { parent: leaf.parent.continuation }),
    });
    if (relaxed === null) throw new Error("a bound was expected");
    tree.tighten(leaf, { ...relaxed, whole, claim: value });
    leaf.pair = relaxed.continuation.pair;
    leaf.continuation = relaxed.continuation;
  }
  const steps = tree.stepsFor(value);
  expect(steps.filter((step) => "pair" in step).length).toBeGreaterThan(0);
  expect(tree.claim).toEqual(value);
  expect(checkCertificate(grouping, groupingCertificate(grouping, value, steps)).bound).toEqual(value);
  const above = groupingCertificate(grouping, value.add(Rational.parse("1/1000000")), steps);
  expect(() => checkCertificate(grouping, above)).toThrow(CertificateError);
  // Of less, nodes need less: the steps are others, and prove it too.
  const less = value.multiply(Rational.parse("999/1000"));
  const fewer = tree.stepsFor(less);
  expect(fewer.length).toBeLessThan(steps.length);
  expect(checkCertificate(grouping, groupingCertificate(grouping, less, fewer)).bound).toEqual(less);
});
