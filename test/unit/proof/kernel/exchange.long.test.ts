import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { programHash } from "../../../../src/program/hash.js";
import { linearForm, makeProgram, type Program } from "../../../../src/program/program.js";
import { CertificateError, type Step } from "../../../../src/proof/certificate.js";
import { checkCertificate } from "../../../../src/proof/check.js";
import { lagrangianBound } from "../../../../src/proof/kernel/bound.js";
import { type ExchangeOrder, exchangeOrder, excludeExchangeable } from "../../../../src/proof/kernel/exchange.js";
import { type Box, substituteFixed, type View, viewOf } from "../../../../src/proof/kernel/view.js";
import { drawChain } from "../../../fuzz/classes/exchangeable.js";
import { type Draw, drawFrom, ratio } from "../../../fuzz/oracle/draw.js";
import { feasiblePoints, isIn, type PointWithCost, shrinkAtRandom } from "../support.js";

/** Splits at random down to single points, excluding what can be exchanged on the way; tells the points that are left. */
function survivors(draw: Draw, program: Program, points: readonly PointWithCost[]): PointWithCost[] {
  const start = viewOf(program);
  const order = exchangeOrder(program, start.view.groups);
  if (order === null) return [];
  const left: PointWithCost[] = [];
  const walk = (view: View, box: Box, inside: readonly PointWithCost[]): void => {
    if (inside.length === 0) return;
    let [at, within, kept] = [view, box, inside];
    if (draw.oneIn(2)) {
      // All points that are inside agree in what is substituted.
      const settledAt = (column: number) => inside[0]?.point[column] as Rational;
      if (!excludeExchangeable(order, view, box, settledAt, () => {})) return;
      kept = inside.filter(({ point }) => isIn(view, box, point));
      ({ view: at, box: within } = substituteFixed(view, box));
    }
    const open = at.columns.flatMap((_, j) => (within.lower[j]?.equals(within.upper[j] as Rational) ? [] : [j]));
    if (open.length === 0) {
      left.push(...kept);
      return;
    }
    const j = draw.of(open);
    const [lower, upper] = [within.lower[j] as Rational, within.upper[j] as Rational];
    const split = lower.add(ratio(draw.int(0, upper.subtract(lower).toNumber() - 1)));
    const halves = [
      { lower: within.lower.slice(), upper: within.upper.with(j, split) },
      { lower: within.lower.with(j, split.add(Rational.one)), upper: within.upper.slice() },
    ];
    for (const half of halves) {
      walk(
        at,
        half,
        kept.filter(({ point }) => isIn(at, half, point)),
      );
    }
  };
  walk(start.view, start.box, points);
  return left;
}

/** A box's bounds once what can be exchanged is left out; `null` where nothing is left that a bound of nothing does not see. */
function excluded(order: ExchangeOrder, view: View, given: Box, settledAt: (column: number) => Rational): Box | null {
  const box: Box = { lower: given.lower.slice(), upper: given.upper.slice() };
  if (!excludeExchangeable(order, view, box, settledAt, () => {})) return null;
  const { bound, infeasible } = lagrangianBound(view, box, new Map(), "infeasibility");
  return infeasible || (bound?.sign() ?? 0) > 0 ? null : box;
}

describe("excluding what can be exchanged", () => {
  test("leaves a best point in some leaf, whatever the branching", () => {
    const seen = { orders: 0, lost: 0 };
    for (let seed = 0; seed < 1500; seed++) {
      const draw = drawFrom(seed);
      const program = drawChain(draw);
      const { view } = viewOf(program);
      if (exchangeOrder(program, view.groups) === null) continue;
      const points = feasiblePoints(program);
      if (points.length === 0 || points.length > 400) continue;
      seen.orders++;
      const left = survivors(draw, program, points);
      if (left.length < points.length) seen.lost++;
      const cost = (all: readonly PointWithCost[]) =>
        all.reduce<Rational | null>(
          (best, one) => (best === null || one.cost.compare(best) < 0 ? one.cost : best),
          null,
        );
      expect(cost(left)?.toString(), `seed ${seed}`).toBe(cost(points)?.toString());
    }
    // Else the programs have nothing to exchange, and the test says nothing.
    expect(seen.orders).toBeGreaterThan(300);
    expect(seen.lost).toBeGreaterThan(200);
  });

  // A checker fixes by the final claim, which is no greater than what the search fixed by.
  test("leaves out at least as much in a smaller box, whatever of it is substituted already", () => {
    const seen = { boxes: 0, excluded: 0 };
    for (let seed = 0; seed < 3000; seed++) {
      const draw = drawFrom(seed);
      const program = drawChain(draw);
      const { view, box } = viewOf(program);
      const order = exchangeOrder(program, view.groups);
      if (order === null) continue;
      shrinkAtRandom(draw, box);
      const smaller: Box = { lower: box.lower.slice(), upper: box.upper.slice() };
      shrinkAtRandom(draw, smaller);
      const settledAt = (column: number) => smaller.lower[column] as Rational;
      const large = excluded(order, view, box, settledAt);
      const reduced = substituteFixed(view, smaller);
      const small = excluded(order, reduced.view, reduced.box, settledAt);
      seen.boxes++;
      if (large === null) seen.excluded++;
      if (small === null) continue;
      expect(large, `seed ${seed}`).not.toBeNull();
      reduced.view.columns.forEach((column, j) => {
        const within = (at: Rational) =>
          at.compare(large?.lower[column] as Rational) >= 0 && at.compare(large?.upper[column] as Rational) <= 0;
        expect(within(small.lower[j] as Rational) && within(small.upper[j] as Rational), `seed ${seed}`).toBe(true);
      });
    }
    expect(seen.boxes).toBeGreaterThan(1000);
    expect(seen.excluded).toBeGreaterThan(100);
  });

  test("by hand: the hotter of two rows takes the early position", () => {
    const program = pairs(["a", "b"], [5, 2]);
    const order = exchangeOrder(program, viewOf(program).view.groups);
    // Moving a to position 0 and b to position 1 costs −5 + 2: it helps. So if a is late, b is not early.
    expect(order?.entries.map(({ link }) => link & 2)).toEqual([2, 0]);
    const accepted = certify(program, "0", [
      { branch: "a0", at: "0" },
      { propagate: {} },
      { exchange: {} },
      { infeasible: { once: "1" } },
      { bound: {} },
    ]);
    expect(accepted).toBe(true);
  });

  test("nothing may be exchanged that costs something", () => {
    const program = pairs(["a", "b"], [2, 5]);
    expect(exchangeOrder(program, viewOf(program).view.groups)).toBeNull();
    expect(() => certify(program, "0", [{ exchange: {} }, { bound: {} }])).toThrow("may exchange");
  });
});

