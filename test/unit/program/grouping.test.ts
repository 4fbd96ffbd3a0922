import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { clusterCost, clusterLoad, evaluateGrouping } from "../../../src/program/grouping/evaluate.js";
import { type Grouping, isGrouping, pairIndex } from "../../../src/program/grouping/grouping.js";
import { groupingHash } from "../../../src/program/grouping/hash.js";
import { makeProgram } from "../../../src/program/program.js";

const q = (text: string) => Rational.parse(text);

/** Items a, b, c, d; the pairs are 1, 2, …, 6 in the order (0,1), (0,2), (1,2), (0,3), (1,3), (2,3). */
const FOUR: Grouping = {
  name: "four",
  elements: ["a", "b", "c", "d"],
  clusters: 2,
  pairs: [1, 2, 3, 4, 5, 6].map((pair) => Rational.fromNumber(pair)),
  share: "whole",
  windows: [{ least: 2, most: 2 }],
  load: null,
};

describe("evaluateGrouping", () => {
  test("adds up the pairs of each group", () => {
    expect(pairIndex(0, 1)).toBe(0);
    expect(pairIndex(2, 3)).toBe(5);
    const { objective, members, violations } = evaluateGrouping(FOUR, [0, 1, 0, 1]);
    expect(objective).toEqual(q("7"));
    expect(members).toEqual([
      [0, 2],
      [1, 3],
    ]);
    expect(violations).toEqual([]);
  });

  test("shares each group's cost by its size", () => {
    const shared: Grouping = { ...FOUR, share: "bySize", windows: [{ least: 1, most: 3 }] };
    expect(evaluateGrouping(shared, [0, 0, 0, 1]).objective).toEqual(q("2"));
    expect(clusterCost(shared, [2, 0, 1])).toEqual(q("2"));
    expect(clusterCost(shared, [3])).toEqual(q("0"));
    expect(
      evaluateGrouping({ ...shared, pairs: FOUR.pairs.map((pair) => pair.divide(q("7"))) }, [0, 0, 0, 1]).objective,
    ).toEqual(q("2/7"));
  });

  test("names the group whose size or load is beyond, and by how much", () => {
    const load = { weights: ["1/3", "1/3", "1/3", "0.5"].map(q), most: q("1") };
    const loaded: Grouping = { ...FOUR, load };
    expect(clusterLoad(loaded, [0, 1, 2])).toEqual(q("1"));
    const { violations, loads } = evaluateGrouping({ ...loaded, windows: [{ least: 2, most: 2 }] }, [1, 0, 1, 1]);
    expect(loads).toEqual([q("1/3"), q("7/6")]);
    expect(violations).toEqual([
      { kind: "row-lower", index: 0, name: "size_0", amount: q("1") },
      { kind: "row-upper", index: 1, name: "size_1", amount: q("1") },
      { kind: "row-upper", index: 1, name: "load_1", amount: q("1/6") },
    ]);
  });

  test("holds sizes against the window that they miss least", () => {
    const windows = [
      { least: 1, most: 1 },
      { least: 1, most: 3 },
    ];
    expect(evaluateGrouping({ ...FOUR, windows }, [0, 0, 0, 1]).violations).toEqual([]);
    expect(evaluateGrouping({ ...FOUR, windows: [] }, [0, 0, 0, 1]).violations).toHaveLength(2);
    expect(evaluateGrouping(FOUR, [0, 0, 0, 0]).violations).toEqual([
      { kind: "row-upper", index: 0, name: "size_0", amount: q("2") },
      { kind: "row-lower", index: 1, name: "size_1", amount: q("2") },
    ]);
  });

  test("holds every group against further loads and conflicts", () => {
    const further = { weights: ["1", "1", "1/3", "0"].map(q), most: q("1") };
    const conflicts = [
      [{ elements: [1, 2, 3], count: 2 }],
      [
        { elements: [0], count: 1 },
        { elements: [3], count: 1 },
      ],
    ];
    const limited = { ...FOUR, furtherLoads: [further, further], conflicts };
    expect(evaluateGrouping(limited, [0, 1, 0, 1]).violations).toEqual([
      { kind: "row-upper", index: 0, name: "load_0_0", amount: q("1/3") },
      { kind: "row-upper", index: 0, name: "load_1_0", amount: q("1/3") },
      { kind: "row-upper", index: 1, name: "conflict_0_1", amount: q("1") },
    ]);
    expect(evaluateGrouping(limited, [0, 1, 1, 0]).violations.map(({ name }) => name)).toEqual([
      ...["load_0_1", "load_1_1", "conflict_0_1", "conflict_1_0"],
    ]);
  });

  test("refuses what is no numbering", () => {
    expect(() => evaluateGrouping(FOUR, [0, 1, 0])).toThrow("the groups of 4 items were expected, 3 were given");
    expect(() => evaluateGrouping(FOUR, [0, 1, 2, 0])).toThrow('item "c" is in group 2 of 2');
    expect(() => evaluateGrouping(FOUR, [0, 1, 0.5, 0])).toThrow(RangeError);
  });
});

test("the hash is of everything but the name", () => {
  const load = { weights: FOUR.elements.map(() => q("1")), most: q("2") };
  const others: readonly Grouping[] = [
    { ...FOUR, elements: ["a", "b", "d", "c"] },
    { ...FOUR, clusters: 3 },
    { ...FOUR, pairs: [...FOUR.pairs.slice(0, 5), q("6.5")] },
    { ...FOUR, share: "bySize" },
    { ...FOUR, windows: [{ least: 1, most: 2 }] },
    { ...FOUR, load },
    { ...FOUR, load: { ...load, most: q("3") } },
    { ...FOUR, load: { ...load, weights: ["2", "1", "1", "1"].map(q) } },
    { ...FOUR, furtherLoads: [load] },
    { ...FOUR, furtherLoads: [load, load] },
    { ...FOUR, conflicts: [[{ elements: [0, 1], count: 2 }]] },
    { ...FOUR, conflicts: [[{ elements: [0, 1], count: 1 }]] },
    { ...FOUR, conflicts: [[{ elements: [0, 1, 2], count: 2 }]] },
    {
      ...FOUR,
      conflicts: [
        [
          { elements: [0, 1], count: 2 },
          { elements: [2], count: 1 },
        ],
      ],
    },
    { ...FOUR, conflicts: [[{ elements: [0, 1], count: 2 }], [{ elements: [2], count: 1 }]] },
  ];
  const hashes = [FOUR, ...others].map(groupingHash);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect(groupingHash({ ...FOUR, name: "another" })).toBe(hashes[0]);
  expect(groupingHash({ ...FOUR, furtherLoads: [], conflicts: [] })).toBe(hashes[0]);
});

test("a grouping is told from a program", () => {
  expect(isGrouping(FOUR)).toBe(true);
  expect(isGrouping(makeProgram({ columns: [], rows: [] }))).toBe(false);
});
