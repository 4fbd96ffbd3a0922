import { expect, test } from "vitest";
import { towerGrouping } from "../../../../models/tower-partition/build.js";
import { seededRandom } from "../../../../src/exact/random.js";
import { Rational } from "../../../../src/exact/rational.js";
import type { TowerPartitionInstance } from "../../../../src/instance/types/tower-partition.js";
import { capturedShare, randomValue } from "../../../../src/problems/tower-partition/plan-file/captured-share.js";
import {
  describeTowerInfeasibility,
  loadShortages,
} from "../../../../src/problems/tower-partition/plan-file/infeasibility.js";
import { partitions, partitionValue } from "../../../support/brute-force-towers.js";
import { randomTowers } from "../../../support/random-towers.js";

/** Towers of features with these loads, all equally unlike. */
function towers(count: number, weights: readonly number[], loadRatio: number | null, sizeRatio = 1) {
  const features = weights.map((_, k) => `f${k}`);
  const instance: TowerPartitionInstance = {
    problem: "tower-partition",
    name: "made",
    towers: count,
    sizeRatio,
    strategy: "coherent",
    objective: "pairwise",
    features,
    interaction: { kind: "given", rows: [] },
    load: { weights, ratio: loadRatio },
    file: "-",
    sha256: "",
  };
  const matrix = Float64Array.from({ length: features.length ** 2 }, () => 0.5);
  return { instance, grouping: towerGrouping(instance, matrix) };
}

const why = (...given: Parameters<typeof towers>) => {
  const { instance, grouping } = towers(...given);
  return describeTowerInfeasibility(instance, grouping, null);
};

test("the value of a random partition is the mean over all of them with the evenest sizes", () => {
  const random = seededRandom(1);
  const kinds = new Set<string>();
  for (let k = 0; k < 12; k++) {
    const { parts, interaction } = randomTowers(random, { features: 8 });
    const free = { ...parts, sizeRatio: 1, load: null };
    const { features, towers: count, objective } = free;
    if (count > features.length) continue;
    kinds.add(objective);
    const sizesOf = (numbering: readonly number[]) =>
      Array.from({ length: count }, (_, tower) => numbering.filter((own) => own === tower).length);
    const even = partitions(features.length, count).filter((numbering) => {
      const sizes = sizesOf(numbering);
      return Math.max(...sizes) - Math.min(...sizes) <= 1;
    });
    const values = even.map((numbering) => partitionValue(free, interaction, numbering));
    const mean = values.reduce((sum, value) => sum.add(value), Rational.zero).divide(Rational.of(BigInt(even.length)));
    expect(randomValue(towerGrouping(free, interaction))?.toString()).toBe(mean.toString());
  }
  expect(kinds.size).toBe(2);
});

test("there is no random partition into more groups than items", () => {
  expect(randomValue(towers(3, [1, 1], null).grouping)).toBeNull();
  expect(randomValue(towers(1, [1], null).grouping)?.toString()).toBe("0");
});

test("the captured share is 1 at the optimum, 0 at random, and nothing where these are one", () => {
  const whole = (value: number) => Rational.of(BigInt(value));
  const scale = { random: whole(10), optimum: whole(2) };
  expect([2, 10, 4, 14].map((value) => capturedShare(whole(value), scale))).toEqual([1, 0, 0.75, -0.5]);
  expect(capturedShare(whole(2), { random: whole(2), optimum: whole(2) })).toBeNull();
  expect(capturedShare(whole(2), { random: null, optimum: whole(1) })).toBeNull();
  expect(capturedShare(null, scale)).toBeNull();
});

test("one feature that is too heavy by itself", () => {
  expect(why(2, [9, 1, 1, 1], 1.25)).toMatchObject({
    kind: "feature",
    conflict: ["f0"],
    loadNeeded: 9,
    loadAllowed: 7.5,
    explanation: 'the feature "f0" carries 9, and a tower may carry 7.5',
  });
});

test("one feature that is too heavy with the lightest others that it must have beside it", () => {
  // Three features in each tower, a mean of 9: the 7 is with 1 and 2 at best.
  expect(why(2, [7, 1, 2, 3, 2, 3], 1.1)).toMatchObject({
    kind: "company",
    conflict: ["f0", "f4", "f1"],
    loadNeeded: 10,
    explanation: expect.stringContaining("with the 2 lightest others it carries 10, and a tower may carry 9.9"),
  });
});

test("too many heavy features for the towers", () => {
  const { kind, conflict, loadNeeded, explanation } = why(2, [5, 5, 5, 1, 1, 1], 1.05, 4);
  expect([kind, conflict, loadNeeded]).toEqual(["crowding", ["f0", "f1", "f2"], 10]);
  expect(explanation).toContain("of the 3 heaviest features some tower gets at least 2, because there are 2 towers");
});

test("the arrangement of all, and the ratio that a partition shows to be enough", () => {
  const { instance, grouping } = towers(2, [4, 4, 3, 3, 3, 3], 1, 2);
  expect(loadShortages(grouping)).toEqual([]);
  // 4 + 3 + 3 = 10 on both sides: feasible. With 5 in place of a 4 the total is odd.
  const odd = towers(2, [5, 4, 3, 3, 3, 3], 1, 2);
  const said = describeTowerInfeasibility(odd.instance, odd.grouping, [0, 1, 0, 0, 1, 1]);
  expect(said).toMatchObject({ kind: "arrangement", loadNeeded: null, loadAllowed: 10.5 });
  expect(said.conflict).toHaveLength(6);
  expect(said.relaxed).toEqual({ loadRatio: 1.047_62, numbering: [0, 1, 0, 0, 1, 1] });
  // The ratio is rounded up: it has to be enough.
  expect(1.047_62 * 10.5).toBeGreaterThanOrEqual(11);
  expect(said.explanation).toContain("; a loadRatio of 1.04762 is enough");
  expect(() => describeTowerInfeasibility(instance, grouping, [0, 1, 0, 0, 1, 1])).toThrow("it breaks nothing");
  expect(() => describeTowerInfeasibility(odd.instance, odd.grouping, [0, 0, 0, 0, 0, 1])).toThrow("too many");
});

test("more towers than features, and sizes that no ratio allows", () => {
  expect(why(4, [1, 1, 1], null)).toMatchObject({
    kind: "towers",
    explanation: "4 towers are more than the 3 features: some tower would be empty; lower towers to 3 or fewer",
  });
  expect(why(3, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], null, 1.2)).toMatchObject({
    kind: "sizes",
    explanation: expect.stringContaining(
      "the evenest sizes are 3 and 4, and no sizes of a ratio of at most 1.2 add up",
    ),
  });
  const { instance, grouping } = towers(2, [1, 1, 1], null);
  expect(() => describeTowerInfeasibility(instance, grouping, null)).toThrow("there is a partition");
});
