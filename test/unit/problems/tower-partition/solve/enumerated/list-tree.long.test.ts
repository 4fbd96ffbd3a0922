import { expect, test } from "vitest";
import { towerGrouping } from "../../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { numbersOf } from "../../../../../../src/problems/tower-partition/solve/clusters.js";
import { clustersStep } from "../../../../../../src/problems/tower-partition/solve/clusters-step.js";
import { ListTree } from "../../../../../../src/problems/tower-partition/solve/enumerated/list-tree.js";
import { searchDuals } from "../../../../../../src/problems/tower-partition/solve/exact-pricing.js";
import { GroupingIncumbent } from "../../../../../../src/problems/tower-partition/solve/incumbent.js";
import { solveGrouping } from "../../../../../../src/problems/tower-partition/solve/solve.js";
import type { Grouping, SizeWindow } from "../../../../../../src/program/grouping/grouping.js";
import { CertificateError } from "../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import { clustersBound, clustersLeft } from "../../../../../../src/proof/kernel/grouping/bound.js";
import { TooMany } from "../../../../../../src/proof/kernel/grouping/too-many.js";
import { cutoffOf } from "../../../../../../src/search/exact-incumbent.js";
import { Work } from "../../../../../../src/search/work.js";
import { bruteForceTowers } from "../../../../../support/brute-force-towers.js";
import { groupingCertificate } from "../../../../../support/grouping-proof.js";
import { randomTowers } from "../../../../../support/random-towers.js";

const TRIFLE = Rational.of(1n, 1n << 40n);

/** Runs a tree over all groups of the only window, from the numbering that takes items in turn; asks so often. */
async function treeOf(grouping: Grouping, asked: number) {
  const { windows, elements, clusters } = grouping;
  const window = windows[0] as SizeWindow;
  const incumbent = new GroupingIncumbent(grouping);
  const home = elements.map((_, element) => element % clusters);
  if (!incumbent.offer(home)) throw new Error("items in turn are no partition");
  const duals = { elements: elements.map(() => Rational.zero), sets: [] };
  const bound = clustersBound(grouping, { window, together: [], apart: [] }, duals, "bound");
  const claim = (incumbent.value as Rational).add(TRIFLE);
  let times = 0;
  if (bound instanceof TooMany) throw new Error("that are few groups");
  const left = clustersLeft(grouping, bound, claim);
  if (left instanceof TooMany) throw new Error("that are few groups");
  const { claim: proved, tree } = await new ListTree(grouping, numbersOf(grouping), left, {
    ...{ window, incumbent, claim, clusters: [], start: searchDuals(duals), maxLooks: 0 },
    work: new Work(),
    cutoffOf: (value) => cutoffOf(value, Rational.zero),
    shouldStop: () => ++times > asked,
  }).run();
  return { incumbent, proved, tree, step: clustersStep(grouping, duals, tree) };
}

/** The same of a random grouping, with its optimum. */
async function run(seed: number, asked: number) {
  const random = seededRandom(seed);
  for (;;) {
    const { parts, interaction } = randomTowers(random, { features: 9, towers: 3 });
    const grouping = { ...towerGrouping({ ...parts, load: null }, interaction), load: null };
    const best = bruteForceTowers({ ...parts, load: null }, interaction);
    if (best === null || best.value.sign() === 0 || grouping.windows.length > 1) continue;
    return { grouping, best, ...(await treeOf(grouping, asked)) };
  }
}

test("what prices leave open is split by pairs", async () => {
  let split = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const random = seededRandom(seed);
    const [elements, clusters] = [32, 8];
    const grouping: Grouping = {
      ...{
        name: "uniform",
        elements: Array.from({ length: elements }, (_, i) => `f${i}`),
        clusters,
        share: "whole",
      },
      pairs: Array.from({ length: (elements * (elements - 1)) / 2 }, () => Rational.fromNumber(random.next())),
      ...{ windows: [{ least: 4, most: 4 }], load: null },
    };
    const request = { starts: [], gap: Rational.zero, timeLimitSeconds: 60, seed: 0 };
    const { verdict } = await solveGrouping(grouping, request);
    const { incumbent, proved, tree, step } = await treeOf(grouping, Number.POSITIVE_INFINITY);
    expect(incumbent.value).toEqual(verdict?.value);
    expect(proved).toEqual(verdict?.value);
    expect(checkCertificate(grouping, groupingCertificate(grouping, proved, [step])).bound).toEqual(proved);
    if (tree.split !== undefined) split++;
  }
  expect(split).toBeGreaterThan(0);
});

test("by pairs and prices alone, without going through partitions, the optimum is found and proved", async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const { grouping, best, incumbent, proved, step } = await run(seed, Number.POSITIVE_INFINITY);
    expect(incumbent.value).toEqual(best.value);
    expect(proved).toEqual(best.value);
    expect(checkCertificate(grouping, groupingCertificate(grouping, proved, [step])).bound).toEqual(proved);
    const beyond = groupingCertificate(grouping, best.value.add(TRIFLE), [step]);
    expect(() => checkCertificate(grouping, beyond)).toThrow(CertificateError);
  }
});

test("wherever it is stopped, what is claimed is proved", async () => {
  let partial = 0;
  for (let seed = 100; seed < 160; seed++) {
    const { grouping, best, proved, step } = await run(seed, 1 + (seed % 7) * 3);
    expect(proved.compare(best.value)).toBeLessThanOrEqual(0);
    expect(checkCertificate(grouping, groupingCertificate(grouping, proved, [step])).bound).toEqual(proved);
    if (proved.compare(best.value) < 0) partial++;
  }
  expect(partial).toBeGreaterThan(5);
});
