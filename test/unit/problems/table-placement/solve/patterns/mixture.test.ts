import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import { Mixture } from "../../../../../../src/problems/table-placement/solve/patterns/mixture.js";
import { openGrowingLp } from "../../../../../../src/solvers/growing-lp.js";

test("points added one by one, many of them alike, give HiGHS's mixtures and worths", async () => {
  let binding = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = seededRandom(4400 + seed);
    const mixture = new Mixture();
    const lp = await openGrowingLp([...[0, 1, 2].map(() => [Number.NEGATIVE_INFINITY, 1] as const), [1, 1]]);
    lp.addColumn(0, 0, Number.POSITIVE_INFINITY, { indices: [3], values: [1] });
    // Whole numbers tie.
    const draw = () => (seed % 2 === 0 ? random.integer(4) : 3 * random.next());
    for (let k = 0; k < 30; k++) {
      const [cost, used] = [-draw(), [draw(), draw(), draw()] as [number, number, number]];
      expect(mixture.add(cost, used)).toBe(true);
      lp.addColumn(cost, 0, Number.POSITIVE_INFINITY, { indices: [0, 1, 2, 3], values: [...used, 1] });
      expect(mixture.cost).toBeCloseTo(lp.solve() as number, 6);
      // The worths are a proof of it: no point costs less beside what it uses.
      const { worths } = mixture;
      expect(Math.min(...worths)).toBeGreaterThan(-1e-9);
      binding += worths.filter((worth) => worth > 1e-6).length;
      const rest = mixture.cost + worths.reduce((sum, worth) => sum + worth, 0);
      expect(cost + used.reduce((sum, share, r) => sum + share * (worths[r] as number), 0)).toBeGreaterThan(
        rest - 1e-9,
      );
    }
    lp.dispose();
  }
  expect(binding).toBeGreaterThan(1000);
});

test("gives up on what is not finite, and is where it was", () => {
  const mixture = new Mixture();
  expect(mixture.add(-3, [2, 0, 0])).toBe(true);
  expect(mixture.cost).toBe(-1.5);
  expect(mixture.add(-4, [Number.POSITIVE_INFINITY, 0, 0])).toBe(false);
  expect(mixture.cost).toBe(-1.5);
  expect([...mixture.worths]).toEqual([1.5, 0, 0]);
});
