import { describe, expect, test } from "vitest";
import { type Random, seededRandom } from "../../../../../src/exact/random.js";
import { descend } from "../../../../../src/problems/tower-partition/methods/descent/descend.js";
import {
  type DescentProblem,
  descentProblem,
  inOrderOfFirst,
  partitionValue,
} from "../../../../../src/problems/tower-partition/methods/descent/limits.js";
import { randomStart } from "../../../../../src/problems/tower-partition/methods/descent/random-start.js";
import { relieve } from "../../../../../src/problems/tower-partition/methods/descent/relieve.js";
import { DescentState } from "../../../../../src/problems/tower-partition/methods/descent/state.js";
import { distanceMatrix, loadsOf, MATRIX_KINDS, problemOf, sizesOf } from "./support.js";

test("the value of a partition, by hand", () => {
  const distance = Float64Array.of(0, 0.5, 1, 0.5, 0, 0.25, 1, 0.25, 0);
  const pairwise = descentProblem(problemOf(distance, 1));
  const kmeans = descentProblem(problemOf(distance, 1, { objective: "kmeans" }));
  expect(partitionValue(pairwise, [0, 0, 0])).toBe(1.75);
  expect(partitionValue(kmeans, [0, 0, 0])).toBeCloseTo((0.25 + 1 + 0.0625) / 3, 15);
  expect(partitionValue({ ...kmeans, clusters: 2 }, [0, 1, 0])).toBe(1 / 2);
});

test("groups are numbered in the order of their first items", () => {
  expect(inOrderOfFirst([2, 0, 2, 1, 0])).toEqual([0, 1, 0, 2, 1]);
});

describe.each(["pairwise", "kmeans"] as const)("a state under %s", (objective) => {
  test("values moves and swaps as the partitions that they lead to", () => {
    const random = seededRandom(1);
    const problem = descentProblem(problemOf(distanceMatrix("uniform", 12, 1), 3, { objective, ratio: 5 }));
    const state = new DescentState(problem, start(problem, random));
    for (let step = 0; step < 300; step++) {
      const before = partitionValue(problem, state.labels);
      const [one, other] = [random.integer(12), random.integer(12)];
      const [a, b] = [state.labels[one] as number, state.labels[other] as number];
      if (a === b) continue;
      const isMove = step % 2 === 0 && state.sizesAllow(a, b);
      const rise = isMove ? state.moveRise(one, b) : state.swapRise(one, other);
      if (isMove) state.move(one, b);
      else state.swap(one, other);
      expect(partitionValue(problem, state.labels) - before).toBeCloseTo(rise, 9);
      expect(Array.from(state.sizes)).toEqual(sizesOf(state.labels, 3));
    }
  });

  test("ends where no move and no swap that is allowed helps", () => {
    let open = 0;
    for (const kind of MATRIX_KINDS) {
      for (const ratio of [1, 1.5, 3]) {
        for (const isLoaded of [false, true]) {
          const weights = Array.from({ length: 17 }, (_, i) => 1 + ((7 * i) % 5));
          const load = isLoaded ? { weights, most: 15 } : null;
          const problem = descentProblem(problemOf(distanceMatrix(kind, 17, 3), 4, { objective, ratio, load }));
          const from = start(problem, seededRandom(5));
          const numbering = descend(problem, from);
          const value = partitionValue(problem, numbering);
          expect(value).toBeLessThan(partitionValue(problem, from));
          expect(isAllowed(problem, numbering)).toBe(true);
          for (const near of neighbours(numbering, 4)) {
            if (!isAllowed(problem, near)) continue;
            open++;
            expect(partitionValue(problem, near)).toBeGreaterThan(value - 1e-9);
          }
        }
      }
    }
    expect(open).toBeGreaterThan(1000);
  });
});

