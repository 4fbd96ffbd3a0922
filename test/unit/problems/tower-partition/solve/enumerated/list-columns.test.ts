import { expect, test } from "vitest";
import { towerGrouping } from "../../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { groupOf, numbersOf } from "../../../../../../src/problems/tower-partition/solve/clusters.js";
import { reducedCost } from "../../../../../../src/problems/tower-partition/solve/dual-values.js";
import { ListColumns } from "../../../../../../src/problems/tower-partition/solve/enumerated/list-columns.js";
import { randomTowers } from "../../../../../support/random-towers.js";

test("a scan finds each size's least reduced cost, and for each item the groups of least that have it", () => {
  const random = seededRandom(88);
  let withSets = 0;
  for (let round = 0; round < 80; round++) {
    const { parts, interaction } = randomTowers(random, { features: 10 });
    const numbers = numbersOf(towerGrouping(parts, interaction));
    const all = numbers.items;
    if (all < 5) continue;
    const list = [2, 3, 4].map((size) => {
      const groups = Array.from({ length: 1 + random.integer(30) }, () => {
        const items = [...Array(all).keys()];
        while (items.length > size) items.splice(random.integer(items.length), 1);
        return items;
      });
      return { size, items: Uint16Array.from(groups.flat()) };
    });
    const three = (): [number, number, number] => {
      const items = [...Array(all).keys()];
      while (items.length > 3) items.splice(random.integer(items.length), 1);
      return items as [number, number, number];
    };
    const prices = {
      items: Float64Array.from({ length: all }, () => random.next()),
      triples: Array.from({ length: random.integer(4) }, () => ({ items: three(), price: random.next() })),
      sets: Array.from({ length: random.integer(3) }, () => {
        withSets++;
        return { items: [0, 1, 2, 3, 4], divisor: 2 + random.integer(3), price: random.next() };
      }),
    };
    const groups = list.flatMap(({ size, items }) =>
      Array.from({ length: items.length / size }, (_, g) => groupOf(numbers, items.subarray(g * size, (g + 1) * size))),
    );
    const costs = groups.map((group) => {
      const paid = prices.sets.reduce((sum, { items, divisor, price }) => {
        return sum + price * Math.floor(items.filter((item) => group.items.includes(item)).length / divisor);
      }, 0);
      return reducedCost(group, prices) + paid;
    });
    const columns = new ListColumns(numbers, list);
    const cutoff = random.next() - 1;
    const { leastBySize, found } = columns.scan(prices, cutoff);
    for (const { size } of list) {
      const own = costs.filter((_, g) => groups[g]?.items.length === size);
      expect(leastBySize[size]).toBeCloseTo(Math.min(...own), 12);
    }
    const keys = found.map(({ items }) => items.join());
    for (let item = 0; item < all; item++) {
      const having = costs.filter((cost, g) => cost < cutoff && groups[g]?.items.includes(item));
      if (having.length === 0) continue;
      const best = groups[costs.indexOf(Math.min(...having))];
      expect(keys).toContain(best?.items.join());
    }
    for (const { items, cost } of found) {
      const group = groups.findIndex((one) => one.items.join() === items.join());
      expect(costs[group]).toBeLessThan(cutoff);
      expect(cost).toBeCloseTo(groups[group]?.cost as number, 12);
    }
    // What is near was all looked at: there is nothing more to be found.
    expect(columns.lookNear(prices, cutoff).map(({ items }) => items.join())).toEqual(keys);
  }
  expect(withSets).toBeGreaterThan(30);
});
