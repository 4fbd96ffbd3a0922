import { describe, expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { crossover } from "../../../../../src/problems/tower-partition/methods/descent/crossover.js";
import { descend } from "../../../../../src/problems/tower-partition/methods/descent/descend.js";
import {
  type DescentProblem,
  descentProblem,
  partitionValue,
} from "../../../../../src/problems/tower-partition/methods/descent/limits.js";
import { randomStart } from "../../../../../src/problems/tower-partition/methods/descent/random-start.js";
import { tabuSearch } from "../../../../../src/problems/tower-partition/methods/descent/tabu.js";
import { distanceMatrix, loadsOf, MATRIX_KINDS, problemOf, sizesOf } from "./support.js";

const WEIGHTS = Array.from({ length: 24 }, (_, i) => 1 + ((7 * i) % 5));
const SHAPES = (["pairwise", "kmeans"] as const).flatMap((objective) =>
  [1, 1.7].flatMap((ratio) => [false, true].map((isLoaded) => ({ objective, ratio, isLoaded }))),
);

function problemsOf({ objective, ratio, isLoaded }: (typeof SHAPES)[number]): readonly DescentProblem[] {
  const load = isLoaded ? { weights: WEIGHTS, most: 16 } : null;
  return MATRIX_KINDS.flatMap((kind) => {
    const problem = descentProblem(problemOf(distanceMatrix(kind, 24, 4), 5, { objective, ratio, load }));
    return problem.windows.map((window) => ({ ...problem, windows: [window] }));
  });
}

function expectAllowed({ clusters: groups, windows, load }: DescentProblem, numbering: ArrayLike<number>): void {
  const [window] = windows;
  for (const size of sizesOf(numbering, groups)) {
    expect(size).toBeGreaterThanOrEqual(window?.least as number);
    expect(size).toBeLessThanOrEqual(window?.most as number);
  }
  if (load === null) return;
  for (const carried of loadsOf(Array.from(numbering), groups, Array.from(load.weights))) {
    expect(carried).toBeLessThanOrEqual(load.most);
  }
}

describe.each(SHAPES)("$objective, ratio $ratio, loads $isLoaded", (shape) => {
  test("tabu search leaves what descents end in, and keeps to sizes and loads", () => {
    let better = 0;
    for (const problem of problemsOf(shape)) {
      const random = seededRandom(2);
      for (let round = 0; round < 3; round++) {
        const start = randomStart(problem, problem.windows[0] as never, random);
        if (start === null) throw new Error("a start was expected");
        const end = descend(problem, start);
        const found = tabuSearch(problem, end, random, { idle: 60, tenure: 5 });
        expectAllowed(problem, found);
        const rise = partitionValue(problem, found) - partitionValue(problem, end);
        expect(rise).toBeLessThanOrEqual(1e-12);
        if (rise < -1e-9) better++;
        // Where it ends, nothing is left to descend.
        expect(descend(problem, found)).toEqual(found);
      }
    }
    expect(better).toBeGreaterThan(0);
  });

  test("children keep to sizes and loads", () => {
    for (const problem of problemsOf(shape)) {
      const random = seededRandom(3);
      const window = problem.windows[0] as { least: number; most: number };
      for (let round = 0; round < 5; round++) {
        const parents = [0, 1].map(() => randomStart(problem, window, random)) as [
          readonly number[],
          readonly number[],
        ];
        const child = crossover(problem, window, parents, random);
        if (child === null) {
          expect(problem.load).not.toBeNull();
          continue;
        }
        expectAllowed(problem, child);
      }
    }
  });
});

test("a child of one numbering twice is that numbering", () => {
  const problem = descentProblem(problemOf(distanceMatrix("uniform", 24, 1), 6));
  const parent = Array.from({ length: 24 }, (_, i) => i % 6);
  const child = crossover(problem, { least: 4, most: 4 }, [parent, parent], seededRandom(1)) as ArrayLike<number>;
  const pairs = (numbering: ArrayLike<number>) =>
    parent.flatMap((_, i) => parent.map((_, j) => numbering[i] === numbering[j]));
  expect(pairs(child)).toEqual(pairs(parent));
});

test("tabu search stops when told to, and gives what it began with where nothing can change", () => {
  const problem = descentProblem(problemOf(distanceMatrix("uniform", 24, 1), 4));
  const start = Array.from({ length: 24 }, (_, i) => i % 4);
  const stopped = tabuSearch(problem, start, seededRandom(1), { idle: 60, tenure: 5, shouldStop: () => true });
  expect(stopped).toEqual(start);
  const whole = { ...problem, groups: 1, windows: [{ least: 24, most: 24 }] };
  expect(
    tabuSearch(
      whole,
      start.map(() => 0),
      seededRandom(1),
      { idle: 60, tenure: 5 },
    ),
  ).toEqual(start.map(() => 0));
});
