import { describe, expect, test } from "vitest";
import { disjointUnions, splitByFamilies } from "../../../../../src/proof/kernel/partition/subset-cover.js";
import { type Draw, drawFrom } from "../../../../fuzz/oracle/draw.js";

function drawFamily(draw: Draw, tables: number): Uint8Array {
  const rarity = draw.int(2, 6);
  return Uint8Array.from({ length: 2 ** tables }, () => (draw.oneIn(rarity) ? 1 : 0));
}

test("unions of disjoint sets are those of all pairs", () => {
  for (let seed = 1; seed <= 60; seed++) {
    const draw = drawFrom(seed);
    const tables = draw.int(0, 7);
    const one = drawFamily(draw, tables);
    const other = draw.oneIn(3) ? one : drawFamily(draw, tables);
    const wanted = new Uint8Array(2 ** tables);
    one.forEach((a, set) => {
      other.forEach((b, rest) => {
        if (a === 1 && b === 1 && (set & rest) === 0) wanted[set | rest] = 1;
      });
    });
    expect(disjointUnions(one, other, tables)).toEqual(wanted);
  }
});

test("a set has more ways than a byte or a half word can count", () => {
  const all = new Uint8Array(2 ** 17).fill(1);
  expect(disjointUnions(all, all, 17)).toEqual(all);
});

describe("splitting all tables", () => {
  /** Whether families can share the tables of `left`, one after the other. */
  function canSplit(families: readonly Uint8Array[], left: number): boolean {
    const [first, ...others] = families;
    if (first === undefined) return left === 0;
    return first.some((own, set) => own === 1 && (set & left) === set && canSplit(others, left ^ set));
  }

  test("is found exactly where there is a way, and is one", () => {
    let found = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const draw = drawFrom(seed);
      const tables = draw.int(0, 6);
      const pool = [drawFamily(draw, tables), drawFamily(draw, tables)];
      const families = Array.from({ length: draw.int(1, 5) }, () => draw.of(pool));
      const all = 2 ** tables - 1;
      const split = splitByFamilies(families, tables);
      expect(split !== null).toBe(canSplit(families, all));
      if (split === null) continue;
      found++;
      expect(split.map((set, d) => families[d]?.[set])).toEqual(families.map(() => 1));
      expect(split.reduce((sum, set) => sum + set, 0)).toBe(all);
      expect(split.reduce((union, set) => union | set, 0)).toBe(all);
    }
    expect(found).toBeGreaterThan(40);
    expect(found).toBeLessThan(160);
  });

  test("without devices only no tables can be split", () => {
    expect(splitByFamilies([], 0)).toEqual([]);
    expect(splitByFamilies([], 1)).toBeNull();
  });
});
