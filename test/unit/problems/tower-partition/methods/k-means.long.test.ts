import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import {
  clusterFrom,
  constrainedKMeans,
  meansOf,
  squaredDistances,
  startingCentres,
  sumOfSquares,
} from "../../../../../src/problems/tower-partition/methods/k-means/constrained-k-means.js";
import { assignWithinLoad } from "../../../../../src/problems/tower-partition/methods/k-means/loaded-assignment.js";
import { loadsOf, randomPlane, sizesOf } from "./support.js";

test("the sum of squares is that of squared distances in each group over its size", () => {
  const points = randomPlane(14, 1);
  const numbering = Array.from({ length: 14 }, (_, i) => (i * i) % 3);
  const sizes = sizesOf(numbering, 3);
  const between = squaredDistances(points, points.coordinates);
  let sum = 0;
  for (let i = 1; i < 14; i++) {
    for (let j = 0; j < i; j++) {
      const group = numbering[i] as number;
      if (group === numbering[j]) sum += (between[i * 14 + j] as number) / (sizes[group] as number);
    }
  }
  expect(sumOfSquares(points, numbering)).toBeCloseTo(sum, 12);
});

test("means are means, and a group without points keeps its centre", () => {
  const points = { coordinates: Float64Array.of(0, 0, 2, 4, 5, 5), dimensions: 2 };
  const before = Float64Array.of(9, 9, 8, 8, 7, 7);
  expect(meansOf(points, [0, 0, 2], before)).toEqual(Float64Array.of(1, 2, 8, 8, 5, 5));
});

test("starts are at points far from each other, and at any where they all lie on centres", () => {
  // Three pairs of equal points, far apart.
  const points = { coordinates: Float64Array.of(0, 0, 0, 0, 10, 0, 10, 0, 0, 10, 0, 10), dimensions: 2 };
  const distinct = new Set(["0,0", "10,0", "0,10"]);
  for (let seed = 0; seed < 20; seed++) {
    const three = startingCentres(points, 3, seededRandom(seed));
    expect(new Set([0, 2, 4].map((at) => three.subarray(at, at + 2).join()))).toEqual(distinct);
    const five = startingCentres(points, 5, seededRandom(seed));
    for (const at of [0, 2, 4, 6, 8]) expect(distinct).toContain(five.subarray(at, at + 2).join());
  }
});

test("starts are means of the points nearest to them", () => {
  const points = { coordinates: Float64Array.of(0, 0, 0, 1, 0, 2, 9, 9, 9, 8, 9, 7), dimensions: 2 };
  for (let seed = 0; seed < 20; seed++) {
    const centres = startingCentres(points, 2, seededRandom(seed));
    expect(new Set([centres.subarray(0, 2).join(), centres.subarray(2).join()])).toEqual(new Set(["0,1", "9,8"]));
  }
});

test("starts are there where points are next to nothing apart", () => {
  for (const apart of [1e-150, 1e-155, 1e-158, 1e-200, 5e-324]) {
    const points = { coordinates: Float64Array.of(0, 0, 0, apart, apart, 0, 1, 1), dimensions: 2 };
    for (let seed = 0; seed < 20; seed++) {
      expect(startingCentres(points, 3, seededRandom(seed)).every(Number.isFinite)).toBe(true);
    }
  }
});

test("clusters are where neither assignment nor means can help, in every window", () => {
  for (let seed = 0; seed < 10; seed++) {
    const points = randomPlane(30, seed);
    for (const window of [
      { least: 6, most: 6 },
      { least: 3, most: 10 },
    ]) {
      const found = clusterFrom(points, startingCentres(points, 5, seededRandom(seed)), { window, load: null });
      if (found === null) throw new Error("there are such groups");
      expect(sizesOf(found.labels, 5).every((size) => size >= window.least && size <= window.most)).toBe(true);
      expect(found.centres).toEqual(meansOf(points, found.labels, found.centres));
      const again = clusterFrom(points, found.centres, { window, load: null });
      expect(again?.sumOfSquares).toBeGreaterThanOrEqual(found.sumOfSquares * (1 - 1e-12));
    }
  }
});

