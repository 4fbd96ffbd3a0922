import { expect, test } from "vitest";
import { towerGrouping } from "../../models/tower-partition/build.js";
import { type Random, seededRandom } from "../../src/exact/random.js";
import { Rational } from "../../src/exact/rational.js";
import { semidefiniteProof } from "../../src/problems/tower-partition/solve/semidefinite/semidefinite-proof.js";
import { type Grouping, pairIndex } from "../../src/program/grouping/grouping.js";
import type { ElementPair, GroupingNode } from "../../src/proof/kernel/grouping/node.js";
import {
  leftBySemidefinite,
  type SemidefiniteStep,
  semidefiniteBound,
} from "../../src/proof/kernel/grouping/semidefinite.js";
import { readStep } from "../../src/proof/rules/registry.js";
import { Work } from "../../src/search/work.js";
import { isAllowed, partitions, partitionValue } from "../support/brute-force-towers.js";
import { drawsOf } from "../support/draws.js";
import { type RandomTowers, randomTowers } from "../support/random-towers.js";

const TRIFLE = Rational.of(1n, 1n << 70n);

interface Judged {
  readonly labels: readonly number[];
  readonly value: Rational;
  readonly isAllowed: boolean;
}

/** The partitions of a node with their values, those beyond the load among them. */
function partitionsOf({ parts, interaction }: RandomTowers, { window, together, apart }: GroupingNode): Judged[] {
  return partitions(parts.features.length, parts.towers)
    .filter((labels) => {
      const sizes = Array.from({ length: parts.towers }, (_, t) => labels.filter((tower) => tower === t).length);
      return (
        sizes.every((size) => size >= window.least && size <= window.most) &&
        together.every(([i, j]) => labels[i] === labels[j]) &&
        apart.every(([i, j]) => labels[i] !== labels[j])
      );
    })
    .map((labels) => ({
      labels,
      value: partitionValue(parts, interaction, labels),
      isAllowed: isAllowed(parts, labels),
    }));
}

/**
 * No partition of the node is below what a step says of it; and what the step leaves below a claim holds all better
 * ones.
 */
function expectSound(grouping: Grouping, node: GroupingNode, step: SemidefiniteStep, all: readonly Judged[]): void {
  const proved = semidefiniteBound(grouping, node, step);
  if (proved.bound === null) {
    expect(all).toEqual([]);
    return;
  }
  for (const { labels, value } of all) {
    expect(value.compare(proved.bound)).toBeGreaterThanOrEqual(0);
    for (let j = 0; j < labels.length; j++) {
      for (let i = 0; i < j; i++) {
        if (labels[i] !== labels[j]) continue;
        const least = proved.bound.add(proved.reduced[pairIndex(i, j)] as Rational);
        expect(value.compare(least)).toBeGreaterThanOrEqual(0);
      }
    }
  }
  const values = all.map(({ value }) => value).sort((a, b) => a.compare(b));
  for (const value of [values[0], values[1], values[values.length >> 1]]) {
    if (value === undefined) continue;
    const claim = value.add(TRIFLE);
    const left = leftBySemidefinite(grouping, node, proved, claim);
    for (const { labels, isAllowed } of all.filter((one) => one.isAllowed && one.value.compare(claim) < 0)) {
      expect(isAllowed && left !== null).toBe(true);
      expect(left?.apart.every(([i, j]) => labels[i] !== labels[j])).toBe(true);
    }
  }
}

/** A part of the window's partitions: some pairs together, some apart. */
function randomNode(random: Random, grouping: Grouping): GroupingNode {
  const elements = grouping.elements.length;
  const pairs = (count: number): ElementPair[] =>
    Array.from({ length: elements < 2 ? 0 : count }, () => {
      const i = random.integer(elements);
      return [i, (i + 1 + random.integer(elements - 1)) % elements] as const;
    });
  const window = grouping.windows[random.integer(grouping.windows.length)] ?? { least: 1, most: elements };
  return { window, together: pairs(random.integer(3)), apart: pairs(random.integer(3)) };
}

/**
 * Numbers of about the size of costs in [0, 1], most of the factor's near a multiple of the unit matrix, or not at all.
 */
