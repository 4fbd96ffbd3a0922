import { describe, expect, test } from "vitest";
import { Rational } from "../../../../src/exact/rational.js";
import { linearForm } from "../../../../src/program/program.js";
import { formLattice, groupIndex, type Lattice, roundDown, roundUp } from "../../../../src/proof/kernel/lattice.js";
import { drawFrom, ratio } from "../../../fuzz/oracle/draw.js";

describe("the lattice of a form", () => {
  const integers = [true, true, true];
  const none = groupIndex([], 3);
  const form = (...values: readonly Rational[]) => linearForm(values.map((value, j) => [j, value]));

  test("6x − 9y + 15z takes multiples of 3", () => {
    expect(formLattice(form(ratio(6), ratio(-9), ratio(15)), integers, [], none)).toMatchObject({
      offset: Rational.zero,
      step: ratio(3),
    });
  });

  test("with x + y + z = 4, 5x + 7y + 11z takes 20 and even numbers more", () => {
    const groups = [{ members: [0, 1, 2], total: 4n }];
    expect(formLattice(form(ratio(5), ratio(7), ratio(11)), integers, groups, groupIndex(groups, 3))).toMatchObject({
      offset: ratio(20),
      step: ratio(2),
    });
  });

  test("a member that is missing counts as a coefficient of zero", () => {
    const groups = [{ members: [0, 1, 2], total: 4n }];
    const lattice = formLattice(form(ratio(6), ratio(6), ratio(0)), integers, groups, groupIndex(groups, 3));
    expect(lattice).toMatchObject({ offset: Rational.zero, step: ratio(6) });
  });

  test("there is none with a continuous column", () => {
    expect(formLattice(form(ratio(6), ratio(3)), [true, false, true], [], none)).toBeNull();
  });

  test("holds every value that the form takes at integer points", () => {
    for (let seed = 0; seed < 300; seed++) {
      const draw = drawFrom(seed);
      const total = draw.int(0, 4);
      const groups = draw.oneIn(2) ? [{ members: [0, 1], total: BigInt(total) }] : [];
      const values = [0, 1, 2].map(() => ratio(draw.int(-6, 6) * draw.of([1, 2, 5]), draw.of([1, 3, 1000])));
      const { offset, step } = formLattice(form(...values), integers, groups, groupIndex(groups, 3)) as Lattice;
      for (let x = -2; x <= 4; x++) {
        for (const y of groups.length > 0 ? [total - x] : [-1, 0, 1, 2]) {
          for (const z of [0, 1, 3]) {
            const sum = [x, y, z].reduce(
              (all, at, j) => all.add((values[j] as Rational).multiply(ratio(at))),
              Rational.zero,
            );
            const beyond = sum.subtract(offset);
            const whole = step.sign() === 0 ? beyond.sign() === 0 : beyond.divide(step).isInteger();
            expect(whole, `seed ${seed}: ${sum}`).toBe(true);
          }
        }
      }
    }
  });
});

describe("a form that its groups settle", () => {
  const groups = [
    { members: [0, 1], total: 3n },
    { members: [2, 3], total: 2n },
  ];
  const groupOf = groupIndex(groups, 5);
  const settled = (...values: readonly number[]) => {
    const form = linearForm(values.map((value, j) => [j, ratio(value, 2)]));
    const lattice = formLattice(form, [true, true, true, true, true], groups, groupOf);
    return lattice?.step.sign() === 0 ? lattice.offset.toString() : null;
  };

  test("has one value: the groups' totals at the members' common coefficients", () => {
    expect(settled(0, 0, 0, 0, 0)).toBe("0");
    expect(settled(5, 5, 0, 0, 0)).toBe("15/2");
    expect(settled(5, 5, -1, -1, 0)).toBe("13/2");
  });

  test("can move where members differ, where one is missing, and with a column in no group", () => {
    expect(settled(5, 4, 0, 0, 0)).toBeNull();
    expect(settled(5, 0, 0, 0, 0)).toBeNull();
    expect(settled(5, 5, 0, 0, 1)).toBeNull();
  });
});

describe("rounding to a lattice", () => {
  const lattice: Lattice = { offset: ratio(1, 3), step: ratio(2, 5) };

  test.each([
    ["1/3", "1/3", "1/3"],
    ["0", "1/3", "-1/15"],
    ["-1/15", "-1/15", "-1/15"],
    ["7/10", "11/15", "1/3"],
    ["-5", "-73/15", "-79/15"],
  ])("%s: up to %s, down to %s", (at, up, down) => {
    expect(roundUp(Rational.parse(at), lattice)?.toString()).toBe(up);
    expect(roundDown(Rational.parse(at), lattice)?.toString()).toBe(down);
  });

  test("with one value only, there is nothing above or below it", () => {
    const single: Lattice = { offset: ratio(3), step: Rational.zero };
    expect(roundUp(ratio(2), single)?.toString()).toBe("3");
    expect(roundUp(ratio(4), single)).toBeNull();
    expect(roundDown(ratio(4), single)?.toString()).toBe("3");
    expect(roundDown(ratio(2), single)).toBeNull();
  });
});
