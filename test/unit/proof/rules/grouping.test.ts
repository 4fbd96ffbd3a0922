import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import type { Grouping } from "../../../../src/program/grouping/grouping.js";
import { makeProgram } from "../../../../src/program/program.js";
import { type ListedClusters, readCertificate, type Step } from "../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import type { SemidefiniteStep } from "../../../../src/proof/kernel/grouping/semidefinite.js";
import { InfeasiblePointError, Verdict } from "../../../../src/proof/verdict.js";
import { groupingCertificate } from "../../../support/grouping-proof.js";

const q = (text: string) => Rational.parse(text);

/**
 * Items a, b, c, d in two groups of two. Pairs ab 0, ac 2, bc 3, ad 4, bd 5, cd 6: {ab, cd} is worth 6, {ac, bd} and
 * {ad, bc} are worth 7.
 */
const FOUR: Grouping = {
  name: "four",
  elements: ["a", "b", "c", "d"],
  clusters: 2,
  pairs: ["0", "2", "3", "4", "5", "6"].map(q),
  share: "whole",
  windows: [{ least: 2, most: 2 }],
  load: null,
};

const SIX = q("6");
const groups = (prices: Record<string, string> = {}, listed?: ListedClusters): Step => ({
  groups: listed === undefined ? { prices } : { prices, listed },
});
const pair = (first: string, second: string): Step => ({ pair: [first, second] });
const prove = (steps: readonly Step[], claim: Rational | null = SIX, grouping = FOUR) =>
  checkCertificate(grouping, groupingCertificate(grouping, claim, steps));

