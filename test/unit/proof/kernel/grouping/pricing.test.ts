import { describe, expect, test } from "vitest";
import { type Random, seededRandom } from "../../../../../src/exact/random.js";
import type { PricedUnits } from "../../../../../src/proof/kernel/grouping/priced-units.js";
import { clustersBelow } from "../../../../../src/proof/kernel/grouping/pricing.js";

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
    limits:
      random.integer(3) === 0
        ? { loads: [{ weights, least: random.integer(8), most: 4 + random.integer(14) }], conflicts: [] }
        : null,
    sets: all < 3 || random.integer(2) === 0 ? [] : randomSets(random, all),
  };
}

/** Some of three units and the divisor 2, others of any. */
function randomSets(random: Random, all: number): PricedUnits["sets"] {
  return Array.from({ length: 1 + random.integer(6) }, () => {
    const units = Array.from({ length: all }, (_, u) => u);
    const isTriple = random.integer(2) === 0;
    const length = isTriple ? 3 : 3 + random.integer(all - 2);
    while (units.length > length) units.splice(random.integer(units.length), 1);
    const divisor = isTriple ? 2 : 2 + random.integer(length - 2);
    const counts = units.map(() => (isTriple ? 1 : 1 + random.integer(divisor - 1)));
    return { units, counts, divisor, dual: random.integer(25) };
  });
}

/** Every set of units that is a group, with its sum, by going through all sets. */
function allClusters({ size, sizes, own, between, apart, limits, sets }: PricedUnits): Map<string, number> {
  const clusters = new Map<string, number>();
  const all = sizes.length;
  for (let set = 1; set < 1 << all; set++) {
    const units = [...sizes.keys()].filter((u) => (set & (1 << u)) !== 0);
    if (units.reduce((sum, u) => sum + (sizes[u] as number), 0) !== size) continue;
    if (units.some((u) => units.some((v) => apart[u * all + v] === 1))) continue;
    const isWithin = limits?.loads.every(({ weights, least, most }) => {
      const carried = units.reduce((sum, u) => sum + (weights[u] as number), 0);
      return carried >= least && carried <= most;
    });
    if (isWithin === false) continue;
    let sum = 0;
    for (const u of units) {
      sum += own[u] as number;
      for (const v of units) if (v < u) sum += between[u * all + v] as number;
    }
    for (const { units: own, counts, divisor, dual } of sets) {
      const shared = own.reduce((count, u, k) => count + (units.includes(u) ? (counts[k] as number) : 0), 0);
      sum += dual * Math.floor(shared / divisor);
    }
    clusters.set(units.join(), sum);
  }
  return clusters;
}

/** By rows and columns, with zeros on the diagonal. */
function symmetric(all: number, entry: () => number): Float64Array {
  const matrix = new Float64Array(all * all);
  for (let v = 0; v < all; v++) {
    for (let u = 0; u < v; u++) {
      const value = entry();
      matrix[u * all + v] = value;
      matrix[v * all + u] = value;
    }
  }
  return matrix;
}

/** The sums of all groups of single items, without triples, rising, in integers of any size. */
function sumsOfClusters({ size, own, between }: PricedUnits): bigint[] {
  const all = own.length;
  const sums: bigint[] = [];
  const extend = (first: number, chosen: readonly number[], sum: bigint) => {
    if (chosen.length === size) {
      sums.push(sum);
      return;
    }
    for (let u = first; u < all; u++) {
      const pairs = chosen.reduce((total, v) => total + BigInt(between[u * all + v] as number), 0n);
      extend(u + 1, [...chosen, u], sum + BigInt(own[u] as number) + pairs);
    }
  };
  extend(0, [], 0n);
  return sums.sort(byValue);
}

const byValue = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b));

const keyOf = (units: Int32Array, count: number) => [...units.slice(0, count)].sort((a, b) => a - b).join();

