import { expect, test } from "vitest";
import type { CostData } from "../../../../src/cost/neural/cost-data.js";
import { seededRandom } from "../../../../src/exact/random.js";
import { configurations, drawPool, drawSome, partedByTables } from "../../../../src/reproduce/autoshard/pool.js";
import { drawData } from "../../cost/neural/support.js";

const drawn = drawData(80, 5);
const COUNT = drawn.tables.length;

/** Every table in three widths, one width after the other. */
const data: CostData = {
  ...drawn,
  tables: [64, 32, 16].flatMap((dim) => drawn.tables.map((table) => ({ ...table, dim }))),
  sets: drawn.sets.map(({ tables, cost }, s) => ({ cost, tables: tables.map((t) => (s % 3) * COUNT + t) })),
};

test("a table has one number in all its widths", () => {
  expect(configurations(data)).toEqual(data.tables.map((_, t) => t % COUNT));
});

test("no table that is left out is learned from, in whatever width", () => {
  const isLast = (configuration: number, count: number) => configuration >= count - 10;
  const isUnseen = (t: number) => t % COUNT >= COUNT - 10;
  const { seen, unseen, unseenShare } = partedByTables(data, isLast, false);
  expect(seen.sets.length + unseen.length).toBe(data.sets.length);
  expect(seen.sets.flatMap(({ tables }) => tables).some(isUnseen)).toBe(false);
  expect(unseen.every(({ tables }) => tables.some(isUnseen))).toBe(true);
  expect(unseenShare).toBeGreaterThan(0);
  expect(unseenShare).toBeLessThan(1);
  const alone = partedByTables(data, isLast, true);
  expect(alone.unseen.length).toBeGreaterThan(0);
  expect(alone.unseen.every(({ tables }) => tables.every(isUnseen))).toBe(true);
  expect(alone.unseenShare).toBe(1);
});

test("the pool has every table once, in AutoShard's widths", () => {
  const pool = drawPool(data, seededRandom(1));
  expect(pool.map(({ rows }) => rows)).toEqual(drawn.tables.map(({ rows }) => rows));
  expect(new Set(pool.map(({ dim }) => dim))).toEqual(new Set([16, 32]));
});

test("what is drawn is drawn once", () => {
  const items = [...Array(20).keys()];
  expect(drawSome(items, 20, seededRandom(1)).toSorted((a, b) => a - b)).toEqual(items);
  expect(new Set(drawSome(items, 7, seededRandom(2))).size).toBe(7);
  expect(drawSome(items, 30, seededRandom(3))).toHaveLength(20);
});