describe("a proof about a grouping", () => {
  test("by prices, and what they leave", () => {
    // With prices of 3 for c and d the cheapest group is ac, at 2 − 3: two groups of it and the prices are worth 4.
    const prices = { c: "3", d: "3" };
    expect(prove([groups(prices)], q("4")).bound).toEqual(q("4"));
    // What is left below 6 makes up no partition but one of 6.
    expect(prove([groups(prices)]).bound).toEqual(SIX);
    expect(() => prove([groups(prices)], q("6.0001"))).toThrow(
      "step 1: groups make up a partition that is better than the claim",
    );
  });

  test("by prices with a cut: no two groups have two of three items", () => {
    // Three items worth 1 by pair, alone or two and a third: with prices of 1/2 the pairs alone are worth nothing.
    const three: Grouping = {
      ...{ name: "three", elements: ["a", "b", "c"], clusters: 2, share: "whole", load: null },
      ...{ windows: [{ least: 1, most: 2 }], pairs: ["1", "1", "1"].map(q) },
    };
    const cuts = [{ items: ["a", "b", "c"], price: "1" }] as const;
    const step = (prices: Record<string, string>, more: object): Step => ({ groups: { prices, ...more } });
    const ones = { a: "1", b: "1", c: "1" };
    // Pairs cost 1 and earn 2, and pay 1: nothing is left over. Alone an item earns 1.
    expect(prove([step(ones, { cuts })], q("1"), three).bound).toEqual(Rational.one);
    expect(() => prove([step(ones, { cuts })], q("1.0001"), three)).toThrow("better than the claim");
    expect(() => prove([step(ones, { cuts: [{ items: ["a", "b", "b"], price: "1" }] })], q("1"), three)).toThrow(
      "step 1: the items of a cut are all different",
    );
    expect(() => prove([step(ones, { cuts: [{ items: ["a", "b", "c"], price: "-1" }] })], q("1"), three)).toThrow(
      "step 1: the price of a cut is not negative",
    );
  });

  test("by a pair: together, then apart", () => {
    // Together they leave only {ab, cd}; apart nothing is below 7.
    expect(prove([pair("a", "b"), groups(), groups()]).bound).toEqual(SIX);
    expect(() => prove([pair("a", "b"), groups()])).toThrow("step 3: missing: 1 nodes are still open");
    expect(() => prove([pair("a", "b"), groups(), groups(), groups()])).toThrow("step 4");
    expect(() => prove([])).toThrow("step 1: missing: 1 nodes are still open");
  });

  test("of nothing: a pair that is together and apart leaves an empty node", () => {
    expect(prove([pair("a", "b"), groups(), pair("b", "a"), groups(), groups()]).bound).toEqual(SIX);
    const loaded: Grouping = { ...FOUR, load: { weights: ["1", "1", "1", "1"].map(q), most: q("1.5") } };
    expect(prove([groups()], null, loaded).bound).toBeNull();
    expect(prove([{ halves: {} }], null, loaded).bound).toBeNull();
    expect(() => prove([groups()], null)).toThrow("step 1: groups make up");
    expect(prove([], null, { ...FOUR, windows: [] }).bound).toBeNull();
    expect(() => prove([groups()], null, { ...FOUR, windows: [] })).toThrow("step 1: every node is closed already");
  });

  test("window by window", () => {
    const windows = [
      { least: 1, most: 3 },
      { least: 2, most: 2 },
    ];
    const wide: Grouping = { ...FOUR, windows };
    // {abc, d} is worth 5.
    expect(prove([{ halves: {} }, { halves: {} }], q("5"), wide).bound).toEqual(q("5"));
    expect(prove([groups(), groups()], q("5"), wide).bound).toEqual(q("5"));
    expect(() => prove([groups()], q("5"), wide)).toThrow("step 2: missing: 1 nodes are still open");
    expect(() => prove([groups(), groups()], q("5.5"), wide)).toThrow("step 1");
  });

  test("by a semidefinite bound: what it leaves has more pairs apart", () => {
    const nothing: SemidefiniteStep = {
      semidefinite: { bits: 1, rows: [0, 0, 0, 0], cuts: [], factor: [[0], [0, 0], [0, 0, 0], [0, 0, 0, 0]] },
    };
    // The bound is 0, and a pair beside it at least its weight: nothing below 6 has c and d together.
    expect(prove([nothing], q("0")).bound).toEqual(q("0"));
    expect(() => prove([nothing])).toThrow("step 2: missing: 1 nodes are still open");
    expect(prove([nothing, { halves: {} }]).bound).toEqual(SIX);
    expect(() => prove([nothing, nothing])).toThrow("step 2: the multipliers prove 0, below the claim of 6");
    expect(() => prove([nothing, { halves: {} }], q("6.5"))).toThrow(
      "step 1: the multipliers prove 0, below the claim of 6.5",
    );
    expect(() => prove([nothing, { halves: {} }], null)).toThrow("does not show that there is no numbering");
    const { semidefinite } = nothing;
    expect(() => prove([{ semidefinite: { ...semidefinite, rows: [0, 0, 0] } }])).toThrow(
      "step 1: numbers for 4 items",
    );
  });

  test("by what is done with the groups that are left: other prices, then a pair", () => {
    const narrow = [{ prices: { c: "3", d: "3" } }];
    // At no prices all six groups are left below 6; at these some are, and ab with cd, worth 6, is not below it.
    expect(prove([groups({}, { narrow })]).bound).toEqual(SIX);
    const split = { pair: ["a", "b"], together: { narrow: [] }, apart: { narrow } } as const;
    expect(prove([groups({}, { narrow, split })]).bound).toEqual(SIX);
    expect(prove([groups({}, { narrow: [], split })]).bound).toEqual(SIX);
    expect(() => prove([groups({}, { narrow: [], split })], q("6.5"))).toThrow("better than the claim");
    // Beyond the claim both ab with cd and ac with bd are left, one in each half.
    const other = { pair: ["a", "c"], together: { narrow }, apart: { narrow: [...narrow, ...narrow] } } as const;
    expect(() => prove([groups({}, { narrow: [], split: other })], q("6.5"))).toThrow("better than the claim");
    // Prices that leave nothing end it: what is beneath them is of no more use.
    expect(prove([groups({ c: "3", d: "3" }, { narrow: [], split })], q("4")).bound).toEqual(q("4"));
    expect(prove([groups({}, { narrow, split })], q("4")).bound).toEqual(q("4"));
    const named = (pair: readonly [string, string]) => groups({}, { narrow: [], split: { ...split, pair } });
    expect(() => prove([named(["a", "e"])])).toThrow('step 1: there is no item "e" in "four"');
    expect(() => prove([named(["a", "a"])])).toThrow("a pair has two items");
  });

  test("is refused where it names what is not there, or is of another grouping", () => {
    expect(() => prove([groups({ e: "1" })])).toThrow('step 1: there is no item "e" in "four"');
    expect(() => prove([pair("a", "e")])).toThrow('there is no item "e"');
    expect(() => prove([pair("a", "a")])).toThrow("a pair has two items");
    expect(() => prove([{ branch: "a", at: "0" }])).toThrow("of a program, not of a grouping");
    const other: Grouping = { ...FOUR, clusters: 3, windows: [{ least: 1, most: 2 }] };
    expect(() => prove([{ halves: {} }], SIX, other)).toThrow("halves are of two groups, not of 3");
    const certificate = groupingCertificate(FOUR, SIX, [groups()]);
    expect(() => checkCertificate({ ...FOUR, share: "bySize" }, certificate)).toThrow(
      "it was made for another program",
    );
    const lattice = { matrix: [["1"]], inverse: [["1"]] };
    expect(() => checkCertificate(FOUR, { ...certificate, lattice })).toThrow("only a program has a lattice basis");
    const program = makeProgram({ columns: [], rows: [] });
    expect(() => checkCertificate(program, certificate)).toThrow("it was made for another program");
  });

  test("is judged beside a numbering", () => {
    const certificate = groupingCertificate(FOUR, SIX, [groups()]);
    const verdict = Verdict.of(FOUR, certificate, [0, 0, 1, 1], Rational.zero);
    expect(verdict.status).toBe("proved");
    expect(verdict.value).toEqual(SIX);
    const worse = Verdict.of(FOUR, certificate, [0, 1, 0, 1], q("0.1"));
    expect(worse.status).toBe("feasible");
    expect(worse.gap).toEqual(q("1/7"));
    expect(() => Verdict.of(FOUR, certificate, [0, 0, 0, 1], Rational.zero)).toThrow(InfeasiblePointError);
    expect(() => Verdict.of(FOUR, certificate, null, Rational.zero)).toThrow(RangeError);
  });
});

