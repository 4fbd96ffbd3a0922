import { expect, test } from "vitest";
import { towerGrouping } from "../../../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { clusterOf, numbersOf } from "../../../../../../src/problems/tower-partition/solve/clusters.js";
import { reducedCost } from "../../../../../../src/problems/tower-partition/solve/dual-values.js";
import { ListColumns } from "../../../../../../src/problems/tower-partition/solve/enumerated/list-columns.js";
import { randomTowers } from "../../../../../support/random-towers.js";

test("a scan finds each size's least reduced cost, and for each item the groups of least that have it", () => {
  const random = seededRandom(88);
  let withSets = 0;
  for (let round = 0; round < 80; round++) {
    const { parts, interaction } = randomTowers(random, { features: 10 });
    const numbers = numbersOf(towerGrouping(parts, interaction));
    const all = numbers.elements;
    if (all < 5) continue;
    const list = [2, 3, 4].map((size) => {
      const clusters = Array.from({ length: 1 + random.integer(30) }, () => {
        const elements = [...Array(all).keys()];
        while (elements.length > size) elements.splice(random.integer(elements.length), 1);
        return elements;
      });
      return { size, elements: Uint16Array.from(clusters.flat()) };
    });
    const three = (): [number, number, number] => {
      const elements = [...Array(all).keys()];
      while (elements.length > 3) elements.splice(random.integer(elements.length), 1);
      return elements as [number, number, number];
    };
    const duals = {
      elements: Float64Array.from({ length: all }, () => random.next()),
      sets: [
        ...Array.from({ length: random.integer(4) }, () => ({ elements: three(), divisor: 2, dual: random.next() })),
        ...Array.from({ length: random.integer(3) }, () => {
          withSets++;
          return { elements: [0, 1, 2, 3, 4], divisor: 2 + random.integer(3), dual: random.next() };
        }),
      ],
    };
    const clusters = list.flatMap(({ size, elements }) =>
      Array.from({ length: elements.length / size }, (_, g) =>
        clusterOf(numbers, elements.subarray(g * size, (g + 1) * size)),
      ),
    );
    const costs = clusters.map((cluster) => {
      const paid = duals.sets.reduce((sum, { elements, divisor, dual }) => {
        return (
          sum + dual * Math.floor(elements.filter((element) => cluster.elements.includes(element)).length / divisor)
        );
      }, 0);
      return reducedCost(cluster, { ...duals, sets: [] }) + paid;
    });
    const columns = new ListColumns(numbers, list);
    const cutoff = random.next() - 1;
    const { leastBySize, found } = columns.scan(duals, cutoff);
    for (const { size } of list) {
      const own = costs.filter((_, g) => clusters[g]?.elements.length === size);
      expect(leastBySize[size]).toBeCloseTo(Math.min(...own), 12);
    }
    const keys = found.map(({ elements }) => elements.join());
    for (let element = 0; element < all; element++) {
      const having = costs.filter((cost, g) => cost < cutoff && clusters[g]?.elements.includes(element));
      if (having.length === 0) continue;
      const best = clusters[costs.indexOf(Math.min(...having))];
      expect(keys).toContain(best?.elements.join());
    }
    for (const { elements, cost } of found) {
      const cluster = clusters.findIndex((one) => one.elements.join() === elements.join());
      expect(costs[cluster]).toBeLessThan(cutoff);
      expect(cost).toBeCloseTo(clusters[cluster]?.cost as number, 12);
    }
    // What is near was all looked at: there is nothing more to be found.
    expect(columns.lookNear(duals, cutoff).map(({ elements }) => elements.join())).toEqual(keys);
  }
  expect(withSets).toBeGreaterThan(30);
});