describe("groups of unlike sizes", () => {
  test("a longer group's members do not stand in for the next group's", () => {
    // b's third and fourth member come last: once, their numbers hid those of c's.
    const names = ["a0", "a1", "b0", "b1", "c0", "c1", "d0", "d1", "b2", "b3"];
    const program = named(names, ["a", "b", "c", "d"], { c0: 10, b2: -5 }, ["c0", "d0"]);
    // The truth is −5: c1, d0 and b2. The claim of 5 rests on exchanging c1 and d0.
    const best = feasiblePoints(program).map(({ cost }) => cost.toNumber());
    expect(Math.min(...best)).toBe(-5);
    expect(() =>
      certify(program, "5", [
        { branch: "c0", at: "0" },
        { propagate: {} },
        { exchange: {} },
        { infeasible: { once: "1" } },
        { bound: {} },
      ]),
    ).toThrow(CertificateError);
  });

  test("a shorter group takes no part", () => {
    const names = ["a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1"];
    const program = named(names, ["a", "b", "c"], {}, []);
    expect(certify(program, "0", [{ exchange: {} }, { bound: {} }])).toBe(true);
  });
});

describe("an order with substituted groups", () => {
  const names = ["a0", "a1", "b0", "b1", "c0", "c1"];
  const { view, box } = viewOf(named(names, ["a", "b", "c"], {}, []));
  const entries = [0, 2, 4].map((column) => ({ positions: [column, column + 1], link: 2 }));
  /** The columns that are 0 at most, where some have a value already; `null` where they contradict each other. */
  const forbidden = (values: Readonly<Record<number, number>>) => {
    const own: Box = { lower: box.lower.slice(), upper: box.upper.slice() };
    for (const [column, value] of Object.entries(values)) {
      for (const side of [own.lower, own.upper]) side[Number(column)] = ratio(value);
    }
    const reduced = substituteFixed(view, own);
    const settledAt = (column: number) => own.lower[column] as Rational;
    const order: ExchangeOrder = { size: 2, columns: names.length, entries };
    if (!excludeExchangeable(order, reduced.view, reduced.box, settledAt, () => {})) return null;
    return reduced.view.columns.filter((_, j) => reduced.box.upper[j]?.sign() === 0).map((column) => names[column]);
  };

  test("passes on what they use, and sees when they contradict each other", () => {
    expect(forbidden({ 2: 0, 3: 1 })).toEqual(["c0"]);
    expect(forbidden({ 2: 1, 3: 0 })).toEqual(["a1"]);
    expect(forbidden({ 0: 0, 1: 1, 2: 1, 3: 0 })).toBeNull();
    // A group between them changes nothing.
    expect(forbidden({ 0: 0, 1: 1, 4: 1, 5: 0 })).toBeNull();
  });
});

/** One unit per group, early or late; late costs what is given; exactly one group may be early. */
function pairs(groups: readonly string[], lateCosts: readonly number[]): Program {
  const names = groups.flatMap((group) => [`${group}0`, `${group}1`]);
  const costs = Object.fromEntries(groups.map((group, g) => [`${group}1`, lateCosts[g] as number]));
  return named(
    names,
    groups,
    costs,
    groups.map((group) => `${group}0`),
  );
}

function named(
  names: readonly string[],
  groups: readonly string[],
  costs: Readonly<Record<string, number>>,
  once: readonly string[],
): Program {
  const form = (entries: readonly (readonly [string, number])[]) =>
    linearForm(entries.map(([name, value]) => [names.indexOf(name), ratio(value)] as const));
  const groupRow = (group: string) => ({
    name: group,
    form: form(names.filter((name) => name.startsWith(group)).map((name) => [name, 1])),
    lower: Rational.one,
    upper: Rational.one,
  });
  const onceRow = { name: "once", form: form(once.map((name) => [name, 1])), lower: Rational.one, upper: null };
  return makeProgram({
    columns: names.map((name) => ({ name, lower: Rational.zero, upper: Rational.one, integer: true })),
    rows: [...groups.map(groupRow), ...(once.length > 0 ? [onceRow] : [])],
    objective: { form: form(Object.entries(costs)) },
  });
}

/** `true` when the checker accepts a bound; throws what it throws. */
function certify(program: Program, bound: string, steps: readonly Step[]): boolean {
  const certificate = { format: "shardproof-certificate 1", program: programHash(program), steps } as const;
  return checkCertificate(program, { ...certificate, claim: { kind: "bound", bound } }).steps === steps.length;
}