const CUT: Step = { groups: { prices: {}, cuts: [{ items: ["a", "b", "c"], price: "1/2" }] } };

test("a cut of a set with a divisor is worth no more than what groups may share of it", () => {
  // Five items worth nothing, in one group of three and one of two: of the five, one group has three.
  const items = ["a", "b", "c", "d", "e"];
  const five: Grouping = {
    ...{ name: "five", elements: items, clusters: 2, share: "whole", load: null },
    ...{ windows: [{ least: 2, most: 3 }], pairs: new Array(10).fill(Rational.zero) },
  };
  const step = (more: object): Step => ({ groups: { prices: {}, ...more } });
  // One with three pays 1, and the cut costs 1: worth nothing, in the list as in the walk.
  const cuts = [{ items, divisor: 3, price: "1" }];
  expect(prove([step({ listed: { narrow: [{ prices: {}, cuts }] } })], Rational.zero, five).bound).toEqual(
    Rational.zero,
  );
  // With five items and a divisor of 2 there are two, which the group of three and that of two take up.
  const halves = [{ items, divisor: 2, price: "1" }];
  expect(prove([step({ cuts: halves })], Rational.zero, five).bound).toEqual(Rational.zero);
  for (const wrong of [cuts, halves]) {
    const certificate = step({ cuts: wrong, listed: { narrow: [{ prices: {}, cuts: wrong }] } });
    expect(() => prove([certificate], q("0.001"), five)).toThrow("better than the claim");
  }
});

describe("the steps of a grouping, read", () => {
  const read = (step: unknown) => readCertificate({ ...groupingCertificate(FOUR, SIX, []), steps: [step] }).steps;

  test("come back as they are", () => {
    const part = { narrow: [{ prices: { a: "2" }, cuts: [{ items: ["a", "b", "d"], price: "1" }] }] } as const;
    const split = { pair: ["a", "b"], together: { narrow: [] }, apart: part } as const;
    const listed = groups({ a: "1/3" }, { narrow: [{ prices: {} }], split });
    const steps: Step[] = [pair("a", "b"), listed, CUT, { halves: {} }];
    expect(steps.flatMap(read)).toEqual(steps);
  });

  test.each([
    [{ pair: ["a"] }, "the names of two items were expected"],
    [{ pair: ["a", "b", "c"] }, "the names of two items were expected"],
    [{ pair: ["a", 1] }, "the names of items were expected"],
    [{ pair: ["a", "b"], at: "0" }, '"at" is not known here'],
    [{ groups: {} }, '"prices" is missing'],
    [{ groups: { prices: { a: 1 } } }, "an integer or a fraction in lowest terms was expected"],
    [{ groups: { prices: { a: "2/4" } } }, "in lowest terms"],
    [{ groups: { prices: {}, more: 1 } }, '"more" is not known here'],
    [{ groups: { prices: {}, listed: {} } }, '"narrow" is missing'],
    [{ groups: { prices: {}, listed: { narrow: {} } } }, "prices"],
    [{ groups: { prices: {}, listed: { narrow: [{}] } } }, '"prices" is missing'],
    [{ groups: { prices: {}, listed: { narrow: [], split: { pair: ["a", "b"] } } } }, '"together" is missing'],
    [
      { groups: { prices: {}, listed: { narrow: [], split: { pair: ["a"], together: {}, apart: {} } } } },
      "the names of two items",
    ],
    [{ groups: { prices: {}, cuts: {} } }, "cuts"],
    [{ groups: { prices: {}, cuts: [{ items: ["a", "b"], price: "1" }] } }, "a cut has more items than its divisor"],
    [{ groups: { prices: {}, cuts: [{ items: ["a", "b", "c"], price: 1 }] } }, "a fraction in lowest terms"],
    [
      { groups: { prices: {}, cuts: [{ items: ["a", "b", "c"], divisor: 1, price: "1" }] } },
      "a divisor is an integer from 2 on",
    ],
    [
      { groups: { prices: {}, cuts: [{ items: ["a", "b", "c"], divisor: 3, price: "1" }] } },
      "a cut has more items than its divisor",
    ],
    [{ groups: { prices: {}, cuts: [{ items: ["a", "b", "c"] }] } }, '"price" is missing'],
    [{ halves: { a: "1" } }, '"a" is not known here'],
  ])("are refused: %j", (step, message) => {
    expect(() => read(step)).toThrow(message);
  });
});
