import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { allApart, marginsAfter } from "../../../../src/proof/rules/program/enumeration/alike-limits.js";
import type { Alternative, Choice } from "../../../../src/proof/rules/program/enumeration/choices.js";
import { Completions } from "../../../../src/proof/rules/program/enumeration/completions.js";
import { setLabels } from "../../../../src/proof/rules/program/enumeration/label-setting.js";
import { type Condition, type Limit, limitsOf } from "../../../../src/proof/rules/program/enumeration/limits.js";
import { leftOf, Outlook } from "../../../../src/proof/rules/program/enumeration/outlook.js";
import { type Draw, drawFrom } from "../../../fuzz/oracle/draw.js";
import { drawsOf } from "../../../support/draws.js";

const ALWAYS = { proportion: Number.POSITIVE_INFINITY, growth: 0 };

/** All ways to take one alternative of each choice, by index. */
function waysOf(sizes: readonly number[]): number[][] {
  return sizes.reduce<number[][]>(
    (ways, size) => ways.flatMap((way) => Array.from({ length: size }, (_, k) => [...way, k])),
    [[]],
  );
}

describe("completions", () => {
  /** Uses of three limits, each of numbers of some size. */
  function drawUses(draw: Draw, sizes: readonly number[], unit: () => number): Limit[] {
    return [0, 1, 2].map(() => {
      const [grain, zeros] = [unit(), draw.int(1, 4)];
      const use = () => (draw.oneIn(zeros) ? 0 : draw.int(1, 9) * grain + (grain > 1 ? draw.int(0, 5) : 0));
      const uses = sizes.map((size) => Float64Array.from({ length: size }, use));
      return { slack: 0, follows: false, shift: 0n, uses, exactUses: [] };
    });
  }

  test.each([
    { name: "small numbers", units: [1], isExact: true },
    { name: "large numbers", units: [1, 37, 2 ** 20 + 1, 2 ** 45 + 1], isExact: false },
  ])("never use more than they do, and of $name what they do", ({ units, isExact }) => {
    const tally = { fits: 0, none: 0, close: 0 };
    const draws = drawsOf(1500, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const sizes = Array.from({ length: draw.int(1, 5) }, () => draw.int(1, 4));
      const [of, ...others] = drawUses(draw, sizes, () => draw.of(units)) as [Limit, Limit, Limit];
      const beside = draw.oneIn(3) ? others.slice(0, 1) : others;
      const usedOf = ({ uses }: Limit, depth: number, way: readonly number[]) =>
        way.reduce((sum, k, c) => sum + ((uses[depth + c] as Float64Array)[k] as number), 0);
      const most = beside.map(({ uses }) => uses.reduce((sum, own) => sum + Math.max(...own), 0));
      const rooms = most.map((all) => Math.floor((all * draw.int(0, 6)) / 6));
      const first = draw.int(0, sizes.length);
      const side = isExact ? 64 : draw.int(2, 48);
      const [one, other] = beside.map((limit, b) => ({ limit, room: rooms[b] as number })) as [
        { limit: Limit; room: number },
        { limit: Limit; room: number }?,
      ];
      const span = { depth: first, later: draw.int(0, 5), side };
      const completions = Completions.after(span, of, other === undefined ? [one] : [one, other]);
      for (let depth = first; depth <= sizes.length; depth++) {
        const ways = waysOf(sizes.slice(depth));
        for (let ask = 0; ask < 8; ask++) {
          const lefts = rooms.map((room) => Math.floor((room * draw.int(0, 8)) / 8));
          const fitting = ways.filter((way) =>
            beside.every((limit, b) => usedOf(limit, depth, way) <= (lefts[b] ?? 0)),
          );
          const least = Math.min(...fitting.map((way) => usedOf(of, depth, way)));
          const answer = completions.at(depth, lefts[0] as number, lefts[1]);
          if (depth > first + span.later) expect(answer).toBe(0);
          else if (isExact) expect(answer, `seed ${seed}`).toBe(least);
          else expect(answer, `seed ${seed}`).toBeLessThanOrEqual(least);
          if (answer === least && least > 0) tally.close++;
          tally[fitting.length > 0 ? "fits" : "none"]++;
        }
      }
    }
    expect(Math.min(tally.fits, tally.none, tally.close)).toBeGreaterThanOrEqual(draws.atLeast(3000));
  });

  test("complete nothing that has less than nothing left", () => {
    const limit = { slack: 3, follows: false, shift: 0n, uses: [Float64Array.of(0, 1)], exactUses: [[0n, 1n]] };
    const completions = Completions.after({ depth: 0, later: 0, side: 4 }, limit, [{ limit, room: 3 }]);
    expect([completions.at(0, 0), completions.at(0, -1)]).toEqual([0, Number.POSITIVE_INFINITY]);
  });
});

/** Choices with conditions; those that follow are sums of multiples of the others. */
interface Drawn {
  readonly choices: readonly Choice[];
  readonly conditions: readonly Condition[];
  readonly limits: readonly Limit[];
}

