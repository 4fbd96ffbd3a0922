import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import type {
  DeviceGroup,
  FreePart,
} from "../../../../../../src/problems/table-placement/solve/base-tree/base-model.js";
import { PatternKnapsack } from "../../../../../../src/problems/table-placement/solve/base-tree/pattern-knapsack.js";

const random = seededRandom(5);

function drawnGroup(): DeviceGroup {
  const part = (option: number): FreePart => {
    const cost = random.next();
    return { option, orbits: [], counts: [], cost, hbm: random.next() * (0.2 + cost) };
  };
  const parts = Array.from({ length: 7 }, () => Array.from({ length: 1 + random.integer(3) }, (_, o) => part(o)));
  return { host: 0, devices: [0], parts, hbm: 1 };
}

/** The best value of all patterns within both capacities. */
function best(parts: DeviceGroup["parts"], cost: number, bytes: number, worth: (part: FreePart) => number): number {
  const [own, ...others] = parts;
  if (own === undefined) return 0;
  const values = own.flatMap((part) =>
    part.cost > cost || part.hbm > bytes ? [] : [worth(part) + best(others, cost - part.cost, bytes - part.hbm, worth)],
  );
  return Math.max(best(others, cost, bytes, worth), ...values);
}

test("a filling is the best pattern within cost and bytes, whichever is scarce, and its bound is no less and near", () => {
  const knapsack = new PatternKnapsack();
  for (let k = 0; k < 300; k++) {
    const group = drawnGroup();
    const [cost, bytes] = [0.3 + 2 * random.next(), 0.1 + 2 * random.next()];
    const [byCost, byBytes] = [random.next(), 10 * random.next()];
    const worth = (part: FreePart) => 0.1 + byCost * part.cost + byBytes * part.hbm;
    const { most, parts } = knapsack.fill(group, cost, bytes, 2.3, worth);
    const exact = best(group.parts, cost, bytes, worth);
    const reached = parts.reduce((sum, part) => sum + worth(part), 0);
    expect(parts.reduce((sum, part) => sum + part.cost, 0)).toBeLessThanOrEqual(cost * (1 + 1e-11));
    expect(parts.reduce((sum, part) => sum + part.hbm, 0)).toBeLessThanOrEqual(bytes * (1 + 1e-11));
    expect(most, `draw ${k}`).toBeGreaterThanOrEqual(exact - 1e-9);
    expect(most, `draw ${k}`).toBeLessThanOrEqual(exact + 1e-9);
    expect(reached, `draw ${k}`).toBeCloseTo(exact, 9);
  }
});
