import { expect, test } from "vitest";
import { seededRandom } from "../../../../../../src/exact/random.js";
import type { FreePart } from "../../../../../../src/problems/table-placement/solve/base-tree/base-model.js";
import type { PricedPart, Room } from "../../../../../../src/problems/table-placement/solve/core/pattern-lp.js";
import { likelyPatterns } from "../../../../../../src/problems/table-placement/solve/option-dive/likely-patterns.js";
import { pricedParts } from "../../../../../../src/problems/table-placement/solve/option-dive/priced-parts.js";

const random = seededRandom(11);

interface Drawn {
  readonly tables: PricedPart<FreePart>[][];
  readonly room: Room;
  readonly prices: { readonly cost: number; readonly hbm: number };
}

/** Small parts are worth what they cost at the prices, about, and large ones more or less. */
function drawn(): Drawn {
  const prices = { cost: random.next(), hbm: random.next() };
  const room = { cost: 0.5 + random.next(), hbm: 0.5 + 2 * random.next() };
  const part = (option: number): FreePart => {
    const size = random.next() < 0.5 ? 0.1 : 0.6;
    const [cost, hbm] = [size * random.next(), size * random.next()];
    return { option, orbits: [0], counts: [1], cost, hbm, least: 0, over: 0 };
  };
  const parts = Array.from({ length: 8 }, () => Array.from({ length: 1 + random.integer(3) }, (_, o) => part(o)));
  const isExact = random.next() < 0.5;
  const worthOf = ({ cost, hbm }: FreePart) =>
    (prices.cost * cost + prices.hbm * hbm) * (isExact && cost < 0.1 ? 1 : 0.7 + 0.6 * random.next());
  return { tables: pricedParts(parts, room, worthOf), room, prices };
}

/** What the best pattern is worth. */
function best(tables: readonly (readonly PricedPart<FreePart>[])[], cost: number, hbm: number): number {
  const [own, ...others] = tables;
  if (own === undefined) return 0;
  const values = own.flatMap(({ part, value }) =>
    part.cost > cost || part.hbm > hbm ? [] : [value + best(others, cost - part.cost, hbm - part.hbm)],
  );
  return Math.max(best(others, cost, hbm), ...values);
}

function worthOf(pattern: readonly FreePart[], { tables }: Drawn): number {
  const values = new Map(tables.flat().map(({ part, value }) => [part, value]));
  return pattern.reduce((sum, part) => sum + (values.get(part) as number), 0);
}

function fits(pattern: readonly FreePart[], { tables, room }: Drawn): boolean {
  const sum = (read: (part: FreePart) => number) => pattern.reduce((total, part) => total + read(part), 0);
  const isOnePerTable = tables.every((own) => own.filter(({ part }) => pattern.includes(part)).length <= 1);
  return (
    isOnePerTable && sum(({ cost }) => cost) <= room.cost * (1 + 1e-9) && sum(({ hbm }) => hbm) <= room.hbm * (1 + 1e-9)
  );
}

test("likely patterns fit, are worth what is said of the first, and are mostly the better the more cells there are", () => {
  const draws = Array.from({ length: 200 }, () => {
    const draw = drawn();
    return { draw, exact: best(draw.tables, draw.room.cost, draw.room.hbm) };
  });
  const near = [8, 32, 128].map((cells) => {
    const own = draws.filter(({ draw, exact }) => {
      const { patterns, value } = likelyPatterns(draw.tables, draw.room, draw.prices, cells);
      expect(patterns.every((pattern) => fits(pattern, draw))).toBe(true);
      expect(worthOf(patterns[0] ?? [], draw)).toBeCloseTo(value, 9);
      expect(value).toBeLessThanOrEqual(exact + 1e-9);
      return value >= 0.97 * exact;
    });
    return own.length;
  });
  expect(near[1]).toBeGreaterThan(150);
  expect(near).toEqual([...near].sort((a, b) => a - b));
  expect(near[2]).toBeGreaterThan(near[0] as number);
});
