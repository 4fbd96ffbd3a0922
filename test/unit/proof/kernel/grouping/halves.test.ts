import { expect, test } from "vitest";
import { towerGrouping } from "../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { evaluateGrouping } from "../../../../../src/program/grouping/evaluate.js";
import { halvesBelow } from "../../../../../src/proof/kernel/grouping/halves.js";
import type { ElementPair } from "../../../../../src/proof/kernel/grouping/node.js";
import { TooMany } from "../../../../../src/proof/kernel/grouping/too-many.js";
import { partitions } from "../../../../support/brute-force-towers.js";
import { randomTowers } from "../../../../support/random-towers.js";

test("halves: of every node, what is below a claim is found, and nothing else", () => {
  const random = seededRandom(7501);
  const seen = { found: 0, none: 0 };
  for (let round = 0; round < 300; round++) {
    const { parts, interaction } = randomTowers(random, { features: 8, towers: 2 });
    const grouping = towerGrouping(parts, interaction);
    const elements = grouping.elements.length;
    const pairs = (count: number): ElementPair[] =>
      Array.from({ length: count }, () => {
        const i = random.integer(elements);
        return [i, (i + 1 + random.integer(elements - 1)) % elements] as const;
      });
    const window = grouping.windows.at(-1);
    if (window === undefined) continue;
    const node = { window, together: pairs(random.integer(3)), apart: pairs(random.integer(3)) };
    const values = partitions(elements, 2)
      .filter((labels) => {
        const { members, violations } = evaluateGrouping(grouping, labels);
        return (
          violations.length === 0 &&
          members.every(({ length }) => window.least <= length && length <= window.most) &&
          node.together.every(([i, j]) => labels[i] === labels[j]) &&
          node.apart.every(([i, j]) => labels[i] !== labels[j])
        );
      })
      .map((labels) => evaluateGrouping(grouping, labels).objective)
      .sort((a, b) => a.compare(b));
    const [least] = values;
    if (least === undefined) {
      expect(halvesBelow(grouping, node, null)).toBeNull();
      expect(halvesBelow(grouping, node, Rational.fromNumber(1000))).toBeNull();
      seen.none++;
      continue;
    }
    expect(halvesBelow(grouping, node, least)).toBeNull();
    const claim = least.add(Rational.of(1n, 1n << 70n));
    const found = halvesBelow(grouping, node, claim) as readonly number[];
    expect(evaluateGrouping(grouping, found)).toMatchObject({ objective: least, violations: [] });
    expect(halvesBelow(grouping, node, null)).toHaveLength(grouping.elements.length);
    seen.found++;
  }
  expect(seen.found).toBeGreaterThan(100);
  expect(seen.none).toBeGreaterThan(20);
});

test("halves: a load that nothing keeps to ends early", () => {
  const features = Array.from({ length: 30 }, (_, f) => `f${f}`);
  // One feature weighs more than half of all.
  const load = { weights: features.map((_, f) => (f === 29 ? 40 : 1)), ratio: 1.1 };
  const parts = {
    name: "full",
    features,
    towers: 2,
    sizeRatio: 1,
    strategy: "diverse",
    objective: "pairwise",
    load,
  } as const;
  const grouping = towerGrouping(parts, new Float64Array(900).fill(0.5));
  const node = { window: { least: 15, most: 15 }, together: [], apart: [] };
  expect(halvesBelow(grouping, node, null, { maxNodes: 100 })).toBeNull();
  // Without the load one half is chosen feature by feature, the last two at once.
  const free = { ...grouping, load: null };
  expect(halvesBelow(free, node, null, { maxNodes: 14 })).toHaveLength(30);
  expect(halvesBelow(free, node, null, { maxNodes: 13 })).toBeInstanceOf(TooMany);
});
