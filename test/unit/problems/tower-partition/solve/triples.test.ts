import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import {
  groupOf,
  groupsOf,
  marginalPrices,
  numbersOf,
} from "../../../../../src/problems/tower-partition/solve/clusters.js";
import { generatePrices } from "../../../../../src/problems/tower-partition/solve/column-generation.js";
import { hasTwo, reducedCost, TripleMoves } from "../../../../../src/problems/tower-partition/solve/dual-values.js";
import { ExactPricing } from "../../../../../src/problems/tower-partition/solve/exact-pricing.js";
import { groupsStep } from "../../../../../src/problems/tower-partition/solve/groups-step.js";
import { descendGroup } from "../../../../../src/problems/tower-partition/solve/local-pricing.js";
import { solveGrouping } from "../../../../../src/problems/tower-partition/solve/solve.js";
import { violatedTriples } from "../../../../../src/problems/tower-partition/solve/subset-row-cuts.js";
import { checkCertificate } from "../../../../../src/proof/check.js";
import { Work } from "../../../../../src/search/work.js";
import { groupingCertificate } from "../../../../support/grouping-proof.js";
import { seededGrouping } from "../../../../support/tower-matrices.js";

const ITEMS = 9;
const random = seededRandom(7401);

function drawnTriples(count: number) {
  return Array.from({ length: count }, () => {
    const items = Array.from({ length: ITEMS }, (_, item) => item);
    const take = () => items.splice(random.integer(items.length), 1)[0] as number;
    return { items: [take(), take(), take()] as const, price: 1 + random.integer(9) };
  });
}

const drawnGroup = () => Array.from({ length: ITEMS }, (_, item) => item).filter(() => random.integer(2) === 0);

test("items that enter, leave and are exchanged change what triples make a group pay", () => {
  for (let round = 0; round < 100; round++) {
    const triples = drawnTriples(1 + random.integer(8));
    const paid = (group: readonly number[]) =>
      triples.reduce((sum, { items, price }) => sum + (hasTwo(group, items) ? price : 0), 0);
    const moves = new TripleMoves(ITEMS, triples);
    for (const group of [drawnGroup(), drawnGroup()]) {
      moves.update(Uint8Array.from({ length: ITEMS }, (_, item) => (group.includes(item) ? 1 : 0)));
      expect(moves.paid).toBe(paid(group));
      for (let j = 0; j < ITEMS; j++) {
        if (group.includes(j)) continue;
        expect(moves.paid + (moves.enter[j] as number)).toBe(paid([...group, j]));
        for (const i of group) {
          const rest = group.filter((item) => item !== i);
          expect(moves.paid - (moves.leave[i] as number)).toBe(paid(rest));
          const change =
            (moves.enter[j] as number) - (moves.leave[i] as number) + (moves.both[i * ITEMS + j] as number);
          expect(moves.paid + change).toBe(paid([...rest, j]));
        }
      }
    }
  }
});

test("descent ends where no item put in, left out or exchanged makes the reduced cost less", () => {
  const numbers = numbersOf(seededGrouping("uniform", { features: ITEMS, towers: 3, sizeRatio: 2 }, "kmeans", 5));
  const window = { least: 2, most: 5 };
  for (let round = 0; round < 60; round++) {
    const items = Float64Array.from({ length: ITEMS }, () => 0.3 * random.next());
    const triples = drawnTriples(6).map((triple) => ({ ...triple, price: triple.price / 40 }));
    const { group, reduced } = descendGroup(numbers, window, { items, triples }, [0, 1, 2]);
    expect(reduced).toBeCloseTo(reducedCost(group, { items, triples }), 12);
    const all = Array.from({ length: ITEMS }, (_, item) => item);
    for (const i of [...group.items, -1]) {
      for (const j of [...all.filter((item) => !group.items.includes(item)), -1]) {
        const next = [...group.items.filter((item) => item !== i), ...(j === -1 ? [] : [j])];
        if (next.length < window.least || next.length > window.most) continue;
        expect(reducedCost(groupOf(numbers, next), { items, triples })).toBeGreaterThan(reduced - 1e-8);
      }
    }
  }
});

test("the triples that a fractional partition violates are those that going through all of them finds", () => {
  let found = 0;
  for (let round = 0; round < 60; round++) {
    const usage = Array.from({ length: 8 }, () => ({
      group: { items: drawnGroup(), cost: 0 },
      times: random.next() / 2,
    }));
    const expected: string[] = [];
    for (let a = 0; a < ITEMS; a++)
      for (let b = a + 1; b < ITEMS; b++)
        for (let c = b + 1; c < ITEMS; c++) {
          const sum = usage.reduce((s, { group, times }) => s + (hasTwo(group.items, [a, b, c]) ? times : 0), 0);
          if (sum > 1.001) expected.push([a, b, c].join());
        }
    const all = violatedTriples(ITEMS, usage, Number.POSITIVE_INFINITY).map((triple) => triple.join());
    expect([...all].sort()).toEqual(expected.sort());
    expect(violatedTriples(ITEMS, usage, 2).map((triple) => triple.join())).toEqual(all.slice(0, 2));
    found += all.length;
  }
  expect(found).toBeGreaterThan(100);
});

test("prices of triples prove more than those of items alone, and the checker agrees", async () => {
  const grouping = seededGrouping("uniform", { features: 30, towers: 6 }, "kmeans", 2);
  const request = { starts: [], gap: Rational.zero, timeLimitSeconds: 60, seed: 0 };
  const { verdict, numbering } = await solveGrouping(grouping, request);
  const optimum = verdict?.value as Rational;
  const numbers = numbersOf(grouping);
  const groups = groupsOf(numbers, numbering as readonly number[]);
  const node = { window: { least: 5, most: 5 }, together: [], apart: [] };
  const boundWith = (triples: number) => {
    const pricing = new ExactPricing(grouping, numbers, node);
    const center = marginalPrices(numbers, groups);
    const cutoff = optimum.toNumber();
    const { best } = generatePrices(numbers, node, pricing, {
      ...{ groups, center, cutoff, triples, work: new Work(), shouldStop: () => false },
    });
    if (best === null) throw new Error("nothing was proved");
    const bound = pricing.exactBound(best).bound as Rational;
    expect(best.prices.triples.length > 0).toBe(triples > 0);
    expect(bound.compare(optimum)).toBeLessThanOrEqual(0);
    const certificate = groupingCertificate(grouping, bound, [groupsStep(grouping, best.prices, null)]);
    expect(checkCertificate(grouping, certificate).bound).toEqual(bound);
    return optimum.subtract(bound).toNumber();
  };
  const [without, withTriples] = [boundWith(0), boundWith(30)];
  expect(without).toBeGreaterThan(0);
  expect(withTriples).toBeLessThan(without);
});
