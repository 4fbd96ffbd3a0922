import { describe, expect, test } from "vitest";
import { Rational } from "../../../src/exact/rational.js";
import { linearForm } from "../../../src/program/program.js";
import { formLattice, groupIndex, type Lattice, roundDown, roundUp } from "../../../src/proof/lattice.js";
import { drawFrom, ratio } from "../../fuzz/oracle/draw.js";

describe("the lattice of a form", () => {
  const integers = [true, true, true];
  const none = groupIndex([], 3);
  const form = (...values: readonly Rational[]) => linearForm(values.map((value, j) => [j, value]));

  test("6x − 9y + 15z takes multiples of 3", () => {
    expect(formLattice(form(ratio(6), ratio(-9), ratio(15)), integers, [], none)).toEqual({
      offset: Rational.zero,
      step: ratio(3),
    });
  });

  test("with x + y + z = 4, 5x + 7y + 11z takes 20 and even numbers more", () => {
    const groups = [{ members: [0, 1, 2], total: 4n }];
    expect(formLattice(form(ratio(5), ratio(7), ratio(11)), integers, groups, groupIndex(groups, 3))).toEqual({
      offset: ratio(20),
      step: ratio(2),
    });
  });

  test("a member that is missing counts as a coefficient of zero", () => {
    const groups = [{ members: [0, 1, 2], total: 4n }];
    const lattice = formLattice(form(ratio(6), ratio(6), ratio(0)), integers, groups, groupIndex(groups, 3));
    expect(lattice).toEqual({ offset: Rational.zero, step: ratio(6) });
  });

  test("there is none with a continuous column, nor where nothing can move", () => {
    expect(formLattice(form(ratio(6), ratio(3)), [true, false, true], [], none)).toBeNull();
    const groups = [{ members: [0, 1], total: 4n }];
    expect(formLattice(form(ratio(5), ratio(5)), integers, groups, groupIndex(groups, 3))).toBeNull();
  });

  test("holds every value that the form takes at integer points", () => {
    for (let seed = 0; seed < 300; seed++) {
      const draw = drawFrom(seed);
      const total = draw.int(0, 4);
      const groups = draw.oneIn(2) ? [{ members: [0, 1], total: BigInt(total) }] : [];
      const values = [0, 1, 2].map(() => ratio(draw.int(-6, 6) * draw.of([1, 2, 5]), draw.of([1, 3, 1000])));
      const lattice = formLattice(form(...values), integers, groups, groupIndex(groups, 3));
      const taken = new Set<string>();
      for (let x = -2; x <= 4; x++) {
        for (const y of groups.length > 0 ? [total - x] : [-1, 0, 1, 2]) {
          for (const z of [0, 1, 3]) {
            const sum = [x, y, z].reduce(
              (all, at, j) => all.add((values[j] as Rational).multiply(ratio(at))),
              Rational.zero,
            );
            taken.add(sum.toString());
            if (lattice !== null) expect(sum.subtract(lattice.offset).divide(lattice.step).isInteger()).toBe(true);
          }
        }
      }
      if (lattice === null) expect(taken.size, `seed ${seed}`).toBe(1);
    }
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
    expect(roundUp(Rational.parse(at), lattice).toString()).toBe(up);
    expect(roundDown(Rational.parse(at), lattice).toString()).toBe(down);
  });
});
