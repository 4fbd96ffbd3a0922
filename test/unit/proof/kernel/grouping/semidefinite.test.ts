import { expect, test } from "vitest";
import { seededRandom } from "../../../../../src/exact/random.js";
import { Rational } from "../../../../../src/exact/rational.js";
import { evaluateGrouping } from "../../../../../src/program/grouping/evaluate.js";
import { type Grouping, pairIndex } from "../../../../../src/program/grouping/grouping.js";
import {
  leftBySemidefinite,
  type SemidefiniteCut,
  type SemidefiniteStep,
  semidefiniteBound,
} from "../../../../../src/proof/kernel/grouping/semidefinite.js";
import { readStep } from "../../../../../src/proof/rules/registry.js";

const rational = (text: string) => Rational.parse(text);

function groupingOf(
  pairs: readonly string[],
  clusters: number,
  [least, most]: readonly [number, number],
  share: Grouping["share"] = "whole",
): Grouping {
  const elements = Array.from({ length: (1 + Math.sqrt(1 + 8 * pairs.length)) / 2 }, (_, i) => `f${i}`);
  return {
    name: "hand",
    elements,
    clusters,
    pairs: pairs.map(rational),
    share,
    windows: [{ least, most }],
    load: null,
  };
}

function stepOf(elements: number, rows: readonly number[], cuts: readonly SemidefiniteCut[] = []): SemidefiniteStep {
  const factor = Array.from({ length: elements }, (_, i) => new Array<number>(i + 1).fill(0));
  return { semidefinite: { bits: 1, rows, cuts, factor } };
}

function rootOf({ windows: [window] }: Grouping) {
  return { window: window as Grouping["windows"][number], together: [], apart: [] };
}

const ones = (count: number) => new Array<string>(count).fill("1");
const boundOf = (grouping: Grouping, step: SemidefiniteStep) =>
  semidefiniteBound(grouping, rootOf(grouping), step).bound?.toString();

test("the sums of rows alone, where all pairs cost the same", () => {
  // r = 1/2 leaves nothing off the diagonal and −1/2 on it: 4 · (1/2 · 2 − 1/2) = 2.
  expect(boundOf(groupingOf(ones(6), 2, [2, 2]), stepOf(4, [1, 1, 1, 1]))).toBe("2");
  expect(boundOf(groupingOf(ones(6), 2, [2, 2], "bySize"), stepOf(4, [1, 1, 1, 1]))).toBe("1");
  // Sizes 1 and 2, and 1 … 3 of which 2 and 2 cost least.
  expect(boundOf(groupingOf(ones(3), 2, [1, 2]), stepOf(3, [1, 1, 1]))).toBe("1");
  expect(boundOf(groupingOf(ones(6), 2, [1, 3]), stepOf(4, [1, 1, 1, 1]))).toBe("2");
  // 3 pairs over 3 cost as much as two over 2.
  expect(boundOf(groupingOf(ones(6), 2, [1, 3], "bySize"), stepOf(4, [1, 1, 1, 1]))).toBe("1");
});

test("a cut: of three items two are together in two groups", () => {
  const cut = { price: 1, floor: 1, plus: [0, 1, 2], minus: [] };
  expect(boundOf(groupingOf(ones(3), 2, [1, 2]), stepOf(3, [0, 0, 0], [cut]))).toBe("1");
  // Over the size: half of that, in the group of two.
  expect(boundOf(groupingOf(ones(3), 2, [1, 2], "bySize"), stepOf(3, [0, 0, 0], [cut]))).toBe("1/2");
});

test("a cut and its mirror image say the same", () => {
  const random = seededRandom(11);
  for (let round = 0; round < 40; round++) {
    const pairs = Array.from({ length: 15 }, () => `${random.integer(9)}/8`);
    const grouping = groupingOf(pairs, 3, [1, 4], round % 2 === 0 ? "whole" : "bySize");
    const cuts = Array.from({ length: 4 }, (): SemidefiniteCut => {
      const signs = Array.from({ length: 6 }, () => random.integer(3) - 1);
      const withSign = (sign: number) => [...signs.keys()].filter((element) => signs[element] === sign);
      return { price: random.integer(4), floor: random.integer(5) - 2, plus: withSign(1), minus: withSign(-1) };
    });
    const mirrored = cuts.map(({ price, floor, plus, minus }) => ({
      ...{ price, floor: -floor - 1, plus: minus, minus: plus },
    }));
    const rows = Array.from({ length: 6 }, () => random.integer(5) - 2);
    expect(boundOf(grouping, stepOf(6, rows, mirrored))).toBe(boundOf(grouping, stepOf(6, rows, cuts)));
  }
});

