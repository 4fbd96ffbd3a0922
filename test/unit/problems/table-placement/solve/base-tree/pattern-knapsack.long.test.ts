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
    return { option, orbits: [], counts: [], cost, hbm: random.next() * (0.2 + cost), least: 0, over: 0 };
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

/** As {@link drawnGroup}, of a host: shards on all its devices, and shards on one. */
function drawnHost(): DeviceGroup {
  const part = (option: number): FreePart => {
    const cost = 0.4 * random.next();
    const within = random.next() < 0.5 ? { least: cost, over: 0 } : { least: 0, over: (2 + 3 * random.next()) * cost };
    return { ...{ option, orbits: [], counts: [], cost, hbm: 0 }, ...within };
  };
  const parts = Array.from({ length: 8 }, () => Array.from({ length: 1 + random.integer(3) }, (_, o) => part(o)));
  return { host: 0, devices: [0], parts, hbm: Number.POSITIVE_INFINITY };
}

/** The best value of all patterns of which neither the mean nor the device with most is above the capacity. */
function bestBelow(parts: DeviceGroup["parts"], room: number, worth: (part: FreePart) => number): number {
  const visit = (t: number, cost: number, least: number, over: number, value: number): number => {
    if (Math.max(cost, least + over) > room) return 0;
    const own = parts[t];
    if (own === undefined) return value;
    const ways = own.map((part) =>
      visit(t + 1, cost + part.cost, least + part.least, Math.max(over, part.over), value + worth(part)),
    );
    return Math.max(visit(t + 1, cost, least, over, value), ...ways);
  };
  return visit(0, 0, 0, 0, 0);
}

test("where a host stands for its devices, a filling keeps the device with most of a shard within the capacity too", () => {
  const knapsack = new PatternKnapsack();
  let bound = 0;
  for (let k = 0; k < 300; k++) {
    const group = drawnHost();
    const room = 0.3 + random.next();
    const [byCost, byOver] = [3 * random.next(), random.next()];
    const worth = (part: FreePart) => 0.05 + byCost * part.cost + byOver * part.over;
    const { most, parts } = knapsack.fill(group, room, Number.POSITIVE_INFINITY, 1.3, worth);
    const exact = bestBelow(group.parts, room, worth);
    const least = parts.reduce((sum, part) => sum + part.least, 0);
    const over = parts.reduce((largest, part) => Math.max(largest, part.over), 0);
    expect(least + over).toBeLessThanOrEqual(room * (1 + 1e-11));
    expect(
      parts.reduce((sum, part) => sum + worth(part), 0),
      `draw ${k}`,
    ).toBeCloseTo(exact, 9);
    expect(most, `draw ${k}`).toBeGreaterThanOrEqual(exact - 1e-9);
    expect(most, `draw ${k}`).toBeLessThanOrEqual(exact + 1e-9);
    const means = group.parts.map((own) => own.map((part) => ({ ...part, least: 0 })));
    if (best(means, room, Number.POSITIVE_INFINITY, worth) > exact + 1e-9) bound++;
  }
  expect(bound).toBeGreaterThan(100);
});