function randomStep(random: Random, elements: number): SemidefiniteStep {
  const bits = 1 + random.integer(24);
  const around = (reach: number) => Math.round((2 * random.next() - 1) * reach * 2 ** bits);
  const spread = random.next() ** 2;
  return {
    semidefinite: {
      bits,
      rows: Array.from({ length: elements }, () => around(0.5)),
      cuts: Array.from({ length: random.integer(6) }, () => {
        const signs = Array.from({ length: elements }, () => random.integer(3) - 1);
        const withSign = (sign: number) => [...signs.keys()].filter((element) => signs[element] === sign);
        return {
          price: Math.abs(around(random.next() ** 2)),
          floor: random.integer(5) - 2,
          plus: withSign(1),
          minus: withSign(-1),
        };
      }),
      factor: Array.from({ length: elements }, (_, i) =>
        Array.from({ length: i + 1 }, (_, k) => (i === k ? Math.abs(around(1)) : around(spread))),
      ),
    },
  };
}

/** One number of the step changed. */
function mutated(random: Random, { semidefinite }: SemidefiniteStep): SemidefiniteStep {
  const copy: { -readonly [Key in keyof typeof semidefinite]: (typeof semidefinite)[Key] } = { ...semidefinite };
  const change = (value: number) => (random.integer(2) === 0 ? -value : value + 2 ** random.integer(40));
  const changeOne = (list: readonly number[]) => {
    const at = random.integer(Math.max(1, list.length));
    return list.map((value, k) => (k === at ? change(value) : value));
  };
  const kind = random.integer(4);
  if (kind === 0) copy.bits = 1 + random.integer(40);
  else if (kind === 1) copy.rows = changeOne(semidefinite.rows);
  else if (kind === 2) {
    const at = random.integer(semidefinite.factor.length);
    copy.factor = semidefinite.factor.map((row, i) => (i === at ? changeOne(row) : row));
  } else {
    copy.cuts = semidefinite.cuts.map((cut) => {
      const [a, b] = [random.integer(3), random.integer(3) - 1];
      return { ...cut, dual: cut.price * (1 + a), floor: cut.floor + b, plus: cut.minus, minus: cut.plus };
    });
  }
  return { semidefinite: copy };
}

test("no numbers at all prove more than is true", () => {
  const random = seededRandom(7301);
  let useful = 0;
  for (let round = 0; round < 400; round++) {
    const towers = randomTowers(random, { features: 7 });
    const grouping = towerGrouping(towers.parts, towers.interaction);
    const node = randomNode(random, grouping);
    const all = partitionsOf(towers, node);
    const step = randomStep(random, grouping.elements.length);
    expectSound(grouping, node, step, all);
    if ((semidefiniteBound(grouping, node, step).bound?.sign() ?? 0) > 0) useful++;
  }
  expect(useful).toBeGreaterThan(5);
});

test("bounds that are searched for are below every partition, close to the best, and sound when mutated", () => {
  const draws = drawsOf(90, 7302, 20);
  const random = seededRandom(draws.seed);
  const seen = { nodes: 0, exact: 0 };
  for (let round = 0; round < draws.amount; round++) {
    const towers = randomTowers(random, { features: 8 });
    const grouping = towerGrouping(towers.parts, towers.interaction);
    const roots = grouping.windows.map((window) => ({ window, together: [], apart: [] }));
    for (const node of [...roots, ...(roots.length > 0 ? [randomNode(random, grouping)] : [])]) {
      const all = partitionsOf(towers, node);
      if (all.length === 0) continue;
      const best = all.map(({ value }) => value).reduce((a, b) => (a.compare(b) <= 0 ? a : b));
      const proof = semidefiniteProof(grouping, node, {
        ...{ work: new Work(), seed: round, incumbent: () => best },
      });
      if (proof === null) throw new Error("a bound was expected");
      const read = readStep(JSON.parse(JSON.stringify(proof.step)), 0) as SemidefiniteStep;
      expectSound(grouping, node, read, all);
      expect(proof.bound.compare(best)).toBeLessThanOrEqual(0);
      const proved = semidefiniteBound(grouping, node, proof.step);
      const left = leftBySemidefinite(grouping, node, proved, proof.bound);
      expect(left).toBeNull();
      for (let k = 0; k < 3; k++) expectSound(grouping, node, mutated(random, proof.step), all);
      seen.nodes++;
      if (proof.bound.equals(best)) seen.exact++;
    }
  }
  expect(seen.nodes).toBeGreaterThanOrEqual(draws.atLeast(100));
  expect(seen.nodes - seen.exact).toBeLessThanOrEqual(draws.atMost(10));
});