test("a factor: the part of it that all partitions have in common", () => {
  // L = 1/2 in a column: LLᵀ = 1/4 everywhere, E = 1/4 off the diagonal, and (1ᵀL)²/2 = 2 against 4 · 1/4 on the
  // diagonal.
  const factor = [[1], [1, 0], [1, 0, 0], [1, 0, 0, 0]];
  const step = { semidefinite: { bits: 1, rows: [0, 0, 0, 0], cuts: [], factor } };
  expect(boundOf(groupingOf(ones(6), 2, [2, 2]), step)).toBe("1");
  expect(boundOf(groupingOf(ones(6), 2, [2, 2], "bySize"), step)).toBe("1/2");
});

test("what is negative off the diagonal is paid for on it", () => {
  // Pairs cost nothing, r_0 = 1: E is −1/2 beside item 0, the diagonal −1 − 1 and −1/2, −1/2; r_0 · 2 or · 1 comes
  // back.
  expect(boundOf(groupingOf(["0", "0", "0"], 2, [1, 2]), stepOf(3, [2, 0, 0]))).toBe("-2");
});

test("pairs that are together or apart", () => {
  const grouping = groupingOf(["5", "1", "1"], 2, [1, 2]);
  const node = { window: { least: 1, most: 2 }, together: [[1, 0]], apart: [] } as const;
  const zero = stepOf(3, [0, 0, 0]);
  expect(semidefiniteBound(grouping, node, zero).bound?.toString()).toBe("5");
  const shared = groupingOf(["5", "1", "1"], 2, [1, 2], "bySize");
  // Over a size of 2 at most.
  expect(semidefiniteBound(shared, node, zero).bound?.toString()).toBe("5/2");
  // r = 1/2 of items 0 and 1 takes 1/2 of a pair of no cost; apart, nothing is paid for it.
  const free = groupingOf(["0", "1", "1"], 2, [1, 2]);
  const apart = { window: { least: 1, most: 2 }, together: [], apart: [[0, 1]] } as const;
  expect(semidefiniteBound(free, apart, stepOf(3, [1, 1, 0])).bound?.toString()).toBe("1/2");
  expect(boundOf(free, stepOf(3, [1, 1, 0]))).toBe("-1/2");
});