test("several windows: the best over all of them", () => {
  // Two groups of two far from one of five.
  const coordinates = Float64Array.of(0, 0, 0, 1, 9, 0, 9, 1, 4, 9, 5, 9, 4, 10, 5, 10, 4.5, 9.5);
  const points = { coordinates, dimensions: 2 };
  const windows = [
    { least: 2, most: 5 },
    { least: 3, most: 3 },
  ];
  const cluster = (some: typeof windows) =>
    constrainedKMeans(points, { towers: 3, windows: some, load: null }, { restarts: 10, random: seededRandom(1) });
  const both = cluster(windows);
  expect(sizesOf(both?.labels ?? [], 3).toSorted()).toEqual([2, 2, 5]);
  expect(cluster(windows.toReversed())?.sumOfSquares).toBe(both?.sumOfSquares);
  const even = cluster([{ least: 3, most: 3 }]);
  expect(sizesOf(even?.labels ?? [], 3)).toEqual([3, 3, 3]);
  expect(even?.sumOfSquares).toBeGreaterThan(both?.sumOfSquares as number);
});

test("the assignment step with loads is the best of all assignments, and says so", () => {
  const random = seededRandom(11);
  let [none, loaded] = [0, 0];
  for (let round = 0; round < 300; round++) {
    const groups = 2 + random.integer(2);
    const points = groups + 1 + random.integer(5);
    const window = { least: random.integer(2), most: Math.ceil(points / groups) + random.integer(3) };
    const costs = Float64Array.from({ length: points * groups }, () => random.integer(40) / 4);
    const weights = Array.from({ length: points }, () => random.integer(9));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const load = { weights, most: Math.floor((total / groups) * (1 + random.next() / 2)) };
    const fits = (numbering: readonly number[]) =>
      sizesOf(numbering, groups).every((size) => size >= window.least && size <= window.most) &&
      loadsOf(numbering, groups, weights).every((own) => own <= load.most);
    let best = Number.POSITIVE_INFINITY;
    let free = Number.POSITIVE_INFINITY;
    for (let code = 0; code < groups ** points; code++) {
      const numbering = Array.from({ length: points }, (_, i) => Math.floor(code / groups ** i) % groups);
      const cost = costOf(costs, groups, numbering);
      free = Math.min(free, cost);
      if (fits(numbering)) best = Math.min(best, cost);
    }
    const { labels: numbering, isExact } = assignWithinLoad(costs, groups, window, load);
    expect(isExact).toBe(true);
    if (best === Number.POSITIVE_INFINITY) {
      none++;
      expect(numbering).toBeNull();
      continue;
    }
    if (best > free) loaded++;
    expect(fits(Array.from(numbering ?? []))).toBe(true);
    expect(costOf(costs, groups, numbering ?? [])).toBeCloseTo(best, 9);
  }
  expect(none).toBeGreaterThan(20);
  expect(loaded).toBeGreaterThan(100);
});

test("of many points with tight loads it finds an assignment that keeps to them", () => {
  const random = seededRandom(12);
  const [points, groups] = [300, 20];
  const plane = randomPlane(points, 12);
  const weights = Array.from({ length: points }, () => 1 + random.integer(20));
  const load = { weights, most: Math.ceil((1.01 * weights.reduce((sum, weight) => sum + weight, 0)) / groups) };
  const costs = squaredDistances(plane, startingCentres(plane, groups, random));
  const { labels: numbering } = assignWithinLoad(costs, groups, { least: 15, most: 15 }, load);
  expect(sizesOf(numbering ?? [], groups)).toEqual(new Array(groups).fill(15));
  expect(Math.max(...loadsOf(numbering ?? [], groups, weights))).toBeLessThanOrEqual(load.most);
});

function costOf(costs: Float64Array, groups: number, numbering: ArrayLike<number>): number {
  return Array.from(numbering).reduce((sum, group, point) => sum + (costs[point * groups + group] as number), 0);
}

test("told to stop, it makes one start and no more, found or not", () => {
  const points = randomPlane(6, 3);
  const windows = [
    { least: 2, most: 4 },
    { least: 3, most: 3 },
  ];
  const drawnWith = (most: number, shouldStop: () => boolean) => {
    let drawn = 0;
    const random = { ...seededRandom(1), next: () => (++drawn % 7) / 7 };
    const load = { weights: [1, 1, 1, 1, 1, 1], most };
    const found = constrainedKMeans(points, { towers: 2, windows, load }, { restarts: 5, random, shouldStop });
    return { drawn, isFound: found !== null };
  };
  const one = drawnWith(6, () => true);
  // Loads of 2 leave no room for six: no start finds anything.
  expect(drawnWith(2, () => true)).toEqual({ drawn: one.drawn, isFound: false });
  expect(one).toEqual({ drawn: one.drawn, isFound: true });
  expect(drawnWith(2, () => false)).toEqual({ drawn: 10 * one.drawn, isFound: false });
});
