import { expect, test } from "vitest";
import { conflictOf } from "../../../models/joint-towers/conflict.js";
import { type Random, seededRandom } from "../../../src/exact/random.js";
import type { TowerJoint, TowerTable } from "../../../src/instance/types/tower-partition.js";
import { isConflicting } from "../../../src/program/grouping/conflict.js";
import { leastElements } from "../../support/brute-force-joint.js";

function jointOf(tables: readonly (readonly [rows: number, dim: number, elementBytes: number])[], gpus: number) {
  return {
    cluster: { nodes: 1, gpusPerNode: gpus },
    tables: tables.map(([rows, dim, elementBytes]): TowerTable => ({ rows, dim, elementBytes, poolingFactor: 1 })),
  } as unknown as TowerJoint;
}

test("by hand: tables of as many rows are as good as one another, larger ones stand for smaller ones", () => {
  const joint = jointOf(
    [
      [9, 1, 4],
      [5, 1, 4],
      [5, 1, 4],
      [3, 1, 4],
      [5, 2, 4],
      [5, 1, 2],
    ],
    2,
  );
  const shape = { towers: 1, hostsPerTower: 1 };
  // Two of five rows or more.
  expect(conflictOf(joint, shape, [1, 2])).toEqual([{ elements: [0, 1, 2], count: 2 }]);
  // One of five or more, two of three or more.
  expect(conflictOf(joint, shape, [1, 3])).toEqual([
    { elements: [0, 1, 2], count: 1 },
    { elements: [0, 1, 2, 3], count: 2 },
  ]);
  // Other widths and elements are on their own.
  expect(conflictOf(joint, shape, [3, 4, 5]).map(({ elements: items }) => items)).toEqual([[0, 1, 2, 3], [4], [5]]);
  // On eight GPUs the table of nine rows can be split by rows, and so need less than those that cannot.
  expect(conflictOf(joint, { towers: 1, hostsPerTower: 4 }, [1])).toEqual([{ elements: [1, 2], count: 1 }]);
});

test("every set that a conflict keeps out of a tower has no place, as the one that it was made of", () => {
  const random: Random = seededRandom(7401);
  const seen = { refused: 0, lifted: 0 };
  for (let round = 0; round < 150; round++) {
    const gpus = 2 + random.integer(2);
    const joint = jointOf(
      Array.from({ length: 5 }, () => [1 + random.integer(7), 1 + random.integer(2), 2 + 2 * random.integer(2)]),
      gpus,
    );
    const memory = 8 + random.integer(40);
    const hasPlace = (features: readonly number[]) =>
      leastElements(
        features.map((feature) => joint.tables[feature] as TowerTable),
        gpus,
        memory,
      ) !== null;
    const sets = Array.from({ length: 31 }, (_, set) => [0, 1, 2, 3, 4].filter((f) => ((set + 1) & (1 << f)) !== 0));
    const unplaceable = sets.filter((set) => !hasPlace(set));
    const [fewest] = unplaceable.toSorted((a, b) => a.length - b.length);
    if (fewest === undefined) continue;
    const conflict = conflictOf(joint, { towers: 1, hostsPerTower: 1 }, fewest);
    expect(isConflicting(conflict, fewest)).toBe(true);
    for (const set of sets.filter((one) => isConflicting(conflict, one))) {
      expect([round, set, hasPlace(set)]).toEqual([round, set, false]);
      seen[fewest.every((feature) => set.includes(feature)) ? "refused" : "lifted"]++;
    }
  }
  expect(seen.refused).toBeGreaterThan(200);
  expect(seen.lifted).toBeGreaterThan(100);
});
