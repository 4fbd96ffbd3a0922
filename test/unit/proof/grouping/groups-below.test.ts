import { describe, expect, test } from "vitest";
import { type Random, seededRandom } from "../../../../src/exact/random.js";
import { groupsBelow, type PricedUnits } from "../../../../src/proof/grouping/groups-below.js";

/** Up to eight units of one to three items, with pairs that are apart, loads and triples now and then. */
function randomUnits(random: Random): PricedUnits {
  const all = 1 + random.integer(8);
  const isPlain = random.integer(2) === 0;
  const sizes = Int32Array.from({ length: all }, () => (isPlain ? 1 : 1 + random.integer(3)));
  const between = new Float64Array(all * all);
  const apart = new Uint8Array(all * all);
  const parts = random.integer(2) === 0;
  for (let v = 0; v < all; v++) {
    for (let u = 0; u < v; u++) {
      const pair = random.integer(20);
      const isApart = parts && random.integer(5) === 0 ? 1 : 0;
      for (const at of [u * all + v, v * all + u]) {
        between[at] = pair;
        apart[at] = isApart;
      }
    }
  }
  const weights = Float64Array.from({ length: all }, () => random.integer(10));
  return {
    size: 1 + random.integer(5),
    sizes,
    own: Float64Array.from({ length: all }, () => random.integer(60) - 40),
    between,
    apart,
    load: random.integer(3) === 0 ? { weights, least: random.integer(8), most: 4 + random.integer(14) } : null,
    triples: all < 3 || random.integer(2) === 0 ? [] : randomTriples(random, all),
  };
}

function randomTriples(random: Random, all: number): PricedUnits["triples"] {
  return Array.from({ length: 1 + random.integer(6) }, () => {
    const units = Array.from({ length: all }, (_, u) => u);
    const take = () => units.splice(random.integer(units.length), 1)[0] as number;
    return { units: [take(), take(), take()] as const, price: random.integer(25) };
  });
}

/** Every set of units that is a group, with its sum, by going through all sets. */
function allGroups({ size, sizes, own, between, apart, load, triples }: PricedUnits): Map<string, number> {
  const groups = new Map<string, number>();
  const all = sizes.length;
  for (let set = 1; set < 1 << all; set++) {
    const units = [...sizes.keys()].filter((u) => (set & (1 << u)) !== 0);
    if (units.reduce((sum, u) => sum + (sizes[u] as number), 0) !== size) continue;
    if (units.some((u) => units.some((v) => apart[u * all + v] === 1))) continue;
    const carried = units.reduce((sum, u) => sum + (load?.weights[u] ?? 0), 0);
    if (load !== null && (carried < load.least || carried > load.most)) continue;
    let sum = 0;
    for (const u of units) {
      sum += own[u] as number;
      for (const v of units) if (v < u) sum += between[u * all + v] as number;
    }
    for (const triple of triples) {
      if (triple.units.filter((u) => units.includes(u)).length >= 2) sum += triple.price;
    }
    groups.set(units.join(), sum);
  }
  return groups;
}

const keyOf = (units: Int32Array, count: number) => [...units.slice(0, count)].sort((a, b) => a - b).join();

describe("groupsBelow", () => {
  test("visits every group below the cutoff once, with its sum, and no other", () => {
    const random = seededRandom(7201);
    let visited = 0;
    for (let round = 0; round < 600; round++) {
      const units = randomUnits(random);
      const groups = allGroups(units);
      for (const cutoff of [Number.POSITIVE_INFINITY, random.integer(80) - 60, ...[...groups.values()].slice(0, 2)]) {
        const found = new Map<string, number>();
        const isWhole = groupsBelow(units, cutoff, (chosen, count, sum) => {
          expect(found.has(keyOf(chosen, count))).toBe(false);
          found.set(keyOf(chosen, count), sum);
          return cutoff;
        });
        expect(isWhole).toBe(true);
        expect([...found].sort()).toEqual([...groups].filter(([, sum]) => sum < cutoff).sort());
        visited += found.size;
      }
    }
    expect(visited).toBeGreaterThan(5000);
  });

  test("ends at the least where each visit lowers the cutoff", () => {
    const random = seededRandom(7202);
    for (let round = 0; round < 400; round++) {
      const units = randomUnits(random);
      let least = Number.POSITIVE_INFINITY;
      groupsBelow(units, least, (_, __, sum) => {
        expect(sum).toBeLessThan(least);
        least = sum;
        return sum;
      });
      expect(least).toBe(Math.min(Number.POSITIVE_INFINITY, ...allGroups(units).values()));
    }
  });

  test("says where a limit ended the walk", () => {
    const all = 12;
    const units: PricedUnits = {
      size: 6,
      sizes: new Int32Array(all).fill(1),
      own: new Float64Array(all),
      between: new Float64Array(all * all),
      apart: new Uint8Array(all * all),
      load: null,
      triples: [],
    };
    let visits = 0;
    const visit = () => {
      visits++;
      return Number.POSITIVE_INFINITY;
    };
    expect(groupsBelow(units, 1, visit, { maxNodes: 10 })).toBe(false);
    expect(visits).toBeLessThan(924);
    visits = 0;
    expect(groupsBelow(units, 1, visit)).toBe(true);
    expect(visits).toBe(924);
  });
});
