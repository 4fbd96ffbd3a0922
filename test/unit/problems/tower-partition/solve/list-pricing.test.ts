import { expect, test } from "vitest";
import { towerGrouping } from "../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { clusterOf, numbersOf } from "../../../../../src/problems/tower-partition/solve/clusters.js";
import { reducedCost } from "../../../../../src/problems/tower-partition/solve/dual-values.js";
import { ExactPricing } from "../../../../../src/problems/tower-partition/solve/exact-pricing.js";
import { ListPricing } from "../../../../../src/problems/tower-partition/solve/list-pricing.js";
import type { SizeWindow } from "../../../../../src/program/grouping/grouping.js";
import type { PricedList } from "../../../../../src/proof/kernel/grouping/column-pool.js";
import { Work } from "../../../../../src/search/work.js";
import { randomTowers } from "../../../../support/random-towers.js";

test("a list prices as the walk does, and finds for each item the group of least reduced cost that improves", () => {
  const random = seededRandom(88);
  let found = 0;
  for (let round = 0; round < 60; round++) {
    const { parts, interaction } = randomTowers(random, { features: 10 });
    const grouping = towerGrouping(parts, interaction);
    if (grouping.windows.length === 0) continue;
    const numbers = numbersOf(grouping);
    const all = numbers.elements;
    const node = { window: grouping.windows[0] as SizeWindow, together: [], apart: [] };
    const work = new Work();
    const walk = new ExactPricing(grouping, numbers, node);
    const free = walk.dual({ elements: new Float64Array(all), sets: [] }, [], { work });
    const most = Rational.fromNumber(1 + numbers.pairs.reduce((sum, pair) => sum + pair, 0));
    const list = free?.left(most, {}) as PricedList;
    const pricing = new ListPricing(grouping, numbers, node, list, work);
    const elements = Float64Array.from({ length: all }, () => random.next());
    const duals = { elements, sets: [] };
    const wanted = walk.dual(duals, [], { work });
    expect(pricing.dual(duals).bound).toEqual(wanted?.bound);

    const cutoff = random.next() - 1;
    const improving = pricing.improving({ ...duals, cutoff, cluster: cutoff, value: 0 });
    const clusters = list.blocks.flatMap(({ size, elements }) =>
      Array.from({ length: elements.length / size }, (_, g) =>
        clusterOf(numbers, elements.subarray(g * size, (g + 1) * size)),
      ),
    );
    const keys = improving.map((cluster) => cluster.elements.join());
    for (const { elements, cost } of improving) {
      expect(cost).toBeCloseTo(clusterOf(numbers, elements).cost, 12);
      expect(reducedCost({ elements, cost }, duals)).toBeLessThan(cutoff);
      found++;
    }
    for (let element = 0; element < all; element++) {
      const having = clusters.filter(
        (one) => one.elements.includes(element) && reducedCost(one, duals) < cutoff - 1e-9,
      );
      if (having.length === 0) continue;
      const [best] = having.sort((a, b) => reducedCost(a, duals) - reducedCost(b, duals));
      expect(keys).toContain(best?.elements.join());
    }
  }
  expect(found).toBeGreaterThan(100);
});
