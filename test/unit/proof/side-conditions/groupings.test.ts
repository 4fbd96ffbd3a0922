import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { evaluateGrouping } from "../../../../src/program/grouping/evaluate.js";
import type { Grouping } from "../../../../src/program/grouping/grouping.js";
import { ProgramError } from "../../../../src/program/program.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { certificateOf, refusalOf } from "./false-proof.js";

const zeros = (count: number) => new Array<Rational>(count).fill(Rational.zero);

/** Three items that cost nothing. */
const THREE: Grouping = {
  name: "three",
  elements: ["a", "b", "c"],
  clusters: 3,
  pairs: zeros(3),
  share: "whole",
  windows: [{ least: 1, most: 1 }],
  load: null,
};
const TWO_CLUSTERS: Grouping = { ...THREE, clusters: 2, windows: [{ least: 1, most: 2 }] };
const EMPTY_FACTOR = [[0], [0, 0], [0, 0, 0]];

describe("a false claim about a grouping is refused where not", () => {
  test.each([
    {
      condition: "halves are of two groups",
      grouping: THREE,
      labels: [0, 1, 2],
      claim: null,
      step: { halves: {} },
      says: "halves are of two groups, not of 3",
    },
    {
      condition: "the price of a cut is not negative",
      grouping: THREE,
      labels: [0, 1, 2],
      claim: "5",
      step: { groups: { prices: {}, cuts: [{ items: ["a", "b", "c"], price: "-5" }] } },
      says: "the price of a cut is not negative",
    },
    {
      condition: "a divisor is an integer from 2 on",
      grouping: TWO_CLUSTERS,
      labels: [0, 0, 1],
      claim: "15",
      step: { groups: { prices: {}, cuts: [{ items: ["a", "b", "c"], divisor: -1, price: "5" }] } },
      says: "a divisor is an integer from 2 on",
    },
    {
      condition: "the price of a semidefinite cut is not negative",
      grouping: TWO_CLUSTERS,
      labels: [0, 0, 1],
      claim: "20",
      step: {
        semidefinite: {
          ...{ bits: 1, rows: [0, 0, 0], factor: EMPTY_FACTOR },
          cuts: [{ price: -1, floor: -5, plus: [0, 1, 2], minus: [] }],
        },
      },
      says: "an integer of at least 0 was expected, -1 is there",
    },
  ])("$condition", ({ grouping, labels, claim, step, says }) => {
    const { objective, violations } = evaluateGrouping(grouping, labels);
    expect(violations).toEqual([]);
    expect(claim === null || objective.compare(Rational.parse(claim)) < 0).toBe(true);
    expect(refusalOf(grouping, certificateOf(grouping, claim, [step]))).toContain(says);
  });
});

/** Groupings that nobody but a caller of the library can make; the numbering beside each contradicts the claim. */
describe("a grouping is looked at before anything is proved of it", () => {
  const huge = Rational.of(-(2n ** 60n));
  test.each([
    {
      condition: "pairs are not negative",
      grouping: {
        ...THREE,
        clusters: 1,
        windows: [{ least: 3, most: 3 }],
        pairs: [huge, Rational.of(-1n), Rational.zero],
      },
      labels: [0, 0, 0],
      claim: huge.toString(),
      step: { groups: { prices: {} } },
      says: "a pair is negative",
    },
    {
      condition: "weights are not negative",
      grouping: {
        ...{ ...THREE, clusters: 1, windows: [{ least: 3, most: 3 }] },
        load: { weights: [3n, -2n, 0n].map((weight) => Rational.of(weight)), most: Rational.one },
      },
      labels: [0, 0, 0],
      claim: null,
      step: { groups: { prices: {} } },
      says: "a weight is negative",
    },
  ])("$condition", ({ grouping, labels, claim, step, says }) => {
    const { objective, violations } = evaluateGrouping(grouping, labels);
    expect(violations).toEqual([]);
    expect(claim === null || objective.compare(Rational.parse(claim)) < 0).toBe(true);
    const check = () => checkCertificate(grouping, certificateOf(grouping, claim, [step]));
    expect(check).toThrow(ProgramError);
    expect(check).toThrow(says);
  });

  test.each([
    { says: "0 groups are no number of groups", broken: { clusters: 0 } },
    { says: "1.5 groups are no number of groups", broken: { clusters: 1.5 } },
    { says: "3 pairs were expected, 2 are there", broken: { pairs: zeros(2) } },
    { says: "sizes are not integers with 1 ≤ least ≤ most", broken: { windows: [{ least: 0, most: 3 }] } },
    { says: "sizes are not integers with 1 ≤ least ≤ most", broken: { windows: [{ least: 1, most: Number.NaN }] } },
    { says: "not every item has a weight", broken: { load: { weights: zeros(2), most: Rational.one } } },
    { says: "not every item has a weight", broken: { furtherLoads: [{ weights: zeros(2), most: Rational.one }] } },
    { says: "a conflict has no parts", broken: { conflicts: [[]] } },
    { says: "a conflict needs none of its items", broken: { conflicts: [[{ elements: [0], count: 0 }]] } },
    { says: "a conflict has an item twice", broken: { conflicts: [[{ elements: [0, 0], count: 1 }]] } },
    { says: "a conflict has an item that there is not", broken: { conflicts: [[{ elements: [3], count: 1 }]] } },
  ])("$says", ({ says, broken }) => {
    const grouping: Grouping = { ...THREE, ...broken };
    expect(() => checkCertificate(grouping, certificateOf(grouping, "1", []))).toThrow(says);
  });
});