/** `alike`: so many more conditions that are another one but for one choice each, as rows of peaks are. */
function drawConditions(draw: Draw, unit: bigint, alike: number): Drawn | null {
  const sizes = Array.from({ length: draw.int(2, 6) }, () => draw.int(2, 3));
  let column = 0;
  const choices = sizes.map((size) =>
    Array.from({ length: size }, (): Alternative => ({ columns: [column++], values: [1n] })),
  );
  const number = (low: number, high: number) =>
    BigInt(draw.int(low, high)) * unit + (unit > 1n ? BigInt(draw.int(0, 3)) : 0n);
  const condition = (coefficients: readonly bigint[]): Condition => ({
    coefficients: new Map(coefficients.entries()),
    side: (coefficients.reduce((a, b) => a + b, 0n) * BigInt(draw.int(4, 7))) / 14n,
    follows: false,
  });
  // What uses less of the first uses more of the second.
  const first = Array.from({ length: column }, () => number(0, 5));
  const second = first.map((value) => number(5, 6) - value);
  const third = first.map(() => number(0, 5));
  const drawn = draw.shuffled([first, second, third].map(condition));
  const last = drawn[2] as Condition;
  for (let a = 0; a < alike; a++) {
    const own = new Set(choices[a % choices.length]?.flatMap(({ columns }) => columns));
    const coefficients = [...last.coefficients].map(
      ([j, value]) => [j, own.has(j) ? value + number(0, 3) : value] as const,
    );
    drawn.push({ ...last, coefficients: new Map(coefficients), side: last.side + number(0, 2) });
  }
  const follow = Array.from({ length: draw.int(1, 2) }, (): Condition => {
    const factors = drawn.map(() => BigInt(draw.int(0, 3)));
    const sum = (of: (own: Condition) => bigint) =>
      drawn.reduce((total, own, r) => total + (factors[r] as bigint) * of(own), 0n);
    const coefficients = new Map(
      Array.from({ length: column }, (_, j) => [j, sum((own) => own.coefficients.get(j) ?? 0n)]),
    );
    return { coefficients, side: sum(({ side }) => side), follows: true };
  });
  const conditions = [...drawn, ...follow];
  const limits = limitsOf(choices, conditions);
  return limits === null ? null : { choices, conditions, limits };
}

function columnsOf(choices: readonly Choice[], way: readonly number[]): number[] {
  return way.flatMap((k, c) => choices[c]?.[k]?.columns ?? []);
}

function isPoint(conditions: readonly Condition[], columns: readonly number[]): boolean {
  return conditions.every(
    ({ coefficients, side }) => columns.reduce((sum, j) => sum + (coefficients.get(j) ?? 0n), 0n) <= side,
  );
}

const LARGE = (1n << 53n) + 12_345n;

