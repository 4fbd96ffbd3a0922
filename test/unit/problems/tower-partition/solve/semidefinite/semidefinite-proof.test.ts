import { expect, test } from "vitest";
import { towerGrouping } from "../../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { Rational } from "../../../../../../src/exact/rational.js";
import { clustersOf, marginalDuals, numbersOf } from "../../../../../../src/problems/tower-partition/solve/clusters.js";
import { semidefiniteProof } from "../../../../../../src/problems/tower-partition/solve/semidefinite/semidefinite-proof.js";
import { descents } from "../../../../../../src/problems/tower-partition/solve/starts.js";
import { evaluateGrouping } from "../../../../../../src/program/grouping/evaluate.js";
import type { Grouping, SizeWindow } from "../../../../../../src/program/grouping/grouping.js";
import { CertificateError, readCertificate } from "../../../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../../../src/proof/check.js";
import type { GroupingNode } from "../../../../../../src/proof/kernel/grouping/node.js";
import { Work } from "../../../../../../src/search/work.js";
import { groupingCertificate, named } from "../../../../../support/grouping-proof.js";

/** Distances with some noise: nearer to each other in a cluster i mod T, by `near`. */
function clustered(features: number, towers: number, near: number, noise: number, seed: number): Grouping {
  const random = seededRandom(seed);
  const interaction = new Float64Array(features * features).fill(1);
  for (let j = 0; j < features; j++) {
    for (let i = 0; i < j; i++) {
      const alike = 0.5 + (i % towers === j % towers ? near : -near) + noise * (random.next() - 0.5);
      interaction[i * features + j] = alike;
      interaction[j * features + i] = alike;
    }
  }
  return towerGrouping(
    {
      ...{ name: "clustered", features: Array.from({ length: features }, (_, i) => `f${i}`), towers, sizeRatio: 1 },
      ...{ strategy: "coherent", objective: "pairwise", load: null },
    },
    interaction,
  );
}

const rootOf = ({ windows }: Grouping): GroupingNode => ({
  ...{ window: windows[0] as SizeWindow, together: [], apart: [] },
});

/** The best of what descents end in, and its value. */
function bestOf(grouping: Grouping) {
  const limits = { restarts: 30, children: 60, seed: 0, shouldStop: () => false };
  const [end] = descents(numbersOf(grouping), rootOf(grouping).window, limits);
  const labels = end?.labels ?? [];
  return { labels, best: evaluateGrouping(grouping, labels).objective };
}

const planted = (grouping: Grouping) =>
  evaluateGrouping(
    grouping,
    grouping.elements.map((_, i) => i % grouping.clusters),
  ).objective;

test("clusters of 40 features are proved optimal, by a certificate for that value and none above it", () => {
  const grouping = clustered(40, 5, 0.15, 0.6, 1);
  const best = planted(grouping);
  const proof = semidefiniteProof(grouping, rootOf(grouping), {
    work: new Work(),
    seed: 1,
    incumbent: () => best,
  });
  expect(proof?.bound).toEqual(best);
  const steps = proof === null ? [] : [proof.step];
  const certificate = readCertificate(JSON.parse(JSON.stringify(groupingCertificate(grouping, best, steps))));
  expect(checkCertificate(grouping, certificate).bound).toEqual(best);
  const above = groupingCertificate(grouping, best.add(Rational.parse("1/1000000")), steps);
  expect(() => checkCertificate(grouping, above)).toThrow(CertificateError);
  // The step alone is enough for anything below.
  const below = groupingCertificate(grouping, best.multiply(Rational.parse("9/10")), steps);
  expect(checkCertificate(grouping, below).steps).toBe(1);
});

test("a bound within 3 % where nothing is clustered, rising, and the same again", () => {
  const grouping = clustered(26, 4, 0, 1, 3);
  const { best } = bestOf(grouping);
  const run = () => {
    const bounds: number[] = [];
    const proof = semidefiniteProof(grouping, rootOf(grouping), {
      ...{
        work: new Work(),
        seed: 4,
        incumbent: () => best,
        target: best.multiply(Rational.parse("97/100")),
      },
      onProgress: (bound) => bounds.push(bound),
    });
    // What checking takes is measured.
    return { proof: proof && { ...proof, checking: 0 }, bounds };
  };
  const first = run();
  expect(first.proof?.bound.compare(best.multiply(Rational.parse("97/100")))).toBeGreaterThanOrEqual(0);
  expect(first.proof?.bound.compare(best)).toBeLessThan(0);
  expect(first.bounds).toEqual([...first.bounds].sort((a, b) => a - b));
  expect(run()).toEqual(first);
});

test("what is left is closed by prices", () => {
  const grouping = clustered(22, 4, 0, 1, 9);
  const { best, labels } = bestOf(grouping);
  const root = rootOf(grouping);
  const proof = semidefiniteProof(grouping, root, { work: new Work(), seed: 1, incumbent: () => best });
  expect(proof?.bound.compare(best)).toBeLessThan(0);
  expect(proof?.left?.apart.length).toBeGreaterThan(0);
  const numbers = numbersOf(grouping);
  const duals = marginalDuals(numbers, clustersOf(numbers, labels));
  const groups = { prices: named(grouping, Array.from(duals, Rational.fromNumber)) };
  const steps = proof === null ? [] : [proof.step, { groups }];
  expect(checkCertificate(grouping, groupingCertificate(grouping, best, steps)).bound).toEqual(best);
  const above = groupingCertificate(grouping, best.add(Rational.parse("1/1000000")), steps);
  expect(() => checkCertificate(grouping, above)).toThrow(CertificateError);
});

test("an end of work and a wish to stop are kept to", () => {
  const grouping = clustered(60, 6, 0, 1, 5);
  const work = new Work();
  const request = { seed: 1, incumbent: () => null, work };
  const late = semidefiniteProof(grouping, rootOf(grouping), {
    ...request,
    shouldStop: (kept) => work.done + kept > 300,
  });
  expect(work.done).toBeGreaterThan(100);
  expect(work.done).toBeLessThan(600);
  expect(late?.bound.sign()).toBe(1);
  let asked = 0;
  const stopped = semidefiniteProof(grouping, rootOf(grouping), {
    ...request,
    shouldStop: () => ++asked > 30,
  });
  expect(stopped?.bound.compare(planted(grouping))).toBeLessThan(0);
});

test("sizes that do not fit, and pairs that cost nothing or very much", () => {
  const grouping = clustered(6, 2, 0.1, 0.2, 6);
  const request = { work: new Work(), seed: 1, incumbent: () => null };
  expect(semidefiniteProof(grouping, { ...rootOf(grouping), window: { least: 4, most: 6 } }, request)).toBeNull();
  const free = { ...grouping, pairs: grouping.pairs.map(() => Rational.zero) };
  expect(semidefiniteProof(free, rootOf(free), { ...request, incumbent: () => Rational.zero })?.bound.sign()).toBe(0);
  for (const factor of ["1000000000000", "1/1000000000000"]) {
    const scaled = { ...grouping, pairs: grouping.pairs.map((pair) => pair.multiply(Rational.parse(factor))) };
    const best = planted(scaled);
    expect(semidefiniteProof(scaled, rootOf(scaled), { ...request, incumbent: () => best })?.bound).toEqual(best);
  }
});