describe("groupsBelow", () => {
  test("visits every group below the cutoff once, with its sum, and no other", () => {
    const random = seededRandom(7201);
    let visited = 0;
    for (let round = 0; round < 600; round++) {
      const units = randomUnits(random);
      const clusters = allClusters(units);
      for (const cutoff of [Number.POSITIVE_INFINITY, random.integer(80) - 60, ...[...clusters.values()].slice(0, 2)]) {
        const found = new Map<string, number>();
        const isWhole = clustersBelow(units, cutoff, (chosen, count, sum) => {
          expect(found.has(keyOf(chosen, count))).toBe(false);
          found.set(keyOf(chosen, count), sum);
          return cutoff;
        });
        expect(isWhole).toBe(true);
        expect([...found].sort()).toEqual([...clusters].filter(([, sum]) => sum < cutoff).sort());
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
      clustersBelow(units, least, (_, __, sum) => {
        expect(sum).toBeLessThan(least);
        least = sum;
        return sum;
      });
      expect(least).toBe(Math.min(Number.POSITIVE_INFINITY, ...allClusters(units).values()));
    }
  });

  test("visits the same where it finds its least numbers anew, with prices of any size", () => {
    const random = seededRandom(7203);
    let visited = 0;
    for (let round = 0; round < 12; round++) {
      const all = 13;
      const between = symmetric(all, () => random.integer(100));
      const apart = symmetric(all, () => (round % 3 === 1 && random.integer(8) === 0 ? 1 : 0));
      const weights = Float64Array.from({ length: all }, () => random.integer(10));
      // From prices that say next to nothing to prices that say it all.
      const spread = 10 * 4 ** (round % 4);
      const units: PricedUnits = {
        size: 6,
        sizes: new Int32Array(all).fill(1),
        own: Float64Array.from({ length: all }, () => random.integer(2 * spread) - spread),
        between,
        apart: Uint8Array.from(apart),
        limits: round % 3 === 2 ? { loads: [{ weights, least: 10, most: 35 }], conflicts: [] } : null,
        sets: round % 2 === 0 ? [] : randomSets(random, all),
      };
      const clusters = allClusters(units);
      const sums = [...clusters.values()].sort((a, b) => a - b);
      for (const cutoff of [Number.POSITIVE_INFINITY, sums[sums.length >> 1] as number, (sums[3] as number) + 1]) {
        const found = new Map<string, number>();
        let visits = 0;
        clustersBelow(units, cutoff, (chosen, count, sum) => {
          found.set(keyOf(chosen, count), sum);
          visits++;
          return cutoff;
        });
        expect(found).toEqual(new Map([...clusters].filter(([, sum]) => sum < cutoff)));
        expect(visits).toBe(found.size);
        visited += found.size;
      }
    }
    expect(visited).toBeGreaterThan(10_000);
  });

  test("adds up without rounding at the largest numbers that it takes", () => {
    const random = seededRandom(7204);
    const all = 10;
    const size = 5;
    for (let round = 0; round < 30; round++) {
      // Twice (10 pairs + 5 prices) is just below 2⁵²; with pairs of nothing, all of it is prices.
      const pair = [0, 2 ** 46, Math.floor(2 ** 51 / 10) - 2 ** 20][round % 3] as number;
      const dual = Math.floor((2 ** 51 - 1 - 10 * pair) / size);
      const near = (most: number) => most - random.integer(3) * random.integer(1000);
      const units: PricedUnits = {
        size,
        sizes: new Int32Array(all).fill(1),
        own: Float64Array.from({ length: all }, () => (random.integer(2) === 0 ? -1 : 1) * near(dual)),
        between: symmetric(all, () => (random.integer(3) === 0 ? 0 : Math.max(0, near(pair)))),
        apart: new Uint8Array(all * all),
        limits: null,
        sets: [],
      };
      const sums = sumsOfClusters(units);
      for (const cutoff of [sums[0], sums[20], sums[125]] as bigint[]) {
        const found: bigint[] = [];
        clustersBelow(units, Number(cutoff), (_, __, sum) => {
          found.push(BigInt(sum));
          return Number(cutoff);
        });
        expect(found.sort(byValue)).toEqual(sums.filter((sum) => sum < cutoff));
      }
    }
  });

  test("is not drawn to items that look good beside all others and whose price takes it back", () => {
    // Two items are as far apart as both are remote; prices are what that comes to in a group. Pairs divided in halves
    // would leave more than twenty times as many sets.
    const random = seededRandom(7205);
    const all = 40;
    const size = 8;
    const remote = Float64Array.from({ length: all }, () => random.integer(200));
    const between = symmetric(all, () => random.integer(50)).map((extra, at) => {
      const [u, v] = [Math.floor(at / all), at % all];
      return u === v ? 0 : extra + (remote[u] as number) + (remote[v] as number);
    });
    const units: PricedUnits = {
      ...{ size, sizes: new Int32Array(all).fill(1), own: remote.map((far) => -(size - 1) * far), between },
      ...{ apart: new Uint8Array(all * all), limits: null, sets: [] },
    };
    const lower = (_: Int32Array, __: number, sum: number) => sum;
    expect(clustersBelow(units, Number.POSITIVE_INFINITY, lower, { maxNodes: 20_000 })).toBe(true);
  });

  test("says where a limit ended the walk", () => {
    const all = 12;
    const units: PricedUnits = {
      size: 6,
      sizes: new Int32Array(all).fill(1),
      own: new Float64Array(all),
      between: new Float64Array(all * all),
      apart: new Uint8Array(all * all),
      limits: null,
      sets: [],
    };
    let visits = 0;
    const visit = () => {
      visits++;
      return Number.POSITIVE_INFINITY;
    };
    expect(clustersBelow(units, 1, visit, { maxNodes: 10 })).toBe(false);
    expect(visits).toBeLessThan(924);
    visits = 0;
    expect(clustersBelow(units, 1, visit)).toBe(true);
    expect(visits).toBe(924);
  });
});