test("a descent goes from one window of sizes to another", () => {
  const windows = [
    { least: 2, most: 3 },
    { least: 1, most: 2 },
  ];
  // Item 0 is far from all others.
  const distance = Float64Array.from({ length: 25 }, (_, at) => {
    const [i, j] = [Math.floor(at / 5), at % 5];
    return i === j ? 0 : i === 0 || j === 0 ? 1 : 0.1;
  });
  const problem = { ...descentProblem(problemOf(distance, 3)), windows };
  expect(sizesOf(descend(problem, [0, 0, 1, 1, 2]), 3).toSorted()).toEqual([1, 2, 2]);
  // From 2, 1, 2 no move leads to sizes outside both: 1, 1, 3 is in neither.
  const state = new DescentState(problem, [0, 0, 1, 2, 2]);
  expect(state.sizesAllow(0, 2)).toBe(false);
  expect(state.sizesAllow(0, 1)).toBe(true);
});

test("it stops when told to", () => {
  const problem = descentProblem(problemOf(distanceMatrix("uniform", 20, 1), 4));
  const from = start(problem, seededRandom(1));
  expect(descend(problem, from, () => true)).toEqual(inOrderOfFirst(from));
});

test("a descent over 1,000 items in 100 groups asks few times whether to stop", () => {
  const problem = descentProblem(problemOf(distanceMatrix("cosine", 1000, 1), 100));
  const from = start(problem, seededRandom(1));
  let asked = 0;
  const numbering = descend(problem, from, () => ++asked < 0);
  // Once for each item that it looks at.
  expect(asked).toBeLessThan(10_000);
  expect(partitionValue(problem, numbering)).toBeLessThan(0.5 * partitionValue(problem, from));
});

test("groups that carry too much are relieved by moves and swaps", () => {
  const load = { weights: [5, 5, 1, 1, 2], most: 8 };
  expect(relieve([0, 0, 1, 1, 1], 2, { least: 1, most: 4 }, load)).toEqual(Int32Array.of(1, 0, 1, 1, 0));
  const swapped = relieve([0, 0, 1, 1], 2, { least: 2, most: 2 }, { weights: [5, 5, 1, 1], most: 6 });
  expect(loadsOf(swapped ?? [], 2, [5, 5, 1, 1])).toEqual([6, 6]);
  expect(relieve([0, 0, 1, 1], 2, { least: 2, most: 2 }, { weights: [5, 5, 1, 1], most: 5 })).toBeNull();
});

test("random starts have all sizes of the window and keep to the load", () => {
  const random = seededRandom(3);
  const seen = new Set<number>();
  for (let round = 0; round < 200; round++) {
    for (const size of sizesOf(
      randomStart({ elements: 9, clusters: 3, load: null }, { least: 2, most: 4 }, random) ?? [],
      3,
    )) {
      seen.add(size);
    }
  }
  expect([...seen].sort()).toEqual([2, 3, 4]);
  // One way alone: 6 | 3, 3 | 2, 2, 2.
  const load = { weights: [2, 3, 6, 2, 3, 2], most: 6 };
  for (let round = 0; round < 20; round++) {
    const numbering = randomStart({ elements: 6, clusters: 3, load }, { least: 1, most: 3 }, random);
    expect(inOrderOfFirst(numbering ?? [])).toEqual([0, 1, 2, 0, 1, 0]);
  }
  expect(
    randomStart({ elements: 6, clusters: 3, load: { ...load, most: 5 } }, { least: 1, most: 3 }, random),
  ).toBeNull();
});

function start(problem: DescentProblem, random: Random): ArrayLike<number> {
  const numbering = randomStart(problem, problem.windows[0] as DescentProblem["windows"][number], random);
  if (numbering === null) throw new Error("there is no start");
  return numbering;
}

function isAllowed({ clusters: groups, windows, load }: DescentProblem, numbering: readonly number[]): boolean {
  const sizes = sizesOf(numbering, groups);
  const isSized = windows.some(({ least, most }) => sizes.every((size) => size >= least && size <= most));
  return isSized && (load === null || loadsOf(numbering, groups, load.weights).every((own) => own <= load.most));
}

function* neighbours(numbering: readonly number[], groups: number): Generator<readonly number[]> {
  for (const [i, a] of numbering.entries()) {
    for (let to = 0; to < groups; to++) yield numbering.with(i, to);
    for (let j = 0; j < i; j++) yield numbering.with(i, numbering[j] as number).with(j, a);
  }
}