describe.each([
  { name: "small numbers", unit: 1n, alike: 0 },
  { name: "large numbers", unit: LARGE, alike: 0 },
  { name: "conditions that are alike", unit: 1n, alike: 4 },
  { name: "large conditions that are alike", unit: LARGE, alike: 4 },
])("what is left of partial points, of $name", ({ unit, alike }) => {
  test("has all that can be completed, and what cannot be completed is left", () => {
    const tally = { completable: 0, left: 0, several: 0, exact: 0 };
    const draws = drawsOf(1000, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const drawn = drawConditions(draw, unit, alike);
      if (drawn === null) continue;
      const { choices, conditions, limits } = drawn;
      const sizes = choices.map(({ length }) => length);
      const compared = limits.filter(({ follows }) => !follows);
      // Choices that are decided where it is looked, and choices that are decided where it is asked.
      const looked = draw.int(1, choices.length - 1);
      const asked = draw.int(looked, choices.length);
      const own = (alike > 0 ? marginsAfter(compared, choices.length) : allApart(compared))(looked - 1);
      const usedOf = (way: readonly number[]) =>
        Float64Array.from(limits, ({ uses }) =>
          way.reduce((sum, k, c) => sum + ((uses[c] as Float64Array)[k] as number), 0),
        );
      const isWithin = (used: Float64Array) => limits.every(({ slack }, r) => (used[r] as number) <= slack);
      const standing = waysOf(sizes.slice(0, looked)).map(usedOf).filter(isWithin);
      const outlook = new Outlook(limits, ALWAYS);
      const alternatives = sizes.slice(looked).reduce((a, b) => a + b, 0);
      const stand = { points: 1, spent: 1, choices: choices.length - looked, alternatives, margins: own.length - 1 };
      outlook.look(looked, stand, own, (margin) => {
        const lefts = standing.map((used) => leftOf(margin, limits, used, 0));
        return { least: Math.min(...lefts), most: Math.max(0, ...lefts) };
      });
      if (own.some((margin) => margin.limits.length > 1)) tally.several++;
      // Limits that are looked at together: one, and those of each two margins.
      const [first, ...others] = own.map((margin) => margin.limits);
      const pairs = others.flatMap((one, m) => others.slice(m + 1).map((other) => [...one, ...other]));
      const follows = [...limits.keys()].filter((r) => limits[r]?.follows);
      const looks = (pairs.length > 0 ? pairs : others).flatMap((beside) =>
        [first?.[0] as number, ...follows].map((of) => [of, ...beside]),
      );
      for (const way of waysOf(sizes.slice(0, asked))) {
        const used = usedOf(way);
        if (!isWithin(used)) continue;
        const points = waysOf(sizes.slice(asked)).map((rest) => [...way, ...rest]);
        const isCompletable = points.some((point) => isPoint(conditions, columnsOf(choices, point)));
        const isAllowed = outlook.allows(asked, used, 0);
        if (isCompletable) expect(isAllowed, `seed ${seed}`).toBe(true);
        if (isCompletable) tally.completable++;
        else if (!isAllowed) tally.left++;
        if (unit > 1n) continue;
        // Just what is looked at, where every number has a cell of its own.
        const isLeft = looks.some((look) => {
          const isKept = (uses: Float64Array) => look.every((r) => (uses[r] as number) <= (limits[r] as Limit).slack);
          return !points.some((point) => isKept(usedOf(point)));
        });
        expect(isAllowed, `seed ${seed}`).toBe(!isLeft);
        if (isLeft) tally.exact++;
      }
    }
    expect(Math.min(tally.completable, tally.left)).toBeGreaterThanOrEqual(draws.atLeast(300));
    if (unit === 1n) expect(tally.exact).toBeGreaterThanOrEqual(draws.atLeast(300));
    if (alike > 0) expect(tally.several).toBeGreaterThanOrEqual(draws.atLeast(100));
  });

  test("is a point exactly where there is one", () => {
    const tally = { none: 0, found: 0 };
    const draws = drawsOf(400, 0);
    for (const seed of draws.seeds) {
      const draw = drawFrom(seed);
      const drawn = drawConditions(draw, unit, alike);
      if (drawn === null) continue;
      const { choices, conditions, limits } = drawn;
      const ways = waysOf(choices.map(({ length }) => length));
      const expected = ways.some((way) => isPoint(conditions, columnsOf(choices, way)));
      const judge = (chosen: readonly Alternative[]) => {
        const columns = chosen.flatMap((alternative) => alternative.columns);
        return isPoint(conditions, columns) ? columns.map((j) => Rational.of(BigInt(j))) : null;
      };
      const { kind } = setLabels(choices, limits, judge, { maxVisits: 1e6, looking: ALWAYS });
      expect(kind, `seed ${seed}`).toBe(expected ? "found" : "none");
      tally[expected ? "found" : "none"]++;
    }
    expect(Math.min(tally.none, tally.found)).toBeGreaterThanOrEqual(draws.atLeast(40));
  });
});

/** Of so many choices each uses 4 of a margin, or 1 of the objective (or most of the margin besides, or some of another one). */
function smallUses(count: number): Limit[] {
  const limit = (uses: readonly number[], slack: number, follows = false): Limit => ({
    ...{ slack, follows, shift: 0n, exactUses: [] },
    uses: Array.from({ length: count }, () => Float64Array.from(uses)),
  });
  // What follows: the margin, and four times the objective.
  return [limit([0, 1, 1], 11), limit([4, 0, 9999], 10_000), limit([0, 0, 1], 10), limit([4, 4, 10_003], 10_044, true)];
}

test("limits that follow tell what cells are too coarse for", () => {
  const limits = smallUses(60);
  const own = allApart(limits.slice(0, 3))(0);
  const isAllowed = (known: readonly Limit[], used: number) => {
    const outlook = new Outlook(known, ALWAYS);
    const standing = { points: 2, spent: 1, choices: 60, alternatives: 180, margins: 2 };
    outlook.look(0, standing, own, ({ limits: [r] }) => ({ least: r === 1 ? 192 : 10, most: r === 1 ? 10_000 : 10 }));
    return outlook.allows(0, Float64Array.of(0, used, 0, used), 0);
  };
  // Room for 49 of the one and 11 of the other, and for 48 of the one.
  expect(isAllowed(limits, 9804)).toBe(true);
  expect(isAllowed(limits, 9808)).toBe(false);
  expect(isAllowed(limits.slice(0, 3), 9808)).toBe(true);
});

test("it is looked at again, more closely, once there are many more points and what was spent is in proportion", () => {
  const outlook = new Outlook(smallUses(3), { proportion: 1, growth: 8 });
  const standing = (points: number, spent: number) => ({ points, spent, choices: 2, alternatives: 6, margins: 1 });
  // A table of the first limit and one of what follows, beside one margin.
  const work = 2 * 48 ** 2 * 6;
  const isWorth = (points: number, spent: number) => outlook.isWorth(standing(points, spent));
  expect([isWorth(7, work), isWorth(8, work - 1), isWorth(8, work)]).toEqual([false, false, true]);
  outlook.look(1, standing(8, work), [], () => ({ least: 0, most: 0 }));
  outlook.goOn(3);
  expect([isWorth(23, 5 * work), isWorth(24, 5 * work - 1), isWorth(24, 5 * work)]).toEqual([false, false, true]);
  outlook.goOn(0);
  expect(isWorth(0, Number.POSITIVE_INFINITY)).toBe(false);
});