test("what follows from pairs for others: joined by a third, parted by what they are with", () => {
  // Pairs (0,1), (0,2), (1,2), (0,3), (1,3), (2,3): 0, 1 and 2 are one unit, 3 is alone, and so nothing else is paid
  // for.
  const grouping = groupingOf(["0", "0", "0", "7", "7", "7"], 2, [1, 3]);
  const { window } = rootOf(grouping);
  const step = stepOf(4, [1, 1, 1, 1]);
  const joined = {
    window,
    together: [
      [0, 1],
      [1, 2],
    ],
    apart: [[2, 3]],
  } as const;
  const listed = {
    window,
    together: [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
    apart: [
      [0, 3],
      [1, 3],
      [2, 3],
    ],
  } as const;
  const { bound, reduced } = semidefiniteBound(grouping, joined, step);
  expect(bound).toEqual(semidefiniteBound(grouping, listed, step).bound);
  // −1/2 on the diagonal and −1/2 for each of two others of the unit, −5 in all; r·n of two groups of two is 4.
  expect(bound?.toString()).toBe("-1");
  expect(reduced.every((value) => value.sign() === 0)).toBe(true);
});

test("two units share a group with all their items", () => {
  // 0 and 1 are one unit: with 2 or 3 both of its pairs are paid.
  const grouping = groupingOf(["0", "1", "1", "1", "1", "0"], 2, [2, 2]);
  const node = { ...rootOf(grouping), together: [[0, 1]] } as const;
  const proved = semidefiniteBound(grouping, node, stepOf(4, [0, 0, 0, 0]));
  expect(proved.reduced.map(String)).toEqual(["0", "2", "2", "2", "2", "0"]);
  // Together with 2 it is at least 2; then the units are all there is, worth 0.
  expect(leftBySemidefinite(grouping, node, proved, rational("2"))).not.toBeNull();
  expect(leftBySemidefinite(grouping, node, proved, rational("0"))).toBeNull();
});

test("pairs that contradict each other leave nothing", () => {
  const grouping = groupingOf(ones(3), 2, [1, 2]);
  const node = {
    ...rootOf(grouping),
    together: [
      [0, 1],
      [1, 2],
    ],
    apart: [[2, 0]],
  } as const;
  const proved = semidefiniteBound(grouping, node, stepOf(3, [0, 0, 0]));
  expect(proved.bound).toBeNull();
  expect(leftBySemidefinite(grouping, node, proved, rational("100"))).toBeNull();
});

test("below no numbering of a node is what any step proves of it", () => {
  const random = seededRandom(21);
  let decided = 0;
  for (let round = 0; round < 150; round++) {
    const share = round % 2 === 0 ? "whole" : "bySize";
    const grouping = groupingOf(
      Array.from({ length: 15 }, () => `${random.integer(9)}/8`),
      3,
      [1, 4],
      share,
    );
    const pick = (): readonly [number, number] => {
      const i = random.integer(6);
      return [i, (i + 1 + random.integer(5)) % 6];
    };
    const node = {
      window: { least: 1, most: 4 },
      together: Array.from({ length: random.integer(3) }, pick),
      apart: Array.from({ length: random.integer(3) }, pick),
    };
    const rows = Array.from({ length: 6 }, () => random.integer(3) - 1);
    const { semidefinite } = stepOf(6, rows);
    const factor = semidefinite.factor.map((row) => row.map(() => random.integer(3) - 1));
    const step = { semidefinite: { ...semidefinite, bits: 2, factor } };
    const proved = semidefiniteBound(grouping, node, step);
    const inside = labelingsOf(6, 3).filter(
      (labels) =>
        [0, 1, 2].every((cluster) => labels.includes(cluster) && labels.filter((g) => g === cluster).length <= 4) &&
        node.together.every(([i, j]) => labels[i] === labels[j]) &&
        node.apart.every(([i, j]) => labels[i] !== labels[j]),
    );
    if (proved.bound === null) {
      expect(inside).toEqual([]);
      continue;
    }
    const values = inside.map((labels) => evaluateGrouping(grouping, labels).objective);
    const { bound, reduced } = proved;
    const isBelow = inside.some((labels, k) => {
      const value = values[k] as Rational;
      const raised = labels.flatMap((cluster, j) =>
        labels.slice(0, j).flatMap((other, i) => (other === cluster ? [reduced[pairIndex(i, j)] as Rational] : [])),
      );
      return raised.some((rise) => value.compare(bound.add(rise)) < 0) || value.compare(bound) < 0;
    });
    expect(isBelow).toBe(false);
    for (const claim of ["1/2", "3/2", "5/2"].map(rational)) {
      const left = leftBySemidefinite(grouping, node, proved, claim);
      if (left !== node) decided++;
      const isMissed = inside.some((labels, k) => {
        const isLeft = left?.apart.every(([i, j]) => labels[i] !== labels[j]) === true;
        return !isLeft && (values[k] as Rational).compare(claim) < 0;
      });
      expect(isMissed).toBe(false);
    }
  }
  expect(decided).toBeGreaterThan(40);
});

/** All ways to give items one of so many groups. */
function labelingsOf(elements: number, clusters: number): readonly number[][] {
  if (elements === 0) return [[]];
  return labelingsOf(elements - 1, clusters).flatMap((rest) =>
    Array.from({ length: clusters }, (_, cluster) => [...rest, cluster]),
  );
}

test("no sizes fit", () => {
  const grouping = groupingOf(ones(3), 2, [2, 3]);
  expect(boundOf(grouping, stepOf(3, [0, 0, 0]))).toBeUndefined();
  const proved = semidefiniteBound(grouping, rootOf(grouping), stepOf(3, [0, 0, 0]));
  expect(leftBySemidefinite(grouping, rootOf(grouping), proved, Rational.zero)).toBeNull();
});

test("what a bound leaves below a claim", () => {
  // Items 0, 1 and 2, 3 are near: pairs (0,1), (0,2), (1,2), (0,3), (1,3), (2,3).
  const grouping = groupingOf(["1/4", "1", "1", "1", "1", "1/4"], 2, [2, 2]);
  const node = rootOf(grouping);
  const { semidefinite } = stepOf(4, [0, 0, 0, 0]);
  const proved = semidefiniteBound(grouping, node, { semidefinite: { ...semidefinite, bits: 2 } });
  expect(proved.bound?.toString()).toBe("0");
  expect(proved.reduced.map(String)).toEqual(["1/4", "1", "1", "1", "1", "1/4"]);
  expect(leftBySemidefinite(grouping, node, proved, Rational.zero)).toBeNull();
  expect(leftBySemidefinite(grouping, node, proved, rational("1/2"))).toBeNull();
  const left = leftBySemidefinite(grouping, node, proved, rational("5/8"));
  expect(left?.apart).toHaveLength(4);
  expect(leftBySemidefinite(grouping, node, proved, rational("3"))).toBe(node);
});

test("too few items can be with both", () => {
  // Only the pair (1,2) between the two groups is not decided by its cost, and a group has two items and one more.
  const between = (i: number, j: number) => (i < 3 && j >= 3 ? (i === 1 && j === 3 ? "0" : "1") : "0");
  const pairs = [1, 2, 3, 4, 5].flatMap((j) => Array.from({ length: j }, (_, i) => between(i, j)));
  const grouping = groupingOf(pairs, 2, [3, 3]);
  const node = rootOf(grouping);
  const proved = semidefiniteBound(grouping, node, stepOf(6, [0, 0, 0, 0, 0, 0]));
  expect(leftBySemidefinite(grouping, node, proved, rational("1/2"))?.apart).toHaveLength(9);
});

test("numbers for another grouping are refused", () => {
  const grouping = groupingOf(ones(3), 2, [1, 2]);
  const refuse = (step: SemidefiniteStep, message: string) =>
    expect(() => semidefiniteBound(grouping, rootOf(grouping), step)).toThrow(new RangeError(message));
  refuse(stepOf(4, [0, 0, 0, 0]), "numbers for 3 items were expected");
  refuse(stepOf(3, [0, 0]), "numbers for 3 items were expected");
  refuse(stepOf(3, [0, 0, 0], [{ price: 1, floor: 0, plus: [0, 3], minus: [1] }]), "there is no item 3");
});

test.each([
  [{ bits: 0 }, "an integer of at least 1 was expected, 0 is there"],
  [{ bits: 2000 }, "at most 1000 bits were expected, 2000 are there"],
  [{ bits: undefined }, "an integer of at least 1 was expected, undefined is there"],
  [{ more: 1 }, '"more" is not known here'],
  [{ rows: 3 }, "a list of integers was expected"],
  [{ rows: [0.5, 1, 1] }, "an integer of at least -9007199254740991 was expected, 0.5 is there"],
  [{ rows: ["1", 1, 1] }, 'an integer of at least -9007199254740991 was expected, "1" is there'],
  [{ factor: [[2 ** 53], [0, 0]] }, "an integer of at least -9007199254740991 was expected, 9007199254740992 is there"],
  [{ factor: [1] }, "a list of integers was expected"],
  [{ cuts: [null] }, "an object with price, floor, plus, minus was expected"],
  [{ cuts: [[1, 2, [], []]] }, "an object with price, floor, plus, minus was expected"],
  [{ cuts: [{ price: -1, floor: 0, plus: [], minus: [] }] }, "an integer of at least 0 was expected, -1 is there"],
  [{ cuts: [{ price: 1, floor: 0, plus: [-1], minus: [] }] }, "an integer of at least 0 was expected, -1 is there"],
  [{ cuts: [{ price: 1, floor: 0, plus: [1], minus: [1] }] }, "the items of a cut must be different"],
])("what is not in the grammar is refused: %j", (part, message) => {
  const step = { bits: 1, rows: [0, 0], cuts: [], factor: [[0], [0, 0]] };
  expect(readStep({ semidefinite: step }, 0)).toEqual({ semidefinite: step });
  expect(() => readStep({ semidefinite: { ...step, ...part } }, 0)).toThrow(message);
});
