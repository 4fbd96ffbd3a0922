import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import {
  clusterOf,
  clustersOf,
  marginalDuals,
  numbersOf,
} from "../../../../../src/problems/tower-partition/solve/clusters.js";
import { clustersStep } from "../../../../../src/problems/tower-partition/solve/clusters-step.js";
import {
  generateDuals,
  violatedSubsetRows,
} from "../../../../../src/problems/tower-partition/solve/column-generation.js";
import { reducedCost, SubsetRowMoves, timesIn } from "../../../../../src/problems/tower-partition/solve/dual-values.js";
import { ExactPricing } from "../../../../../src/problems/tower-partition/solve/exact-pricing.js";
import { descendCluster } from "../../../../../src/problems/tower-partition/solve/local-pricing.js";
import { solveGrouping } from "../../../../../src/problems/tower-partition/solve/solve.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { Work } from "../../../../../src/search/work.js";
import { groupingCertificate } from "../../../../support/grouping-proof.js";
import { seededGrouping } from "../../../../support/tower-matrices.js";

const ELEMENTS = 9;
const random = seededRandom(7401);

function drawnSubsetRows(count: number) {
  return Array.from({ length: count }, () => {
    const elements = Array.from({ length: ELEMENTS }, (_, element) => element);
    const take = () => elements.splice(random.integer(elements.length), 1)[0] as number;
    return { elements: [take(), take(), take()] as const, divisor: 2, dual: 1 + random.integer(9) };
  });
}

const drawnCluster = () =>
  Array.from({ length: ELEMENTS }, (_, element) => element).filter(() => random.integer(2) === 0);

test("items that enter, leave and are exchanged change what triples make a group pay", () => {
  for (let round = 0; round < 100; round++) {
    const subsetRows = drawnSubsetRows(1 + random.integer(8));
    const paid = (cluster: readonly number[]) =>
      subsetRows.reduce((sum, set) => sum + set.dual * timesIn(set, cluster), 0);
    const moves = new SubsetRowMoves(ELEMENTS, subsetRows);
    for (const cluster of [drawnCluster(), drawnCluster()]) {
      moves.update(Uint8Array.from({ length: ELEMENTS }, (_, element) => (cluster.includes(element) ? 1 : 0)));
      expect(moves.paid).toBe(paid(cluster));
      for (let j = 0; j < ELEMENTS; j++) {
        if (cluster.includes(j)) continue;
        expect(moves.paid + (moves.enter[j] as number)).toBe(paid([...cluster, j]));
        for (const i of cluster) {
          const rest = cluster.filter((element) => element !== i);
          expect(moves.paid - (moves.leave[i] as number)).toBe(paid(rest));
          const change =
            (moves.enter[j] as number) - (moves.leave[i] as number) + (moves.both[i * ELEMENTS + j] as number);
          expect(moves.paid + change).toBe(paid([...rest, j]));
        }
      }
    }
  }
});

test("descent ends where no item put in, left out or exchanged makes the reduced cost less", () => {
  const numbers = numbersOf(seededGrouping("uniform", { features: ELEMENTS, towers: 3, sizeRatio: 2 }, "kmeans", 5));
  const window = { least: 2, most: 5 };
  for (let round = 0; round < 60; round++) {
    const elements = Float64Array.from({ length: ELEMENTS }, () => 0.3 * random.next());
    const subsetRows = drawnSubsetRows(6).map((subsetRow) => ({ ...subsetRow, dual: subsetRow.dual / 40 }));
    const { cluster, reduced } = descendCluster(numbers, window, { elements, sets: subsetRows }, [0, 1, 2]);
    expect(reduced).toBeCloseTo(reducedCost(cluster, { elements, sets: subsetRows }), 12);
    const all = Array.from({ length: ELEMENTS }, (_, element) => element);
    for (const i of [...cluster.elements, -1]) {
      for (const j of [...all.filter((element) => !cluster.elements.includes(element)), -1]) {
        const next = [...cluster.elements.filter((element) => element !== i), ...(j === -1 ? [] : [j])];
        if (next.length < window.least || next.length > window.most) continue;
        expect(reducedCost(clusterOf(numbers, next), { elements, sets: subsetRows })).toBeGreaterThan(reduced - 1e-8);
      }
    }
  }
});

test("the triples that a fractional partition violates are those that going through all of them finds", () => {
  let found = 0;
  for (let round = 0; round < 60; round++) {
    const usage = Array.from({ length: 8 }, () => ({
      cluster: { elements: drawnCluster(), cost: 0 },
      times: random.next() / 2,
    }));
    const expected: string[] = [];
    for (let a = 0; a < ELEMENTS; a++)
      for (let b = a + 1; b < ELEMENTS; b++)
        for (let c = b + 1; c < ELEMENTS; c++) {
          const sum = usage.reduce(
            (s, { cluster, times }) =>
              s + (timesIn({ elements: [a, b, c], divisor: 2 }, cluster.elements) > 0 ? times : 0),
            0,
          );
          if (sum > 1.001) expected.push([a, b, c].join());
        }
    const violated = (limit: number) =>
      violatedSubsetRows(ELEMENTS, usage, limit).map(({ elements }) => elements.join());
    const all = violated(Number.POSITIVE_INFINITY);
    expect([...all].sort()).toEqual(expected.sort());
    expect(violated(2)).toEqual(all.slice(0, 2));
    found += all.length;
  }
  expect(found).toBeGreaterThan(100);
});

test("prices of triples prove more than those of items alone, and the checker agrees", async () => {
  const grouping = seededGrouping("uniform", { features: 30, towers: 6 }, "kmeans", 2);
  const request = { starts: [], gap: Rational.zero, timeLimitSeconds: 60, seed: 0 };
  const { verdict, labels } = await solveGrouping(grouping, request);
  const optimum = verdict?.value as Rational;
  const numbers = numbersOf(grouping);
  const clusters = clustersOf(numbers, labels as readonly number[]);
  const node = { window: { least: 5, most: 5 }, together: [], apart: [] };
  const boundWith = async (subsetRows: number) => {
    const pricing = new ExactPricing(grouping, numbers, node);
    const prices = marginalDuals(numbers, clusters);
    const cutoff = optimum.toNumber();
    const { best } = await generateDuals(numbers, node, pricing, {
      ...{
        clusters,
        prices,
        cutoff,
        subsetRows: subsetRows,
        work: new Work(),
        shouldStop: () => false,
        onBound: () => {},
      },
    });
    if (best === null) throw new Error("nothing was proved");
    const bound = best.bound as Rational;
    expect(best.duals.sets.length > 0).toBe(subsetRows > 0);
    expect(bound.compare(optimum)).toBeLessThanOrEqual(0);
    const certificate = groupingCertificate(grouping, bound, [clustersStep(grouping, best.duals)]);
    expect(checkCertificate(grouping, certificate).bound).toEqual(bound);
    return optimum.subtract(bound).toNumber();
  };
  const [without, withSubsetRows] = [await boundWith(0), await boundWith(30)];
  expect(without).toBeGreaterThan(0);
  expect(withSubsetRows).toBeLessThan(without);
});
